// SPDX-License-Identifier: Apache-2.0
#include "core/plan/sequence_evaluator.h"
#include "solvers/chain/plan_chain.h"
#include "solvers/offload/chain_plans.h"
#include "solvers/offload/parameters.h"

namespace remat::planner {

namespace {

using chain::StageChain;
using offload::Candidates;

struct PofoOptions {
    chain::StageOptions cut;
    int memorySlots = 100;
    ParameterOptions parameters;
};

const OptionTable<PofoOptions> &pofoOptions()
{
    static const OptionTable<PofoOptions> table = {
        chain::stageOptions().in(&PofoOptions::cut),
        numberOption(&PofoOptions::memorySlots, "slots", "Memory slots", 10, 400, "",
                     "Into how many equal parts the dynamic program divides memory and what is on its way; time grows "
                     "with the square.",
                     true),
        parametersOption().in(&PofoOptions::parameters),
    };
    return table;
}

/// Plans of this chain, with the link and without, when it may hold `budgetBytes`.
Expected<void> offerPlans(const FlatGraph &flat, const StageChain &chain, std::int64_t budgetBytes, int memorySlots,
                          Candidates &candidates, const SolveContext &context)
{
    const std::function<bool()> stop = [&] { return context.shouldStop(); };
    const std::int64_t most = std::min(chain::fullBytes(chain.model), budgetBytes + budgetBytes / 2);
    const chain::ChainTable inner(chain.model, {most, memorySlots, true}, stop);
    const offload::PagingTable paging(chain.model, inner, offload::linkOf(flat, chain), stop);
    const auto offered = offload::offerFromTable(flat, chain, paging, inner.memorySlots(), candidates, context);
    if (!offered) return offered;
    // Without the link memory can be divided more finely.
    const chain::ChainTable rotor(chain.model, {most, chain::TableSettings().memorySlots, true}, stop);
    return offload::offerFromTable(flat, chain, offload::Unpaged{rotor}, rotor.memorySlots(), candidates, context);
}

Expected<SolveOutcome> planPofo(const SolveRequest &request, const SolveContext &context)
{
    // The dynamic program knows nothing of parameters: it plans what they leave, and they move op by op.
    const Graph bare = offload::withResidentParameters(*request.graph);
    const FlatGraph flat = flatten(bare, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "POFO"); !usable) return tl::unexpected(usable.error());
    const StopCheck stop = [&] { return context.shouldStop(); };
    const PofoOptions options = pofoOptions().read(request.options);
    const Expected<std::vector<std::vector<int>>> labels = chain::stageLabels(flat, options.cut, stop);
    if (!labels) return tl::unexpected(labels.error());
    const std::int64_t keepAllPeakBytes = SequenceEvaluator(bare, *request.costs)(toSequence(flat, {})).peakBytes;
    std::vector<std::int64_t> budgets = {request.budgetBytes};
    if (const std::int64_t parameters = offload::plannedParameterBytes(*request.graph); parameters > 0)
        budgets.insert(budgets.begin(), std::max<std::int64_t>(request.budgetBytes - parameters, 1));
    Candidates candidates(flat, request, context, {});
    if (const auto offered = candidates.offer({}, {}); !offered) return tl::unexpected(offered.error());
    for (const std::vector<int> &stageOfOp : *labels) {
        const bool least = candidates.best() && candidates.best()->timeUs <= context.boundTimeUs * (1 + 1e-9);
        if (stop() || least) break;
        const StageChain chain =
            chain::makeStageChain(flat, stageOfOp, keepAllPeakBytes, chain::plainSource(stop), stop);
        for (const std::int64_t budget : budgets)
            if (const auto offered = offerPlans(flat, chain, budget, options.memorySlots, candidates, context);
                !offered)
                return tl::unexpected(offered.error());
    }
    return candidates.outcome("schedule of this chain, with offloads or without,", "Raise the budget.");
}

} // namespace

const Planner &pofo()
{
    static const Planner planner = {
        .info =
            {
                .name = "pofo",
                .title = "POFO",
                .kind = "chain with offloading",
                .text = "Merges the graph into a chain of stages and finds, by a dynamic program over stages, memory "
                        "and what is still on its way to host memory, which results stay, which are computed again and "
                        "which are offloaded. The plan is then fitted to the budget op by op, planned parameters "
                        "included. Where the link is slow it is Rotor.",
                .source = "Beaumont, Eyraud-Dubois, Shilova: Efficient Combination of Rematerialization and Offloading "
                          "for Training DNNs, NeurIPS 2021",
                .options = pofoOptions().records(),
                .offloads = true,
            },
        .plan = planPofo,
    };
    return planner;
}

} // namespace remat::planner
