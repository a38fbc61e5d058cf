// SPDX-License-Identifier: Apache-2.0
// What the run of a plan is compared with: keep-all, where the device has room for it. Nothing of LibTorch.
#pragma once

#include "core/plan/simulator.h"

#include <vector>

namespace remat {

/// One run to compare with, and its predicted peak.
struct Reference {
    ReferenceKind kind = ReferenceKind::KeepAll;
    const std::vector<Step> *steps = nullptr;
    std::int64_t peakBytes = 0; ///< peak of dynamic memory
};

/// The first of keep-all, `another` (may be empty) and `plan` whose predicted peak is at most `roomBytes` (negative:
/// there is room for all); `plan` itself also when it does not fit, which the run then says. Another plan must keep
/// more than the plan, or it shows no more than the plan itself. All are steps of `graph`, and must outlive the result.
Expected<Reference> chooseReference(const Graph &graph, const CostTable &costs, const std::vector<Step> &keepAll,
                                    const std::vector<Step> &another, const std::vector<Step> &plan,
                                    std::int64_t roomBytes);

/// `Keep-all would take 3.20 GiB …, so this is compared with …`: what a person must know of a comparison that is not
/// with keep-all; empty where it is.
std::string referenceSentence(const Reference &reference, std::int64_t keepAllPeakBytes);

} // namespace remat
