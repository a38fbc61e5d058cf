// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/help/help.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/shell/help/help_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QMainWindow>
#include <QMenu>
#include <QToolTip>

#include <algorithm>

namespace remat::studio {

QString tooltipAt(const QWidget &widget, const QPoint &at)
{
    if (const auto *menu = qobject_cast<const QMenu *>(&widget)) {
        const QAction *action = menu->toolTipsVisible() ? menu->actionAt(at) : nullptr;
        return action ? action->toolTip() : QString();
    }
    const auto *view = qobject_cast<const QAbstractItemView *>(widget.parentWidget());
    if (view && view->viewport() == &widget) return view->indexAt(at).data(Qt::ToolTipRole).toString();
    return widget.toolTip();
}

Help::Help(const FeatureHost &host) : QObject(host.owner)
{
    QAction *action = host.commands.add({QStringLiteral("help"),
                                         Section::Help,
                                         tr("Where things are"),
                                         QStringLiteral("circle-help"),
                                         {Qt::CTRL | Qt::Key_F1},
                                         tr("Lists what the program does, and goes there")});
    const Commands *commands = &host.commands;
    QWidget *window = host.window;
    connect(action, &QAction::triggered, this, [commands, window] {
        auto *help = window->findChild<HelpWindow *>(QString(), Qt::FindDirectChildrenOnly);
        if (!help) {
            help = new HelpWindow(*commands, window);
            help->setAttribute(Qt::WA_DeleteOnClose);
        }
        help->show();
        help->raise();
    });
    qApp->installEventFilter(this);
}

bool Help::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
    auto *widget = static_cast<QWidget *>(watched);
    const auto *help = static_cast<const QHelpEvent *>(event);
    const QString text = tooltipAt(*widget, help->pos()), shown = narrowTooltip(text, kTooltipWidth);
    if (text.isEmpty() || shown == text) return false;
    QToolTip::showText(help->globalPos(), shown, widget);
    return true;
}

QString narrowTooltip(const QString &text, int width)
{
    const QFontMetrics metrics(QToolTip::font());
    const QStringList lines = text.split(QLatin1Char('\n'));
    const bool fits = std::all_of(lines.begin(), lines.end(),
                                  [&](const QString &line) { return metrics.horizontalAdvance(line) <= width; });
    if (fits) return plainTooltip(text);
    return QStringLiteral("<table width=\"%1\"><tr><td>%2</td></tr></table>")
        .arg(width)
        .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br/>")));
}

} // namespace remat::studio
