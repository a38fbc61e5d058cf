// SPDX-License-Identifier: Apache-2.0
// The texts that a widget paints itself, and where: what is no label can be looked up, too.
#pragma once

#include <QRectF>
#include <QString>

#include <vector>

class QWidget;

namespace remat::studio {

/// One piece of text, as it was drawn.
struct PaintedText {
    QString text;
    QRectF rect; ///< in the widget, in logical pixels; around it where the text is turned
};

/// Paints the widget, without its children, onto nothing and notes the texts, in the order in which they are drawn.
/// GUI thread; takes as long as one painting.
std::vector<PaintedText> paintedTexts(QWidget &widget);

} // namespace remat::studio
