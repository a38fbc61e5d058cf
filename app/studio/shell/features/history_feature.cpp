// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/history_feature.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/features/history_popup.h"
#include "app/studio/shell/workspace/tool_row.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/session.h"

#include <QMainWindow>
#include <QUndoView>

namespace remat::studio {

HistoryFeature::HistoryFeature(const FeatureHost &host)
    : QObject(host.owner), m_window(host.window), m_history(host.session), m_trail(host.session)
{
    host.pages.setHistory(&m_history, &m_trail);
    addCommands(host);
    for (QAction *action : {m_undo, m_redo, m_list})
        m_button = host.tools.addTo(ToolRow::Place::File, action);
    QUndoGroup *group = m_history.group();
    connect(group, &QUndoGroup::indexChanged, this, &HistoryFeature::showTexts);
    connect(&m_trail, &ViewTrail::changed, this, &HistoryFeature::showTexts);
    connect(m_undo, &QAction::triggered, group, &QUndoGroup::undo);
    connect(m_redo, &QAction::triggered, group, &QUndoGroup::redo);
    connect(m_list, &QAction::triggered, this, &HistoryFeature::popUp);
    connect(m_back, &QAction::triggered, this, [this] { m_trail.go(-1); });
    connect(m_forward, &QAction::triggered, this, [this] { m_trail.go(1); });
    showTexts();
}

void HistoryFeature::addCommands(const FeatureHost &host)
{
    Commands &all = host.commands;
    m_undo = all.add({QStringLiteral("undo"),
                      Section::Edit,
                      tr("Undo"),
                      QStringLiteral("undo-2"),
                      {Qt::CTRL | Qt::Key_Z},
                      tr("Takes back the last change")});
    m_redo = all.add({QStringLiteral("redo"),
                      Section::Edit,
                      tr("Redo"),
                      QStringLiteral("redo-2"),
                      {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y},
                      tr("Makes the change again")});
    m_list = all.add({QStringLiteral("history"),
                      Section::Edit,
                      tr("History"),
                      QStringLiteral("history"),
                      {Qt::CTRL | Qt::ALT | Qt::Key_Z},
                      tr("Lists what was done, to go to any point of it")});
    m_back = all.add({QStringLiteral("viewBack"),
                      Section::View,
                      tr("Back"),
                      {},
                      {Qt::ALT | Qt::Key_Left},
                      tr("Shows what was looked at before; budget and plans stay")});
    m_forward = all.add({QStringLiteral("viewForward"),
                         Section::View,
                         tr("Forward"),
                         {},
                         {Qt::ALT | Qt::Key_Right},
                         tr("Shows what was looked at afterwards")});
}

void HistoryFeature::showTexts()
{
    const QUndoStack &stack = *m_history.stack();
    const auto show = [](QAction *action, const QString &text, const QString &otherwise, bool enabled) {
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(QStringLiteral("%1 (%2)").arg(enabled ? text : otherwise, key));
        action->setEnabled(enabled);
    };
    show(m_undo, tr("Undo: %1").arg(stack.undoText()), tr("Nothing to undo"), stack.canUndo());
    show(m_redo, tr("Redo: %1").arg(stack.redoText()), tr("Nothing to redo"), stack.canRedo());
    m_back->setEnabled(m_trail.canGo(-1));
    m_forward->setEnabled(m_trail.canGo(1));
}

void HistoryFeature::popUp()
{
    auto *popup = new HistoryPopup(m_history.stack(), m_window);
    const QPoint below = m_button ? m_button->mapToGlobal(QPoint(0, m_button->height() + 4)) : m_window->pos();
    popup->move(below);
    popup->show();
    popup->setFocus();
}

} // namespace remat::studio
