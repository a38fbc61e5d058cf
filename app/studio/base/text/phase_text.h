// SPDX-License-Identifier: Apache-2.0
// Phases as the window says them.
#pragma once

#include "core/graph/graph.h"

#include <QCoreApplication>

namespace remat::studio {

inline QString phaseText(Phase phase)
{
    return phase == Phase::Forward ? QCoreApplication::translate("Phase", "forward")
           : phase == Phase::Loss  ? QCoreApplication::translate("Phase", "loss")
                                   : QCoreApplication::translate("Phase", "backward");
}

} // namespace remat::studio
