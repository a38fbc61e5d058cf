// SPDX-License-Identifier: Apache-2.0
#include "solvers/kusumoto/plan_lower_sets.h"

namespace remat::planner {

namespace {

Expected<SolveOutcome> planKusumotoApprox(const SolveRequest &request, const SolveContext &context)
{
    return kusumoto::planLowerSets(request, context, kusumoto::lowerSetOptions().read(request.options),
                                   [](const kusumoto::ForwardDag &dag) { return kusumoto::closures(dag); });
}

} // namespace

const Planner &kusumoto_approx()
{
    static const Planner planner = {
        .info =
            {
                .name = "kusumoto-approx",
                .title = "Kusumoto approximate",
                .kind = "lower sets",
                .text = "Cuts the forward pass into segments between growing lower sets and keeps what crosses their "
                        "borders; a dynamic program finds the sets. Looks only at the lower sets that one op and all "
                        "it depends on make, so that there are no more of them than ops. Works on any graph with a "
                        "backward part.",
                .source = "Kusumoto, Inoue, Watanabe, Akiba, Koyama: A Graph Theoretic Framework of Recomputation "
                          "Algorithms for Memory-Efficient Backpropagation, NeurIPS 2019, section 4.3",
                .options = kusumoto::lowerSetOptions().records(),
            },
        .plan = planKusumotoApprox,
    };
    return planner;
}

} // namespace remat::planner
