// SPDX-License-Identifier: Apache-2.0
// Lanes of a plan in the window's words.
#pragma once

#include "core/views/plan_lanes.h"

#include <QCoreApplication>

namespace remat::studio {

inline QString laneText(Lane lane)
{
    switch (lane) {
    case Lane::Compute:
        return QCoreApplication::translate("Lane", "Compute");
    case Lane::Recompute:
        return QCoreApplication::translate("Lane", "Recompute");
    case Lane::CopyIn:
        return QCoreApplication::translate("Lane", "Copy in");
    case Lane::Host:
        return QCoreApplication::translate("Lane", "Host");
    case Lane::CopyOut:
        break;
    }
    return QCoreApplication::translate("Lane", "Copy out");
}

} // namespace remat::studio
