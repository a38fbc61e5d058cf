#include "solvers/kusumoto/plan_lower_sets.h"

namespace remat::planner {

namespace {

class KusumotoApprox final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "kusumoto-approx",
            "Kusumoto approximate",
            "lower sets",
            "Cuts the forward pass into segments between growing lower sets and keeps what crosses their borders; a "
            "dynamic program finds the sets. Looks only at the lower sets that one op and all it depends on make, so "
            "that there are no more of them than ops. Works on any graph with a backward part.",
            "Kusumoto, Inoue, Watanabe, Akiba, Koyama: A Graph Theoretic Framework of Recomputation Algorithms for "
            "Memory-Efficient Backpropagation, NeurIPS 2019, section 4.3",
            kusumoto::lowerSetOptions().records(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        return kusumoto::planLowerSets(request, context, kusumoto::lowerSetOptions().read(request.options),
                                       [](const kusumoto::ForwardDag &dag) { return kusumoto::closures(dag); });
    }
};

} // namespace

const Planner &kusumoto_approx()
{
    static const KusumotoApprox planner;
    return planner;
}

} // namespace remat::planner
