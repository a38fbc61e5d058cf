// SPDX-License-Identifier: Apache-2.0
// Where docks are and how large, as plain numbers in a session file. Qt's own bytes of it (`QMainWindow::saveState`)
// stay in this person's settings: read from a file that somebody changed, they end in a crash.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QRect>

class QDockWidget;
class QMainWindow;

namespace remat::studio {

/// x, y, width, height on the desktop.
QJsonArray savePlace(const QRect &place);
/// Empty where it is no place that can be seen on this desktop. Never larger than the screen it is on, or than `least`
/// where that is larger.
QRect readPlace(const QJsonArray &numbers, QSize least = {});

/// For each dock by its object name: `area`, `shown`, `size` (across its area, pixels), and `floating` (x, y, width,
/// height on the desktop) where it is out of the window.
QJsonObject saveDocks(const QMainWindow &window, const QList<QDockWidget *> &docks);

/// What is missing, unknown or beyond reason stays as it is.
void restoreDocks(QMainWindow &window, const QList<QDockWidget *> &docks, const QJsonObject &layout);

} // namespace remat::studio
