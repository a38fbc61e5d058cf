#include "core/base/units.h"
#include "solvers/kusumoto/plan_lower_sets.h"

namespace remat::planner {

namespace {

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
            [] {
                std::vector<OptionRecord> options = kusumoto::lowerSetOptions();
                options.push_back(integerOption("max-lower-sets", "Most lower sets", 3000, 2, 20000, "",
                                                "Gives up on graphs with more lower sets than that; time and memory "
                                                "grow with the square.",
                                                true));
                return options;
            }(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        if (flat.forwardOps == flat.ops)
            return fail("Lower sets need a graph with a forward and a backward part; this one has no backward ops.");
        const kusumoto::ForwardDag dag = kusumoto::forwardDag(flat, request.options.integer("time-steps"));
        const int most = request.options.integer("max-lower-sets");
        auto sets = kusumoto::allLowerSets(dag, static_cast<std::size_t>(most), [&] { return context.shouldStop(); });
        if (!sets && context.shouldStop()) {
            SolveOutcome outcome;
            outcome.status = SolveStatus::Stopped;
            outcome.message = "Stopped before the lower sets were counted.";
            return outcome;
        }
        if (!sets)
            return fail("The forward pass of this graph has more than " + formatCount(most) +
                        " lower sets, too many to look at each. Take kusumoto-approx, or raise max-lower-sets.");
        return kusumoto::planLowerSets(request, context, flat, dag, std::move(*sets));
    }
};

} // namespace

const Planner &kusumoto_exact()
{
    static const KusumotoExact planner;
    return planner;
}

} // namespace remat::planner
