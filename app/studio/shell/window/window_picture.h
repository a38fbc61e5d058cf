// SPDX-License-Identifier: Apache-2.0
// A window as a picture, with what floats over it.
#pragma once

#include <QPixmap>

class QWidget;

namespace remat::studio {

/// The window's own pixels, and over them the menus, popups and dialogs that belong to it, where they stand. GUI
/// thread.
QPixmap windowPicture(QWidget &window);

} // namespace remat::studio
