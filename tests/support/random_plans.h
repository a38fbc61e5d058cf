// SPDX-License-Identifier: Apache-2.0
// Random plans, valid and broken ones, for setting judges against each other.
#pragma once

#include "core/plan/plan.h"
#include "tests/support/random.h"

namespace remat::test {

/// A valid plan: computes every op, first computations in graph order, with recomputations nobody asked for, storages
/// made again while they are held, frees early and late, offloads and prefetches. Planned parameters begin on the
/// device or in host memory.
std::vector<Step> randomValidPlan(const Graph &graph, Random &random);

/// The plan with one thing changed: a step left out, doubled, moved, swapped with another, or aimed at another op or
/// storage. It may or may not still be valid.
std::vector<Step> mutatedPlan(const Graph &graph, std::vector<Step> steps, Random &random);

} // namespace remat::test
