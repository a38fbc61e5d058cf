// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/plan_chain.h"
#include "solvers/offload/chain_plans.h"

namespace remat::planner {

namespace {

using chain::StageChain;
using offload::Candidates;

struct RotorDiskOptions {
    chain::TableOptions chain{{.stages = 400}}; ///< as Rotor's
    int pagedStages = 100;
};

const OptionTable<RotorDiskOptions> &rotorDiskOptions()
{
    static const OptionTable<RotorDiskOptions> table = {
        chain::tableOptions().in(&RotorDiskOptions::chain),
        numberOption(&RotorDiskOptions::pagedStages, "paged-stages", "Stages with the host", 2, 400, "",
                     "Cuts into at most this many stages are planned with both levels, finer ones as Rotor plans them: "
                     "time grows with the cube of the stages, memory with the square.",
                     true),
    };
    return table;
}

/// Rotor's plans of this chain, then those with the host: as the papers have it, where the computation waits for each
/// copy, and as if it waited for none. How long it does wait is seen when the copies are placed.
Expected<void> offerPlans(const FlatGraph &flat, const StageChain &chain, std::int64_t budgetBytes,
                          const RotorDiskOptions &options, Candidates &candidates, const SolveContext &context)
{
    const std::function<bool()> stop = [&] { return context.shouldStop(); };
    const std::int64_t most = std::min(chain::fullBytes(chain.model), budgetBytes + budgetBytes / 2);
    const chain::ChainTable rotor(chain.model, {most, options.chain.memorySlots, true}, stop);
    const auto offered =
        offload::offerFromTable(flat, chain, offload::Unpaged{rotor}, rotor.memorySlots(), candidates, context);
    if (!offered || chain.model.size() > options.pagedStages) return offered;
    const std::vector<double> hidden(chain.inputs.size(), 0);
    for (const offload::InputCopies &copies : {offload::inputCopies(flat, chain), {hidden, hidden}}) {
        const offload::TwoLevelTable table(chain.model, rotor, copies, stop);
        const auto paged = offload::offerFromTable(flat, chain, table, rotor.memorySlots(), candidates, context,
                                                   offload::offerBothWays);
        if (!paged) return paged;
    }
    return {};
}

Expected<SolveOutcome> planRotorDisk(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "Rotor on two levels"); !usable)
        return tl::unexpected(usable.error());
    const StopCheck stop = [&] { return context.shouldStop(); };
    const RotorDiskOptions options = rotorDiskOptions().read(request.options);
    const Expected<std::vector<std::vector<int>>> labels = chain::stageLabels(flat, options.chain.cut, stop);
    if (!labels) return tl::unexpected(labels.error());
    const std::int64_t keepAllPeakBytes =
        SequenceEvaluator(*request.graph, *request.costs)(toSequence(flat, {})).peakBytes;
    Candidates candidates(flat, request, context, {.onlyThose = true});
    if (keepAllPeakBytes <= request.budgetBytes)
        if (const auto offered = candidates.offer({}, {}); !offered) return tl::unexpected(offered.error());
    for (const std::vector<int> &stages : *labels) {
        const bool least = candidates.best() && candidates.best()->timeUs <= context.boundTimeUs * (1 + 1e-9);
        if (stop() || least) break;
        const StageChain line = chain::makeStageChain(flat, stages, keepAllPeakBytes, chain::plainSource(stop), stop);
        if (const auto offered = offerPlans(flat, line, request.budgetBytes, options, candidates, context); !offered)
            return tl::unexpected(offered.error());
    }
    return candidates.outcome("persistent schedule of this chain on two levels",
                              "Take pofo, where what stages save may leave, too, or raise the budget.");
}

} // namespace

const Planner &rotor_disk()
{
    static const Planner planner = {
        .info =
            {
                .name = "rotor-disk",
                .title = "Rotor on two levels",
                .kind = "chain with offloading",
                .text =
                    "Rotor's dynamic program in which inputs of stages may also wait in host memory, which has room "
                    "for any number; a copy costs time either way. Optimal for chains, up to the rounding of memory to "
                    "slots, among schedules that hold what they keep until it is used and whose computation waits for "
                    "each copy; here copies run beside it, only those are made that the budget asks for, and schedules "
                    "that are best where nothing waits are tried, too. What stages save for their backward part never "
                    "leaves; take pofo where it should. Where the link is slow it is Rotor.",
                .source = "Herrmann, Pallez: H-Revolve: a framework for adjoint computation on synchronous "
                          "hierarchical platforms, ACM TOMS 2020, for the stages of Beaumont, Eyraud-Dubois, Herrmann, "
                          "Joly, Shilova: Optimal checkpointing for heterogeneous chains, 2019 (ACM TOMS 2024)",
                .options = rotorDiskOptions().records(),
                .offloads = true,
            },
        .plan = planRotorDisk,
    };
    return planner;
}

} // namespace remat::planner
