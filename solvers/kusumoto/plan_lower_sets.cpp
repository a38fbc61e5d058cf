// SPDX-License-Identifier: Apache-2.0
#include "solvers/kusumoto/plan_lower_sets.h"

#include "solvers/blocks/cut_points.h"
#include "solvers/tools/setting_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

namespace remat::kusumoto {

namespace {

/// Model budgets tried between the least with a sequence and the first that allows everything: for the fastest plan and
/// for the smallest; and how many sequences are looked at around the smallest of those.
constexpr int kGrid = 64, kFineGrid = 256, kAround = 64;

/// All of them when there are at most `most`.
std::vector<std::int64_t> modelBudgets(const SegmentProgram &program, int most, const std::function<bool()> &stop)
{
    const std::int64_t least = program.smallestBudget(stop), largest = program.largestBudget();
    const auto low = static_cast<double>(std::max<std::int64_t>(least, 1));
    const double factor = std::max(1.0, static_cast<double>(largest) / low);
    std::vector<std::int64_t> budgets;
    for (std::int64_t i = 0; i <= most; ++i)
        budgets.push_back(largest - least <= most
                              ? std::min(least + i, largest)
                              : least + std::llround(low * (std::pow(factor, double(i) / most) - 1)));
    budgets.erase(std::unique(budgets.begin(), budgets.end()), budgets.end());
    return budgets;
}

/// Offers the sequences of model budgets between the neighbours of the best one, from the top: below the model's
/// peak of one the program finds the next. `planAt(budget, sequence)` makes plan and sequence; none: stopped.
template <class PlanAt>
void offerAround(const std::vector<std::int64_t> &budgets, const SegmentProgram &program, SettingSearch &search,
                 const PlanAt &planAt, const std::function<bool()> &stop)
{
    if (!search.best()) return;
    const auto at = std::lower_bound(budgets.begin(), budgets.end(), search.best()->setting);
    const std::int64_t low = at == budgets.begin() ? budgets.front() : *std::prev(at);
    std::int64_t modelBytes = at == budgets.end() || std::next(at) == budgets.end() ? budgets.back() : *std::next(at);
    for (int i = 0; i < kAround && modelBytes >= low && !stop(); ++i) {
        Segments segments;
        std::optional<SettingPlan> plan = planAt(modelBytes, segments);
        if (!plan) return;
        plan->setting = modelBytes;
        search.offer(*plan);
        modelBytes = program.peakBytes(segments) - 1;
    }
}

} // namespace

OptionTable<LowerSetOptions> lowerSetOptions()
{
    using Options = LowerSetOptions;
    return {choiceOption(&Options::strategy, "strategy", "Strategy",
                         {{"best", std::nullopt}, {"time", Aim::Time}, {"memory", Aim::Memory}},
                         "time recomputes least within a model budget; memory makes segments as coarse as it allows, "
                         "which leaves more to free early; best takes the better plan of the two."),
            choiceOption(&Options::goal, "aim", "Aim",
                         {{"fastest", SettingGoal::Time}, {"smallest", SettingGoal::Peak}},
                         "fastest finds the fastest plan within the budget. smallest finds the plan with the smallest "
                         "peak, however slow: it shows how low the budget may be set."),
            numberOption(&Options::timeSteps, "time-steps", "Time steps", 10, 10000, "",
                         "Units that the forward pass is divided into; more is finer and slower.", true)};
}

ForwardChoice forwardChoice(const FlatGraph &flat, const ForwardDag &dag, const SegmentProgram &program,
                            const Segments &segments)
{
    ForwardChoice choice;
    const int last = static_cast<int>(segments.size()) - 1;
    choice.segment.assign(flat.ops, -1);
    choice.kept = dag.kept;
    const auto keep = [&](int node) {
        for (const int s : flat.outputs[dag.ops[node]])
            choice.kept[s] = 1;
    };
    for (int node = 0; node < dag.nodes(); ++node) {
        int &segment = choice.segment[dag.ops[node]];
        segment = 0;
        while (!contains(program.set(segments[segment]), node))
            ++segment;
        if (segment == last) keep(node);
    }
    for (const int set : segments)
        for (const int node : program.border(set))
            keep(node);
    // Ops left out of the model go with the latest of what they read.
    for (int i = 0; i < flat.forwardOps; ++i) {
        if (choice.segment[i] >= 0) continue;
        choice.segment[i] = 0;
        for (const int s : flat.inputs[i])
            choice.segment[i] = std::max(choice.segment[i], choice.segment[flat.producer[s]]);
    }
    chain::labelBackward(flat, choice.segment, last);
    return choice;
}

Expected<SolveOutcome> planLowerSets(const SolveRequest &request, const SolveContext &context,
                                     const LowerSetOptions &options, const SetSource &source)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (flat.forwardOps == flat.ops)
        return fail("Lower sets need a graph with a forward and a backward part; this one has no backward ops.");
    const ForwardDag dag = forwardDag(flat, options.timeSteps);
    Expected<std::optional<std::vector<NodeSet>>> sets = source(dag);
    if (!sets) return tl::unexpected(sets.error());
    const auto stop = [&] { return context.shouldStop(); };
    std::optional<SegmentProgram> program;
    if (*sets) program = SegmentProgram::make(dag, std::move(**sets), stop);
    if (!program) {
        SolveOutcome outcome;
        outcome.status = SolveStatus::Stopped;
        outcome.message = "Stopped before the segments between the lower sets were known.";
        return outcome;
    }
    SettingSearch search(request.budgetBytes, context, options.goal);
    const auto planOf = [&](const std::vector<Recompute> &recomputes) {
        SettingPlan plan;
        plan.sequence = toSequence(flat, recomputes);
        plan.cost = sequenceCost(*request.graph, *request.costs, plan.sequence);
        return plan;
    };
    // One segment, all kept.
    const bool smallest = options.goal == SettingGoal::Peak;
    if (search.offer(planOf({})) && !smallest) return search.outcome(*request.graph, "plan");
    const std::vector<std::int64_t> budgets = modelBudgets(*program, smallest ? kFineGrid : kGrid, stop);
    for (const Aim aim : {Aim::Time, Aim::Memory}) {
        if (options.strategy && *options.strategy != aim) continue;
        const auto planAt = [&](std::int64_t modelBytes, Segments &segments) -> std::optional<SettingPlan> {
            segments = program->best(modelBytes, aim, stop);
            if (segments.empty()) return std::nullopt;
            return planOf(translate(flat, forwardChoice(flat, dag, *program, segments), context));
        };
        search.search(aim == Aim::Time ? "Fine segments" : "Coarse segments", budgets, [&](std::int64_t modelBytes) {
            Segments segments;
            return planAt(modelBytes, segments);
        });
        if (smallest) offerAround(budgets, *program, search, planAt, stop);
    }
    return search.outcome(*request.graph, "sequence of lower sets");
}

} // namespace remat::kusumoto
