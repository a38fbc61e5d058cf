// SPDX-License-Identifier: Apache-2.0
// What a plan does with values, in the window's words.
#pragma once

#include "core/views/graph_figures.h"

#include <QCoreApplication>

namespace remat::studio {

inline QString stateText(NodeState state)
{
    switch (state) {
    case NodeState::Kept:
        return QCoreApplication::translate("NodeState", "Kept");
    case NodeState::Recomputed:
        return QCoreApplication::translate("NodeState", "Recomputed");
    case NodeState::Offloaded:
        return QCoreApplication::translate("NodeState", "Offloaded");
    case NodeState::Mixed:
        return QCoreApplication::translate("NodeState", "Mixed");
    case NodeState::Freed:
        return QCoreApplication::translate("NodeState", "Freed");
    case NodeState::Backward:
        return QCoreApplication::translate("NodeState", "Backward");
    }
    return {};
}

} // namespace remat::studio
