// SPDX-License-Identifier: Apache-2.0
// Random training graphs, planned with several budgets.
#pragma once

#include "tests/solvers/solving.h"

namespace remat::test {

/// How many of 60 graphs at three budgets each a planner finds plans for. Fails when a call does, or a plan is over its
/// budget.
inline Expected<int> plansWithinBudget(const std::string &planner)
{
    int plans = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RandomGraphParams params;
        params.joint = true;
        params.ops = 20 + static_cast<int>(seed);
        params.computeOnce = seed % 3 == 0 ? 10 : 0;
        const Case of(randomGraph(seed, params));
        for (const double share : {95.0, 75.0, 60.0}) {
            const Expected<SolveOutcome> outcome = plan(planner, of, of.percent(share));
            if (!outcome) return tl::unexpected(outcome.error());
            if (!outcome->plan) continue;
            ++plans;
            if (outcome->plan->predicted.peakBytes > of.percent(share))
                return fail("Graph " + std::to_string(seed) + " at " + std::to_string(share) +
                            " % is over its budget.");
        }
    }
    return plans;
}

} // namespace remat::test
