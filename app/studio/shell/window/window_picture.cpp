// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/window_picture.h"

#include "app/studio/base/style/theme.h"

#include <QApplication>
#include <QPainter>
#include <QWidget>

namespace remat::studio {

namespace {

bool belongsTo(const QWidget &widget, const QWidget &window)
{
    for (const QWidget *each = widget.parentWidget(); each; each = each->parentWidget())
        if (each == &window) return true;
    return false;
}

} // namespace

QPixmap windowPicture(QWidget &window)
{
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        if (!widget->isVisible() || widget->windowType() == Qt::ToolTip || !belongsTo(*widget, window)) continue;
        QRect place(window.mapFromGlobal(widget->mapToGlobal(QPoint(0, 0))), widget->size());
        if (widget->isModal()) place.moveCenter(window.rect().center()); // where window managers put what is in the way
        painter.drawPixmap(place.topLeft(), widget->grab());
        painter.setPen(Theme::instance().color(Token::LineStrong));
        if (widget->windowType() != Qt::Popup) painter.drawRect(place.adjusted(-1, -1, 0, 0));
    }
    return picture;
}

} // namespace remat::studio
