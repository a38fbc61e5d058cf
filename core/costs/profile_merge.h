// SPDX-License-Identifier: Apache-2.0
// Several profiles of one model as one.
#pragma once

#include "core/costs/profile_comparison.h"
#include "core/graph/model.h"

namespace remat {

/// What two runs on the same device, with the same versions, measured together: times are pooled per distinct op (see
/// `equalOps` and `pooled`), so that an op that one of them lacks has the time of an equal one; whole steps likewise,
/// the link by the number of steps behind it, clocks as the range of both. Both profiles are of the model's graph.
/// Fails with a sentence where device or versions differ, and where an op was measured in neither.
Expected<Profile> mergeProfiles(const Model &model, const StoredProfile &a, const StoredProfile &b);

} // namespace remat
