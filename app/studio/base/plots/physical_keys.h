// SPDX-License-Identifier: Apache-2.0
// W, A, S and D where they are on the keyboard, whatever letters stand there.
#pragma once

#include <QKeyEvent>

namespace remat::studio {

/// The letter that stands on this key of a QWERTY keyboard, of W, A, S and D; else the event's own key.
inline int walkingKey(const QKeyEvent &event)
{
    // Codes of X11 and Wayland; other platforms, and tests, give none or others and keep their letters.
    const bool linux = event.nativeVirtualKey() != 0;
    switch (linux ? event.nativeScanCode() : 0) {
    case 25:
        return Qt::Key_W;
    case 38:
        return Qt::Key_A;
    case 39:
        return Qt::Key_S;
    case 40:
        return Qt::Key_D;
    default:
        return event.key();
    }
}

} // namespace remat::studio
