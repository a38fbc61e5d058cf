// SPDX-License-Identifier: Apache-2.0
// Any view as a picture: vectors in SVG and PDF, pixels in PNG, from the code that paints the screen.
#pragma once

#include <QImage>
#include <QString>

class QPainter;
class QWidget;

namespace remat::studio {

/// Paints a widget and what lies in it. Plots are painted as plots, never as what a screen cache holds. GUI thread.
void paintView(QWidget &view, QPainter &painter);

/// Twice the pixels of the screen.
QImage pictureOf(QWidget &view);

/// By the suffix of the path: svg, pdf or png. Empty when it was written, else a sentence.
QString writePicture(QWidget &view, const QString &title, const QString &path);

} // namespace remat::studio
