#include "core/base/units.h"
#include "solvers/online/outcome.h"
#include "solvers/online/policies.h"
#include "solvers/online/scores.h"
#include "solvers/solver.h"

namespace remat::planner {

namespace {

using online::Eviction;

struct CoopOptions {
    Eviction eviction = Eviction::Window;
    bool partition = true;
    int iterations = 1;
    online::RunOptions run;
};

const OptionTable<CoopOptions> &coopOptions()
{
    static const OptionTable<CoopOptions> table = {
        choiceOption(
            &CoopOptions::eviction, "eviction", "Eviction",
            {{"coop", Eviction::Window}, {"dte", Eviction::SingleWithHoles}, {"dtr", Eviction::Single}},
            "What goes when no free piece is large enough: the cheapest window of neighbours (coop), one tensor after "
            "the other by score, counting free pieces beside it (dte), or not counting them (dtr)."),
        flagOption(&CoopOptions::partition, "partition", "Cheap-tensor partitioning",
                   "Places what convolutions, matrix products and attention make at one end of memory and the rest at "
                   "the other, so that cheap tensors are neighbours. Coop alone does; the others take the smallest "
                   "piece that is large enough."),
        numberOption(&CoopOptions::iterations, "iterations", "Iterations", 1, 100, "",
                     "Training steps that are run one after the other over the same addresses; the plan is the last "
                     "one's. From the second on the outputs of the step before, gradients above all, hold their "
                     "places until they are made again: in place with coop, beside the old ones with the others.",
                     true),
        online::runOptions().in(&CoopOptions::run),
    };
    return table;
}

class Coop final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "coop",
            "Coop",
            "online, addresses",
            "As DTR, but memory is a row of addresses as an allocator sees it: to make room, the cheapest run of "
            "neighbouring tensors goes, so that what is freed is one piece. Reports how much memory was free but in "
            "pieces too small. DTR and DTE can be run on the same addresses for comparison.",
            "Zhang et al.: Coop: Memory is not a Commodity, NeurIPS 2023",
            coopOptions().records(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        const CoopOptions options = coopOptions().read(request.options);
        return online::withNeighbours(request, context, options.run.neighbours, [&](std::int64_t budgetBytes) {
            online::AddressPolicy policy(budgetBytes, options.eviction, options.partition);
            SolveOutcome outcome;
            for (int iteration = 0; iteration < options.iterations; ++iteration) {
                if (iteration > 0) policy.keepOutputs();
                online::Runtime runtime(flat, policy, options.run.thrashLimit);
                const auto score = online::makeScore(online::ScoreKind::DtrEq, runtime, context.seed);
                policy.setScore(*score);
                const online::RunEnd end = runtime.run([&] { return context.shouldStop(); });
                outcome = online::toOutcome("Coop", request, runtime, end, options.run.earliestFrees);
                if (!outcome.plan) return outcome;
            }
            outcome.message = "Free memory that could not be used because it lay in pieces: " +
                              formatShare(policy.meanFragmentation()) + " on average when something was evicted, " +
                              formatShare(policy.worstFragmentation()) + " at worst.";
            return outcome;
        });
    }
};

} // namespace

const Planner &coop()
{
    static const Coop planner;
    return planner;
}

} // namespace remat::planner
