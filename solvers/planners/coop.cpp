#include "core/base/units.h"
#include "solvers/online/outcome.h"
#include "solvers/online/policies.h"
#include "solvers/online/scores.h"
#include "solvers/solver.h"

namespace remat::planner {

namespace {

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
            {choiceOption("eviction", "Eviction", {"coop", "dte", "dtr"},
                          "What goes when no free piece is large enough: the cheapest window of neighbours (coop), one "
                          "tensor after the other by score, counting free pieces beside it (dte), or not counting them "
                          "(dtr)."),
             flagOption("partition", "Cheap-tensor partitioning", true,
                        "Places what convolutions, matrix products and attention make at one end of memory and the "
                        "rest at the other, so that cheap tensors are neighbours."),
             online::thrashOption(), online::freesOption()},
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        const std::string &eviction = request.options.choice("eviction");
        online::AddressPolicy policy(request.budgetBytes,
                                     eviction == "coop"  ? online::Eviction::Window
                                     : eviction == "dte" ? online::Eviction::SingleWithHoles
                                                         : online::Eviction::Single,
                                     request.options.flag("partition"));
        online::Runtime runtime(flat, policy, request.options.real("thrash-limit"));
        const auto score = online::makeScore("dtr-eq", runtime, context.seed);
        policy.setScore(*score);
        const online::RunEnd end = runtime.run([&] { return context.shouldStop(); });
        SolveOutcome outcome =
            online::toOutcome("Coop", request, runtime, end, request.options.choice("frees") == "earliest");
        if (outcome.plan)
            outcome.message = "Free memory that could not be used because it lay in pieces: " +
                              formatShare(policy.meanFragmentation()) + " on average when something was evicted, " +
                              formatShare(policy.worstFragmentation()) + " at worst.";
        return outcome;
    }
};

} // namespace

const Planner &coop()
{
    static const Coop planner;
    return planner;
}

} // namespace remat::planner
