#include "solvers/online/outcome.h"

#include "core/base/memory_units.h"

namespace remat::online {

SolveOutcome toOutcome(const std::string &who, const SolveRequest &request, const Runtime &runtime, RunEnd end,
                       bool earliest)
{
    SolveOutcome outcome;
    if (end == RunEnd::Done) {
        outcome.status = SolveStatus::Feasible;
        Plan plan;
        plan.steps = runtime.steps();
        if (earliest)
            plan.steps =
                withEarliestFrees(*request.graph, dropUselessRecomputes(*request.graph, computeSequence(plan)));
        outcome.plan = std::move(plan);
        return outcome;
    }
    outcome.status = end == RunEnd::Stopped ? SolveStatus::Stopped : SolveStatus::Infeasible;
    const std::string where = runtime.failedOp() >= 0 ? request.graph->ops[runtime.failedOp()].name : std::string();
    const std::string budget = formatMemory(request.budgetBytes);
    if (end == RunEnd::Stopped) {
        outcome.message = who + " was stopped at " + where + ".";
    } else if (end == RunEnd::OutOfMemory) {
        outcome.message = who + " runs out of memory at " + where + " with " + budget +
                          ": nothing that is left may be evicted. It looks at no budget but this one; a smaller or a "
                          "larger one may work.";
    } else {
        outcome.message = who + " thrashes with " + budget + ": at " + where +
                          " it has spent more time on recomputation than thrash-limit allows. Raise the limit or the "
                          "budget.";
    }
    return outcome;
}

OptionTable<RunOptions> runOptions()
{
    return {
        numberOption(&RunOptions::thrashLimit, "thrash-limit", "Thrash limit", 0.01, 1000, "",
                     "Gives up once recomputation has taken this many times the time of keep-all. The authors' "
                     "simulator takes 1, that is twice the time in all."),
        choiceOption(&RunOptions::earliestFrees, "frees", "Frees", {{"as run", false}, {"earliest", true}},
                     "Frees storages when the policy did, so that memory fills up to the budget (as run), or as early "
                     "as possible, without recomputations that turned out useless (earliest)."),
    };
}

} // namespace remat::online
