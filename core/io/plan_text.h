// SPDX-License-Identifier: Apache-2.0
// Plans and profiles as text, for files that hold them among other things.
#pragma once

#include "core/costs/profile.h"
#include "core/graph/chunking.h"
#include "core/plan/plan.h"

#include <string_view>

namespace remat {

/// As readPlan() and writePlan(); `title` names the text's place in sentences. Of a graph in chunks `from` says what it
/// was made from: the text is `remat-plan/2` then, and fits where it has the same chunks of the same graph.
Expected<Plan> parsePlan(std::string_view text, const std::string &title, const Graph &graph,
                         const ChunkedFrom &from = {});
std::string planText(const Plan &plan, const Graph &graph, const ChunkedFrom &from = {});

/// As readProfile() and writeProfile(). The profile has one measurement per op.
Expected<Profile> parseProfile(std::string_view text, const std::string &title, const Graph &graph);
std::string profileText(const Profile &profile, const Graph &graph);

} // namespace remat
