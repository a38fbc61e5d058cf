// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/plan_chain.h"
#include "solvers/offload/chain_plans.h"

namespace remat::planner {

namespace {

using chain::StageChain;
using offload::Candidates;

enum class Heuristic { Both, Greedy, Program };

struct ChainOffloadOptions {
    chain::StageOptions cut;
    Heuristic heuristic = Heuristic::Both;
    int memorySlots = 100;
};

const OptionTable<ChainOffloadOptions> &chainOffloadOptions()
{
    using Options = ChainOffloadOptions;
    static const OptionTable<Options> table = {
        chain::stageOptions().in(&Options::cut),
        choiceOption(&Options::heuristic, "heuristic", "Heuristic",
                     {{"both", Heuristic::Both}, {"greedy", Heuristic::Greedy}, {"program", Heuristic::Program}},
                     "Which activations leave: the first ones, as many as have to (greedy); those with which the "
                     "computation waits least, by a dynamic program (program); or whichever gives the faster plan."),
        numberOption(&Options::memorySlots, "slots", "Memory slots", 10, 400, "",
                     "Into how many equal parts the dynamic program divides memory and what is on its way; time grows "
                     "with the square.",
                     true),
    };
    return table;
}

/// The fewest of the first stages whose plan fits when what they keep may leave.
Expected<void> offerGreedy(const FlatGraph &flat, const StageChain &chain, Candidates &candidates,
                           const SolveContext &context)
{
    for (int count = 0; count < chain.model.size() && !context.shouldStop(); ++count) {
        const offload::PagedSchedule paged = offload::firstLeave(chain.model, count);
        if (const auto offered = offload::offerSchedule(flat, chain, paged, candidates, context); !offered)
            return offered;
        if (candidates.lastFits()) break;
    }
    return {};
}

/// POFO's program where stages save everything and nothing is computed again: its extra time is that of waits.
Expected<void> offerProgram(const FlatGraph &flat, const StageChain &chain, std::int64_t budgetBytes, int memorySlots,
                            Candidates &candidates, const SolveContext &context)
{
    const std::function<bool()> stop = [&] { return context.shouldStop(); };
    const chain::ChainModel model = chain::savingAll(chain.model);
    const std::int64_t most = std::min(chain::fullBytes(model), budgetBytes + budgetBytes / 2);
    const chain::ChainTable inner(model, {most, memorySlots, false}, stop);
    const offload::PagingTable table(model, inner, offload::linkOf(flat, chain), stop);
    return offload::offerFromTable(flat, chain, table, inner.memorySlots(), candidates, context);
}

Expected<SolveOutcome> planChainOffload(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "Chain offload"); !usable)
        return tl::unexpected(usable.error());
    const StopCheck stop = [&] { return context.shouldStop(); };
    const ChainOffloadOptions options = chainOffloadOptions().read(request.options);
    const Expected<std::vector<std::vector<int>>> labels = chain::stageLabels(flat, options.cut, stop);
    if (!labels) return tl::unexpected(labels.error());
    const double keepAllUs = keepAllTimeUs(*request.costs);
    const std::int64_t keepAllPeakBytes =
        SequenceEvaluator(*request.graph, *request.costs)(toSequence(flat, {})).peakBytes;
    Candidates candidates(flat, request, context, {.onlyThose = true});
    for (const std::vector<int> &stages : *labels) {
        const bool least = candidates.best() && candidates.best()->timeUs <= keepAllUs * (1 + 1e-9);
        if (stop() || least) break;
        const StageChain chain = chain::makeStageChain(flat, stages, keepAllPeakBytes, chain::plainSource(stop), stop);
        Expected<void> offered;
        if (options.heuristic != Heuristic::Program) offered = offerGreedy(flat, chain, candidates, context);
        if (offered && options.heuristic != Heuristic::Greedy)
            offered = offerProgram(flat, chain, request.budgetBytes, options.memorySlots, candidates, context);
        if (!offered) return tl::unexpected(offered.error());
    }
    return candidates.outcome("choice of activations", "Take offload-greedy-star, where gradients may leave too, "
                                                       "or pofo, which also recomputes, or raise the budget.");
}

} // namespace

const Planner &offload_chain()
{
    static const Planner planner = {
        .info =
            {
                .name = "offload-chain",
                .title = "Chain offload",
                .kind = "offloading",
                .text =
                    "Computes every op once and offloads activations of a chain of stages, chosen by two heuristics: "
                    "the first ones, as many as have to, which is optimal where activations can be split; and a "
                    "dynamic program over stages, memory and what is still on its way, for activations that leave "
                    "whole. Made for chains; other graphs are merged into one. Nothing but activations leaves.",
                .source = "Beaumont, Eyraud-Dubois, Shilova: Optimal GPU-CPU Offloading Strategies for Deep Neural "
                          "Network Training, Euro-Par 2020",
                .options = chainOffloadOptions().records(),
                .offloads = true,
            },
        .plan = planChainOffload,
    };
    return planner;
}

} // namespace remat::planner
