// SPDX-License-Identifier: Apache-2.0
// `--device here`: the costs of the machine in front of the user, measured where they are not known yet.
#pragma once

#include "core/costs/profile.h"
#include "core/graph/model.h"
#include "core/plan/plan.h"

#include <optional>

namespace remat::cli {

constexpr const char *kHere = "here";

/// The model's profile on this machine. Ops that this machine has not run before are measured first, in a few steps of
/// keep-all, and remembered; standard error says so. Fails where nothing can be run, and for graphs as JSON.
Expected<Profile> profileHere(const Model &model);

/// The same where everything is remembered of a device of that title; none otherwise. Runs nothing.
std::optional<Profile> profileRemembered(const Model &model, const std::string &deviceTitle);

/// Remembers what a run of all ops, or of a plan's steps, has measured. `model` is the trace that was run; ops of the
/// plan's graph that it does not have are passed over. Says on standard error when it cannot be written.
void rememberProfile(const Model &model, const Profile &profile);
void rememberRun(const Model &model, const Graph &graph, const std::vector<Step> &steps,
                 const ValidationRecord &record);

} // namespace remat::cli
