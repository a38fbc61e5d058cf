// Plans and profiles as text, for files that hold them among other things.
#pragma once

#include "core/costs/profile.h"
#include "core/plan/plan.h"

#include <string_view>

namespace remat {

/// As readPlan() and writePlan(); `title` names the text's place in sentences.
Expected<Plan> parsePlan(std::string_view text, const std::string &title, const Graph &graph);
std::string planText(const Plan &plan, const Graph &graph);

/// As readProfile() and writeProfile(). The profile has one measurement per op.
Expected<Profile> parseProfile(std::string_view text, const std::string &title, const Graph &graph);
std::string profileText(const Profile &profile, const Graph &graph);

} // namespace remat
