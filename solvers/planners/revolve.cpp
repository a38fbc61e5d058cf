#include "solvers/chain/revolve.h"
#include "solvers/chain/plan_chain.h"

namespace remat::planner {

namespace {

struct RevolveOptions {
    chain::StageOptions cut;
    int snapshots = 0;
};

const OptionTable<RevolveOptions> &revolveOptions()
{
    static const OptionTable<RevolveOptions> table = {
        chain::stageOptions().in(&RevolveOptions::cut),
        numberOption(&RevolveOptions::snapshots, "snapshots", "Snapshots", 0, 400, "",
                     "How many inputs of stages are held at once, that of the first stage included; 0 takes the most "
                     "that fit."),
    };
    return table;
}

class Revolve final : public Planner
{
public:
    const PlannerInfo &info() const override
    {
        static const PlannerInfo info = {
            "revolve",
            "Revolve",
            "checkpointing",
            "Binomial checkpointing: merges the graph into a chain of stages, takes them as equal, and holds inputs of "
            "stages only, placed so that the fewest stages are computed again. Optimal for uniform chains that keep "
            "nothing else; takes the largest number of snapshots whose plan fits.",
            "Griewank, Walther: Algorithm 799: Revolve, ACM TOMS 2000",
            revolveOptions().records(),
            false};
        return info;
    }

    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        const FlatGraph flat = flatten(*request.graph, *request.costs);
        if (const Expected<void> usable = chain::needBackward(flat, "Revolve"); !usable)
            return tl::unexpected(usable.error());
        const StopCheck stop = [&] { return context.shouldStop(); };
        const RevolveOptions options = revolveOptions().read(request.options);
        const Expected<std::vector<std::vector<int>>> labels = chain::stageLabels(flat, options.cut, stop);
        if (!labels) return tl::unexpected(labels.error());

        SequenceEvaluator evaluator(*request.graph, *request.costs);
        const std::int64_t keepAllPeakBytes = evaluator(toSequence(flat, {})).peakBytes;
        Incumbent incumbent(flat, context, request.budgetBytes);
        const int wanted = options.snapshots;
        for (const std::vector<int> &stages : *labels) {
            const chain::StageChain line =
                chain::makeStageChain(flat, stages, keepAllPeakBytes, chain::plainSource(stop), stop);
            const int most = wanted > 0 ? std::min(wanted, line.model.size()) : line.model.size();
            const int least = wanted > 0 ? most : 1;
            incumbent.setActivity("Plans");
            for (int snapshots = most; snapshots >= least && !context.shouldStop(); --snapshots) {
                const chain::ChainSchedule schedule = chain::revolveSchedule(line.model, snapshots);
                const SequenceCost cost =
                    incumbent.offer(translate(flat, chain::choiceOf(flat, line, schedule), context));
                if (cost.peakBytes <= request.budgetBytes) break;
            }
        }
        return chain::outcomeOf(incumbent, request, context, "number of snapshots");
    }
};

} // namespace

const Planner &revolve()
{
    static const Revolve planner;
    return planner;
}

} // namespace remat::planner
