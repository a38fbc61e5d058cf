#include "solvers/online/outcome.h"
#include "solvers/online/policies.h"
#include "solvers/online/scores.h"
#include "solvers/solver.h"

namespace remat::planner {

namespace {

class Dtr final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "dtr",
            "DTR",
            "online",
            "Runs the training step as an eager framework would, and whenever memory runs out evicts what scores "
            "lowest; "
            "what is read again is computed again. Knows nothing of what is still to come, so it is quick, far from "
            "the "
            "best, and may fail at a budget although it works at a smaller one.",
            "Kirisame et al.: Dynamic Tensor Rematerialization, ICLR 2021",
            {choiceOption("score", "Score", online::scoreNames(),
                          "What is evicted first: least time to bring back with all its evicted neighbourhood per byte "
                          "and staleness (dtr), the same with the neighbourhood approximated by classes (dtr-eq), "
                          "without it (local), with ancestors only and without staleness (msps), what was read longest "
                          "ago (lru), the largest (size), or any (random)."),
             online::thrashOption(), online::freesOption()},
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        online::CountingPolicy policy(request.budgetBytes);
        online::Runtime runtime(flat, policy, request.options.real("thrash-limit"));
        const auto score = online::makeScore(request.options.choice("score"), runtime, context.seed);
        policy.setScore(*score);
        const online::RunEnd end = runtime.run([&] { return context.shouldStop(); });
        return online::toOutcome("DTR", request, runtime, end, request.options.choice("frees") == "earliest");
    }
};

} // namespace

const Planner &dtr()
{
    static const Dtr planner;
    return planner;
}

} // namespace remat::planner
