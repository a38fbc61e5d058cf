// SPDX-License-Identifier: Apache-2.0
// What mouse and keys do in each view besides the commands: the one place where that is written down.
#pragma once

#include <QString>

#include <vector>

namespace remat::studio {

struct Gesture {
    QString what; ///< `Zoom at the mouse`
    QString keys; ///< `Ctrl+Wheel`
};

/// The gestures of one view.
struct GestureGroup {
    QString view;    ///< its title
    QString command; ///< id of the command that shows it; a window without that has no such view
    std::vector<Gesture> gestures;
};

/// Gestures of all views, the graph first. The key sheet shows them as they stand.
std::vector<GestureGroup> gestureGroups();

} // namespace remat::studio
