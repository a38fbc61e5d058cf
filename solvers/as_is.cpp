#include "solvers/as_is.h"

#include "core/io/own_checkpoints.h"
#include "core/plan/own_sequence.h"
#include "core/plan/simulator.h"
#include "solvers/solver.h"

#include <utility>
#include <vector>

namespace remat {

namespace {

/// Not among the planners: it knows neither budget nor options, and only traces of such models have its plan.
class AsIs final : public Planner
{
public:
    explicit AsIs(std::vector<OpId> sequence) : m_sequence(std::move(sequence)) {}

    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {"as-is",
                                         kAsIsTitle,
                                         "no planning",
                                         "What the model's own checkpointing does without a plan.",
                                         "torch.utils.checkpoint without reentrant autograd",
                                         {},
                                         false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &) const override
    {
        SolveOutcome outcome;
        outcome.status = SolveStatus::Feasible;
        outcome.plan.emplace().steps = withEarliestFrees(*request.graph, m_sequence);
        return outcome;
    }

private:
    std::vector<OpId> m_sequence;
};

} // namespace

Expected<std::shared_ptr<const Plan>> planAsIs(const Model &model, const CostTable &costs)
{
    const Expected<std::vector<int>> parts = readOwnCheckpoints(model);
    if (!parts) return tl::unexpected(parts.error());
    if (parts->empty()) return nullptr;
    std::vector<OpId> sequence = ownSequence(model.graph, *parts);
    SolveRequest request;
    request.graph = &model.graph;
    request.costs = &costs;
    // What it takes is what it may take: the plan is no answer to a budget.
    request.budgetBytes = sequenceCost(model.graph, costs, sequence).peakBytes;
    Expected<SolveOutcome> outcome = solve(AsIs(std::move(sequence)), request, {});
    if (!outcome) return tl::unexpected(outcome.error());
    if (!outcome->plan) return fail(outcome->message);
    return std::make_shared<const Plan>(*std::move(outcome->plan));
}

} // namespace remat
