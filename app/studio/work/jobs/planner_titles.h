// SPDX-License-Identifier: Apache-2.0
// Planners in sentences of the engine, by the titles that the window's lists show.
#pragma once

#include <QString>

#include <string>

namespace remat::studio {

/// "Take hiremate, or raise the budget." names a planner as the command line takes it; the window says "Take HiRemate".
QString withPlannerTitles(const std::string &sentence);

} // namespace remat::studio
