#include "app/studio/help/help.h"

#include "app/studio/help/help_window.h"
#include "app/studio/window/commands.h"

#include <QApplication>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QMainWindow>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>

namespace remat::studio {

Help::Help(const FeatureHost &host) : QObject(host.window)
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
    const QString text = widget->toolTip(), shown = narrowTooltip(text, kTooltipWidth);
    if (text.isEmpty() || shown == text) return false;
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), shown, widget);
    return true;
}

QString narrowTooltip(const QString &text, int width)
{
    if (Qt::mightBeRichText(text)) return text;
    const QFontMetrics metrics(QToolTip::font());
    const QStringList lines = text.split(QLatin1Char('\n'));
    const bool fits = std::all_of(lines.begin(), lines.end(),
                                  [&](const QString &line) { return metrics.horizontalAdvance(line) <= width; });
    if (fits) return text;
    return QStringLiteral("<table width=\"%1\"><tr><td>%2</td></tr></table>")
        .arg(width)
        .arg(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br/>")));
}

} // namespace remat::studio
