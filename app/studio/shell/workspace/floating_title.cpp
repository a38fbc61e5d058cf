// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/floating_title.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QDockWidget>
#include <QEvent>
#include <QPainter>

namespace remat::studio {

FloatingTitle::FloatingTitle(QDockWidget *dock) : DockHeader(QStringLiteral("external-link"), dock->windowTitle(), dock)
{
    auto *back = new StudioButton(tr("Put back"), QStringLiteral("minimize"), ButtonKind::Quiet, this);
    back->setObjectName(QStringLiteral("putBack"));
    back->setToolTip(tr("Puts the panel back into the window"));
    back->setFixedHeight(26);
    addButton(back);
    dock->installEventFilter(this);
    // Putting it back replaces this title, so that happens once the click has ended.
    connect(
        back, &QAbstractButton::clicked, dock, [dock] { dock->setFloating(false); }, Qt::QueuedConnection);
}

bool FloatingTitle::eventFilter(QObject *watched, QEvent *event)
{
    // Qt leaves the edge of a window with a title of its own bare.
    if (event->type() == QEvent::Paint && watched == parentWidget()) {
        QPainter painter(parentWidget());
        painter.setPen(Theme::instance().color(Token::LineStrong));
        painter.drawRect(parentWidget()->rect().adjusted(0, 0, -1, -1));
    }
    return DockHeader::eventFilter(watched, event);
}

} // namespace remat::studio
