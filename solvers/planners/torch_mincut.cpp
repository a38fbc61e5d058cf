// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/base/number.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/interface/solver.h"
#include "solvers/mincut/memory_budget.h"
#include "solvers/tools/parallel.h"
#include "solvers/tools/translate.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>

namespace remat::planner {

namespace {

/// Decisions tried side by side; always the same number, so that threads change nothing.
constexpr std::size_t kBatch = 16;
/// As an option's value: search.
constexpr double kSearch = -1;

struct TriedBudget {
    std::vector<char> kept; ///< per storage
    std::vector<OpId> sequence;
    SequenceCost cost;
};

/// What is saved stays, in the storage that it lies in; the rest is computed again once, when the backward pass first
/// reads it.
TriedBudget attempt(const FlatGraph &flat, const mincut::FxGraph &graph, const mincut::MemoryBudget &decide,
                    double budget, const SolveContext &context)
{
    TriedBudget tried;
    tried.kept.assign(flat.storages(), 0);
    for (const int node : decide.saved(budget))
        if (const StorageId storage = graph.nodes[node].storage) tried.kept[storage.index()] = 1;
    ForwardChoice choice;
    choice.kept = tried.kept;
    choice.segment.assign(flat.ops, 0);
    tried.sequence = toSequence(flat, translate(flat, choice, context));
    return tried;
}

/// The largest budget whose plan fits, and the smallest peak on the way there.
struct BudgetSearch {
    std::optional<TriedBudget> fits;
    double budget = 0;
    std::int64_t smallestPeakBytes = 0;
    bool complete = false; ///< every decision was looked at, or one fits
};

BudgetSearch searchBudgets(const FlatGraph &flat, const mincut::FxGraph &graph, const mincut::MemoryBudget &decide,
                           const std::vector<double> &budgets, const SolveRequest &request, const SolveContext &context)
{
    BudgetSearch search;
    std::vector<SequenceEvaluator> evaluators(kBatch, SequenceEvaluator(*request.graph, *request.costs));
    for (std::size_t first = 0; first < budgets.size(); first += kBatch) {
        if (context.progress) {
            SolveProgress progress;
            progress.activity = "Memory budgets";
            progress.fraction = static_cast<double>(first) / static_cast<double>(budgets.size());
            context.progress(progress);
        }
        std::vector<std::optional<TriedBudget>> batch(std::min(kBatch, budgets.size() - first));
        parallelFor(context.threads, batch.size(), [&](std::size_t i) {
            if (context.shouldStop()) return;
            batch[i] = attempt(flat, graph, decide, budgets[first + i], context);
            batch[i]->cost = evaluators[i](batch[i]->sequence);
        });
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (!batch[i]) return search;
            const std::int64_t peak = batch[i]->cost.peakBytes;
            if (search.smallestPeakBytes == 0 || peak < search.smallestPeakBytes) search.smallestPeakBytes = peak;
            if (peak > request.budgetBytes) continue;
            search.fits = std::move(batch[i]);
            search.budget = budgets[first + i];
            search.complete = true;
            return search;
        }
    }
    search.complete = true;
    return search;
}

std::string infeasibleSentence(const BudgetSearch &search, double asked, std::int64_t budgetBytes)
{
    const std::string limit = formatMemory(budgetBytes, search.smallestPeakBytes);
    const std::string peak = formatMemory(search.smallestPeakBytes);
    if (asked >= 0)
        return fmt::format("With an activation memory budget of {} the peak is {}, over {}. PyTorch counts saved "
                           "bytes, not the peak: set activation-memory-budget to -1 to search one that fits.",
                           shortNumber(asked, 4), peak, limit);
    return fmt::format("No activation memory budget from 1 down to 0 fits {}; the smallest peak of them all is {}. "
                       "Take hiremate, or raise the budget.",
                       limit, peak);
}

using mincut::Knapsack;
using mincut::Runtime;

struct TorchMincutOptions {
    double budget = kSearch;
    Knapsack knapsack = Knapsack::DynamicProgram;
    Runtime runtime = Runtime::Flops;
    bool gpuAttention = false;
};

const OptionTable<TorchMincutOptions> &torchMincutOptions()
{
    using Options = TorchMincutOptions;
    static const OptionTable<Options> table = {
        numberOption(&Options::budget, "activation-memory-budget", "Activation memory budget", kSearch, 1, "",
                     "PyTorch's own setting, from 0 (only inputs are saved) to 1 (the fastest). -1 searches the "
                     "largest value whose peak fits. Other values below 0 count as 0."),
        choiceOption(&Options::knapsack, "knapsack", "Knapsack",
                     {{"dp", Knapsack::DynamicProgram}, {"greedy", Knapsack::Greedy}},
                     "PyTorch's activation_memory_budget_solver: its quantised dynamic program, or greedily by "
                     "runtime per byte."),
        choiceOption(&Options::runtime, "runtime", "Runtime estimator",
                     {{"flops", Runtime::Flops}, {"costs", Runtime::Costs}},
                     "What a recomputation costs in the knapsack: floating-point operations, as PyTorch counts "
                     "them by default, or the times of the chosen device or profile."),
        choiceOption(
            &Options::gpuAttention, "attention", "Attention kernel", {{"traced", false}, {"gpu", true}},
            "How the CPU's attention kernel counts in a trace that was made without a GPU: as it is, which is what "
            "PyTorch does with such a graph, or as the GPU's kernel, which PyTorch counts as compute-intensive.",
            true),
    };
    return table;
}

Expected<SolveOutcome> planTorchMincut(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (flat.forwardOps == flat.ops)
        return fail("PyTorch's partitioner needs a graph with a forward and a backward part; this one has no "
                    "backward ops.");
    const TorchMincutOptions options = torchMincutOptions().read(request.options);
    mincut::FxSettings settings;
    settings.runtime = options.runtime;
    settings.gpuAttention = options.gpuAttention;
    const mincut::FxGraph graph = request.program ? mincut::fxGraph(*request.program, *request.costs, settings)
                                                  : mincut::fxGraph(*request.graph, *request.costs);
    const Expected<mincut::MemoryBudget> decide = mincut::MemoryBudget::make(graph, options.knapsack);
    if (!decide) return tl::unexpected(decide.error());

    const std::vector<double> budgets =
        options.budget == kSearch ? decide->decisions() : std::vector<double>{std::max(options.budget, 0.0)};
    const BudgetSearch search = searchBudgets(flat, graph, *decide, budgets, request, context);

    SolveOutcome outcome;
    outcome.smallestPeakBytes = search.smallestPeakBytes;
    if (!search.fits) {
        outcome.status = search.complete ? SolveStatus::Infeasible : SolveStatus::Stopped;
        outcome.message = search.complete ? infeasibleSentence(search, options.budget, request.budgetBytes)
                                          : "Stopped before a memory budget was found that fits.";
        return outcome;
    }
    outcome.status = SolveStatus::Feasible;
    outcome.message = fmt::format("Activation memory budget {}.", shortNumber(search.budget, 4));
    Plan plan;
    plan.steps = withEarliestFrees(*request.graph, search.fits->sequence);
    outcome.plan = std::move(plan);
    return outcome;
}

} // namespace

const Planner &torch_mincut()
{
    static const Planner planner = {
        .info =
            {
                .name = "torch-mincut",
                .title = "PyTorch min-cut",
                .kind = "minimum cut",
                .text = "What torch.compile does with activation_memory_budget: a minimum cut through the graph, under "
                        "rules about what may be recomputed, says which values the forward pass saves, and a knapsack "
                        "loosens the rules. PyTorch counts saved bytes and not the peak; here the largest memory "
                        "budget is taken whose plan has a peak that fits. On a graph without PyTorch operators each op "
                        "stands for one call, and the kind of an op for the operator of that name.",
                .source = "PyTorch 2.11, torch/_functorch/partitioners.py (min_cut_rematerialization_partition, "
                          "choose_saved_values_set)",
                .options = torchMincutOptions().records(),
            },
        .plan = planTorchMincut,
    };
    return planner;
}

} // namespace remat::planner
