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

class KusumotoExact final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "kusumoto-exact",
            "Kusumoto exact",
            "lower sets",
            "The same dynamic program over every lower set of the forward pass: the optimum of its model. Graphs with "
            "parallel branches have too many lower sets; those are counted first. The model knows nothing of "
            "liveness, so that the approximate planner may still be better.",
            "Kusumoto, Inoue, Watanabe, Akiba, Koyama: A Graph Theoretic Framework of Recomputation Algorithms for "
            "Memory-Efficient Backpropagation, NeurIPS 2019, section 4.2",
            kusumotoExactOptions().records(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const KusumotoExactOptions options = kusumotoExactOptions().read(request.options);
        const auto stop = [&] { return context.shouldStop(); };
        using Sets = std::optional<std::vector<kusumoto::NodeSet>>;
        return kusumoto::planLowerSets(
            request, context, options.sets, [&](const kusumoto::ForwardDag &dag) -> Expected<Sets> {
                Sets sets = kusumoto::allLowerSets(dag, static_cast<std::size_t>(options.maxLowerSets), stop);
                if (sets || stop()) return sets;
                return fail("The forward pass of this graph has more than " + formatCount(options.maxLowerSets) +
                            " lower sets, too many to look at each. Take kusumoto-approx, or raise max-lower-sets.");
            });
    }
};

} // namespace

const Planner &kusumoto_exact()
{
    static const KusumotoExact planner;
    return planner;
}

} // namespace remat::planner
