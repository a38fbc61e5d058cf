#include "core/base/units.h"
#include "core/bounds/plan_bound.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "solvers/solver.h"

#include <chrono>
#include <exception>
#include <mutex>

namespace remat {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Everything of a plan that its planner does not fill in.
struct PlanFiller {
    const Planner &planner;
    const SolveRequest &request;
    std::int64_t keepAllPeakBytes;
    double keepAllTimeUs;
    const TimeBound &bound; ///< of the graph's order
    Clock::time_point start;

    /// A plan in another order than the graph's has a bound of its own, which takes a while: `Quick` leaves that out.
    enum class Bounds { Quick, Own };

    /// Fills `plan` in and has it judged; the sentence of the failure says which rule it breaks.
    Expected<void> fillAndCheck(Plan &plan, const char *status, Bounds bounds) const
    {
        plan.budgetBytes = request.budgetBytes;
        plan.origin = {planner.info().name, request.options.changed(), secondsSince(start), status};
        plan.costSource = request.costs->source;
        plan.parametersPlanned = request.graph->parametersPlanned;
        const Expected<Simulation> simulation = simulate(*request.graph, *request.costs, plan.steps);
        if (!simulation) return fail(broken(simulation.error().message));
        const TimeBound holds = boundOf(plan, bounds);
        plan.predicted = {simulation->peakBytes, simulation->timeUs, keepAllPeakBytes, keepAllTimeUs,
                          holds.timeUs,          holds.method,       holds.cut};
        const Verdict verdict = checkPlan(*request.graph, *request.costs, plan);
        if (!verdict.ok) return fail(broken(verdict.sentence));
        return {};
    }

    TimeBound boundOf(const Plan &plan, Bounds bounds) const
    {
        if (bound.holdsFor >= kindOfPlan(*request.graph, plan)) return bound;
        if (bounds == Bounds::Quick) return everyPlanBound(*request.graph, *request.costs, request.budgetBytes);
        return boundForPlan(*request.graph, *request.costs, plan);
    }

    std::string broken(const std::string &why) const
    {
        return "The planner " + planner.info().name + " made a plan that breaks the rules, so it is not shown: " + why;
    }
};

std::string workingSetSentence(const SolveRequest &request, const PeakBound &bound)
{
    const std::string need = formatBytes(bound.bytes, Rounding::Up);
    return "No plan fits " + formatBytes(request.budgetBytes, Rounding::Down) + ": " +
           (bound.op ? "op " + request.graph->op(bound.op).name + " alone needs " + need + "."
                     : "the outputs alone need " + need + ".");
}

} // namespace

Expected<void> checkPlannable(const Graph &graph, const CostTable &costs)
{
    if (graph.ops.empty()) return fail("The graph has no ops, so there is nothing to plan.");
    if (costs.timeUs.size() != graph.ops.size() || costs.workspaceBytes.size() != graph.ops.size())
        return fail("The costs are of another graph: they have " + formatCount(std::int64_t(costs.timeUs.size())) +
                    " ops, the graph has " + formatCount(std::int64_t(graph.ops.size())) + ".");
    return {};
}

OptionRecord parametersOption()
{
    return flagOption(
        "parameters", "Plan parameters", false,
        "Parameters count into dynamic memory and may leave the device. Peak and budget then include them, "
        "and percent refer to the keep-all peak with them.");
}

bool plansParameters(const OptionSet &options)
{
    return options.has("parameters") && options.flag("parameters");
}

Expected<SolveOutcome> solve(const Planner &planner, const SolveRequest &asked, const SolveContext &context)
{
    REMAT_ASSERT(asked.graph && asked.costs, "a request names its graph and its costs");
    const Clock::time_point start = Clock::now();
    SolveRequest request = asked;
    std::optional<Graph> derived;
    if (plansParameters(request.options) && !request.graph->parametersPlanned)
        request.graph = &derived.emplace(withPlannedParameters(*request.graph));
    else if (request.graph->parametersPlanned && !plansParameters(request.options))
        return fail("The planner " + planner.info().name +
                    " keeps parameters resident. Take one with the option \"parameters\", such as offload-greedy.");
    const Graph &graph = *request.graph;
    const CostTable &costs = *request.costs;
    if (const Expected<void> usable = checkPlannable(graph, costs); !usable) return tl::unexpected(usable.error());
    if (request.budgetBytes <= 0) return fail("The budget must be more than 0 bytes.");

    if (const PeakBound floor = workingSetBound(graph, costs); floor.bytes > request.budgetBytes) {
        SolveOutcome outcome;
        outcome.message = workingSetSentence(request, floor);
        outcome.smallestPeakBytes = floor.bytes;
        return outcome;
    }
    const Expected<Simulation> keepAll = simulate(graph, costs, keepAllPlan(graph).steps);
    if (!keepAll) return fail("The graph cannot be computed in its own order: " + keepAll.error().message);
    TimeBound bound = everyPlanBound(graph, costs, request.budgetBytes);
    const PlanFiller filler{planner, request, keepAll->peakBytes, keepAll->timeUs, bound, start};

    std::mutex oneAtATime;
    double bestIncumbentUs = -1;
    SolveContext serialised = context;
    if (context.progress) {
        serialised.progress = [&](const SolveProgress &progress) {
            const std::lock_guard lock(oneAtATime);
            SolveProgress told = progress;
            told.elapsedSeconds = secondsSince(start);
            if (told.incumbent) {
                const auto plan = std::make_shared<Plan>(*told.incumbent);
                const bool good = filler.fillAndCheck(*plan, "feasible", PlanFiller::Bounds::Quick).has_value() &&
                                  (bestIncumbentUs < 0 || plan->predicted.timeUs < bestIncumbentUs);
                if (good) bestIncumbentUs = plan->predicted.timeUs;
                told.incumbent = good ? plan : nullptr;
            }
            context.progress(told);
        };
    }

    Expected<SolveOutcome> outcome = SolveOutcome{};
    try {
        const std::optional<Plan> first = planner.firstPlan(request, context);
        if (first && serialised.progress) {
            SolveProgress progress;
            progress.stage = "first plan";
            progress.incumbent = std::make_shared<Plan>(*first);
            serialised.progress(progress);
        }
        // What holds for plans without offloads says nothing of the others.
        if (!planner.info().offloads)
            bound = request.bound ? *request.bound : bestTimeBound(graph, costs, request.budgetBytes);
        serialised.boundTimeUs = bound.timeUs;
        outcome = planner.plan(request, serialised);
        if (outcome && !outcome->plan && first) outcome = SolveOutcome{SolveStatus::Stopped, first, 0, {}, 0};
    } catch (const std::exception &error) {
        return fail("The planner " + planner.info().name + " failed: " + error.what());
    }
    if (!outcome) return outcome;
    outcome->boundTimeUs = bound.timeUs;
    if (!outcome->plan) return outcome;

    if (const Expected<void> good =
            filler.fillAndCheck(*outcome->plan, statusName(outcome->status), PlanFiller::Bounds::Own);
        !good)
        return tl::unexpected(good.error());
    const Prediction &predicted = outcome->plan->predicted;
    outcome->boundTimeUs = predicted.lowerBoundTimeUs;
    if (predicted.timeUs - predicted.lowerBoundTimeUs < 1e-6 * keepAll->timeUs) outcome->status = SolveStatus::Optimal;
    outcome->plan->origin.status = statusName(outcome->status);
    return outcome;
}

} // namespace remat
