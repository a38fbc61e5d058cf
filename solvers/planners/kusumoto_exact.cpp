// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "solvers/kusumoto/plan_lower_sets.h"

namespace remat::planner {

namespace {

struct KusumotoExactOptions {
    kusumoto::LowerSetOptions sets;
    int maxLowerSets = 3000;
};

const OptionTable<KusumotoExactOptions> &kusumotoExactOptions()
{
    using Options = KusumotoExactOptions;
    static const OptionTable<Options> table = {
        kusumoto::lowerSetOptions().in(&Options::sets),
        numberOption(&Options::maxLowerSets, "max-lower-sets", "Most lower sets", 2, 20000, "",
                     "Gives up on graphs with more lower sets than that; time and memory grow with the square.", true),
    };
    return table;
}

Expected<SolveOutcome> planKusumotoExact(const SolveRequest &request, const SolveContext &context)
{
    const KusumotoExactOptions options = kusumotoExactOptions().read(request.options);
    const auto stop = [&] { return context.shouldStop(); };
    using Sets = std::optional<std::vector<kusumoto::NodeSet>>;
    return kusumoto::planLowerSets(
        request, context, options.sets, [&](const kusumoto::ForwardDag &dag) -> Expected<Sets> {
            Sets sets = kusumoto::allLowerSets(dag, static_cast<std::size_t>(options.maxLowerSets), stop);
            if (sets || stop()) return sets;
            return fail("The forward pass of this graph has more than {} lower sets, too many to look at "
                        "each. Take kusumoto-approx, or raise max-lower-sets.",
                        formatCount(options.maxLowerSets));
        });
}

} // namespace

const Planner &kusumoto_exact()
{
    static const Planner planner = {
        .info =
            {
                .name = "kusumoto-exact",
                .title = "Kusumoto exact",
                .kind = "lower sets",
                .text = "The same dynamic program over every lower set of the forward pass: the optimum of its model. "
                        "Graphs with parallel branches have too many lower sets; those are counted first. The model "
                        "knows nothing of liveness, so that the approximate planner may still be better.",
                .source = "Kusumoto, Inoue, Watanabe, Akiba, Koyama: A Graph Theoretic Framework of Recomputation "
                          "Algorithms for Memory-Efficient Backpropagation, NeurIPS 2019, section 4.2",
                .options = kusumotoExactOptions().records(),
            },
        .plan = planKusumotoExact,
    };
    return planner;
}

} // namespace remat::planner
