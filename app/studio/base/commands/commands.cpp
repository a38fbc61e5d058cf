// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/commands/commands.h"

#include "app/studio/base/style/theme.h"

#include <QWidget>

namespace remat::studio {

QString plainText(const QAction &action)
{
    return action.text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

Commands::Commands(QWidget *window) : QObject(window), m_window(window) {}

QAction *Commands::add(const CommandSpec &spec)
{
    auto *action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setShortcuts(spec.keys);
    action->setShortcutContext(Qt::WindowShortcut);
    action->setCheckable(spec.checkable);
    action->setToolTip(spec.keys.isEmpty() ? spec.tooltip
                                           : QStringLiteral("%1 (%2)").arg(
                                                 spec.tooltip, spec.keys.front().toString(QKeySequence::NativeText)));
    action->setStatusTip(spec.tooltip);
    action->setProperty("iconName", spec.icon);
    if (!spec.icon.isEmpty()) action->setIcon(Theme::instance().icon(spec.icon));
    m_window->addAction(action);
    m_items.push_back({spec.section, action, spec.separatorBefore, spec.group});
    m_byId.emplace(spec.id, action);
    return action;
}

QAction *Commands::find(const QString &id) const
{
    const auto found = m_byId.find(id);
    return found == m_byId.end() ? nullptr : found->second;
}

const std::vector<Section> &Commands::sections()
{
    static const std::vector<Section> all = {Section::File, Section::Edit,   Section::View, Section::Plan,
                                             Section::Run,  Section::Window, Section::Help};
    return all;
}

QString Commands::sectionTitle(Section section)
{
    switch (section) {
    case Section::File:
        return tr("File");
    case Section::Edit:
        return tr("Edit");
    case Section::Plan:
        return tr("Plan");
    case Section::Run:
        return tr("Run");
    case Section::View:
        return tr("View");
    case Section::Window:
        return tr("Window");
    case Section::Help:
        return tr("Help");
    }
    return {};
}

} // namespace remat::studio
