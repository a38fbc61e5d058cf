// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/stress/stress.h"

#include "core/bounds/plan_bound.h"
#include "core/exports/exporter.h"
#include "core/io/graph_json.h"
#include "core/io/plan_text.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "solvers/bounds/sharp_bound.h"
#include "solvers/interface/solver.h"
#include "tests/fuzz/stress/odd_graph.h"
#include "tests/fuzz/target.h"
#include "tests/support/brute_force.h"
#include "tests/support/graph_file.h"
#include "tests/support/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace remat::fuzz {

namespace {

// Planners that use what time they get: enough for graphs of some ten ops.
constexpr double kSolveSeconds = 0.15;
constexpr double kBoundSeconds = 0.3;

/// A question as the command line asks it.
struct Case {
    Model model;
    const Planner *planner = nullptr;
    std::map<std::string, std::string> settings;
    Device device;
    CostTable costs;
    Graph judged; ///< with parameters planned where they are
    std::int64_t budgetBytes = 0;
    Pins pins;
    SolveContext context;
};

const std::vector<Device> &devices()
{
    static const std::vector<Device> kDevices = readDevices().value();
    return kDevices;
}

Pins somePins(const Graph &graph, test::Random &random)
{
    Pins pins;
    for (int n = random.percent(40) ? random.between(1, 3) : 0; n > 0; --n) {
        const OpId op(static_cast<std::size_t>(random.below(static_cast<int>(graph.ops.size()))));
        pins = decide(graph, std::move(pins),
                      random.pick(std::array{Decision::Keep, Decision::Recompute, Decision::Never}), {op});
    }
    return pins;
}

/// A value for some option, mostly the default.
std::map<std::string, std::string> someSettings(const Planner &planner, test::Random &random)
{
    std::map<std::string, std::string> settings;
    for (const OptionRecord &option : planner.info.options) {
        if (!random.percent(option.name == "parameters" ? 50 : 10)) continue;
        if (option.type == OptionType::Bool) settings[option.name] = random.percent(60) ? "on" : "off";
        if (option.type == OptionType::Choice) settings[option.name] = random.pick(option.choices);
        if (option.type == OptionType::Int)
            settings[option.name] = std::to_string(static_cast<std::int64_t>(
                random.percent(50) ? option.minimum : std::min(option.maximum, option.minimum + 3)));
    }
    return settings;
}

/// Options as people mistype them: refused with a sentence, or within their range.
void mistype(const Planner &planner, test::Random &random)
{
    if (planner.info.options.empty()) return;
    const OptionRecord &option = random.pick(planner.info.options);
    const std::string value = random.pick(std::array<const char *, 10>{"", "-1", "1e308", "1e999", "nan", "0x10", "2.5",
                                                                       " 1", "on", "99999999999999999999"});
    const auto options = makeOptions(planner.info.options, {{option.name, value}});
    if (!options) {
        refusedWith(options.error().message);
        return;
    }
    const double number = options->value(option.name).number;
    if (option.type != OptionType::Choice)
        require(number >= option.minimum && number <= option.maximum, "option " + option.name + " takes " + value);
}

std::int64_t someBudget(const Graph &graph, const CostTable &costs, test::Random &random)
{
    const std::int64_t floor = workingSetBound(graph, costs).bytes;
    const std::int64_t peak = simulate(graph, costs, keepAllPlan(graph).steps)->peakBytes;
    const std::int64_t between = floor + (peak - floor) / 100 * random.below(100);
    return std::max<std::int64_t>(
        1, random.pick(std::array{floor - 1, floor, between, between, between, peak - 1, peak, peak + 1}));
}

Case makeCase(std::uint64_t seed, std::int64_t number)
{
    test::Random random(seed * 1000003 + static_cast<std::uint64_t>(number));
    Case of;
    // Through a file, as everybody else gets graphs.
    const Graph odd = oddGraph(seed * 7919 + static_cast<std::uint64_t>(number) / 4);
    of.model.path = "odd.json";
    of.model.graph = parseGraphJson(test::graphText(odd), "odd.json").value();
    of.planner = planners()[static_cast<std::size_t>(number) % planners().size()];
    of.settings = someSettings(*of.planner, random);
    of.device = random.percent(50) ? findDevice("reference").value() : random.pick(devices());
    of.costs = rooflineCosts(of.model, of.device);
    const auto options = makeOptions(of.planner->info.options, of.settings);
    require(options.has_value(), "an option in its range is refused");
    of.judged = plansParameters(*options) ? withPlannedParameters(of.model.graph) : of.model.graph;
    of.budgetBytes = someBudget(of.judged, of.costs, random);
    of.pins = somePins(of.judged, random);
    of.context.seed = static_cast<std::uint64_t>(random.below(3));
    of.context.threads = random.between(1, 2);
    of.context.deadline = Deadline(kSolveSeconds);
    return of;
}

Expected<SolveOutcome> solved(const Case &of)
{
    SolveRequest request;
    request.graph = &of.judged;
    request.costs = &of.costs;
    request.budgetBytes = of.budgetBytes;
    request.options = makeOptions(of.planner->info.options, of.settings).value();
    request.pins = of.pins;
    SolveContext context = of.context;
    context.deadline = Deadline(kSolveSeconds); // from now on
    return solve(*of.planner, request, context);
}

bool atLeast(double timeUs, double boundUs)
{
    return timeUs >= boundUs - 1e-6 * std::max(1.0, std::abs(boundUs));
}

void judge(const Case &of, const SolveOutcome &outcome, const Plan &plan)
{
    const Verdict verdict = checkPlan(of.model.graph, of.costs, plan);
    require(verdict.ok, "the checker refuses the plan: " + verdict.sentence);
    require(verdict.peakBytes <= of.budgetBytes, "the plan is over its budget");
    require(plan.predicted.peakBytes == verdict.peakBytes, "the plan predicts another peak");
    require(atLeast(verdict.timeUs, outcome.boundTimeUs), "the plan beats the solve's bound");
    require(atLeast(verdict.timeUs, everyPlanBound(of.judged, of.costs, of.budgetBytes).timeUs), "it beats every plan");
    const TimeBound bound = boundForPlan(of.judged, of.costs, plan);
    require(!bound.infeasible && atLeast(verdict.timeUs, bound.timeUs), "the plan beats its bound " + bound.method);
    for (const PeakBound &peak : peakBounds(of.judged, of.costs))
        require(kindOfPlan(of.judged, plan) > peak.holdsFor || peak.holdsFor == HoldsFor::OutputsOnce ||
                    verdict.peakBytes >= peak.bytes,
                "the plan beats the peak bound " + peak.method);
    if (const auto why = pinsViolated(of.judged, plan.steps, of.pins)) broken("a decision is not followed: " + *why);
}

/// As `remat check` sees it: from its file, with the costs that the file names.
void readBack(const Case &of, const Plan &plan)
{
    const auto again = parsePlan(planText(plan, of.model.graph), "plan.json", of.model.graph);
    require(again.has_value(), "the plan does not read back: " + (again ? "" : again.error().message));
    require(again->steps == plan.steps, "the plan reads back as another");
    const auto device = findDevice(deviceOf(again->costSource).empty() ? "reference" : deviceOf(again->costSource));
    require(device.has_value(), "the plan names a device that is not there");
    const Verdict verdict = checkPlan(of.model.graph, rooflineCosts(of.model, *device), *again);
    require(verdict.ok, "remat check refuses the plan: " + verdict.sentence);
    for (const ExportFormat &format : exportFormats())
        if (const auto text = format.write({of.model, of.costs, plan}); !text) refusedWith(text.error().message);
}

/// Against every state there is, where that is few enough.
void judgeExactly(const Case &of, const Plan *plan, StressFigures &figures)
{
    if (of.judged.ops.size() > 6 || of.judged.storages.size() > 10 || of.judged.parametersPlanned) return;
    const auto best = test::bruteForceOptimum(of.judged, of.costs, of.budgetBytes);
    const TimeBound bound = bestTimeBound(of.judged, of.costs, of.budgetBytes);
    ++figures.exact;
    if (best) {
        require(!bound.infeasible, "a bound says that there is no plan, and there is one");
        require(atLeast(*best, bound.timeUs), "the bound " + bound.method + " is above the best plan");
    }
    if (plan && kindOfPlan(of.judged, *plan) <= HoldsFor::GivenOrder && plan->steps.size() >= of.judged.ops.size()) {
        // Plans may leave out what nothing needs, and compute it whenever they like; the brute force computes
        // everything in the given order.
        std::vector<OpId> firsts;
        std::vector<char> seen(of.judged.ops.size(), 0);
        for (const OpId op : computeSequence(*plan))
            if (!std::exchange(seen[op.index()], 1)) firsts.push_back(op);
        if (firsts.size() < of.judged.ops.size() || !std::is_sorted(firsts.begin(), firsts.end())) return;
        require(best.has_value(), "a plan where brute force finds none");
        require(atLeast(plan->predicted.timeUs, *best), "a plan is faster than the best there is");
    }
}

void solveAgain(const Case &of, const SolveOutcome &first, StressFigures &figures)
{
    const auto timed = [](const SolveOutcome &outcome) {
        return outcome.status == SolveStatus::Stopped || outcome.message.find(kTimeWasUp) != std::string::npos;
    };
    if (timed(first) || of.planner->info.usesTime) return;
    const auto second = solved(of);
    require(second.has_value(), "the second call fails");
    if (timed(*second)) return;
    require(second->plan.has_value() == first.plan.has_value(), "the second call has another answer");
    if (first.plan) require(second->plan->steps == first.plan->steps, "the second call has another plan");
    ++figures.again;
}

} // namespace

void stress(std::uint64_t seed, std::int64_t number, StressFigures &figures)
{
    const Case of = makeCase(seed, number);
    test::Random random(static_cast<std::uint64_t>(number));
    mistype(*of.planner, random);
    ++figures.cases;
    const auto outcome = solved(of);
    if (!outcome) {
        refusedWith(outcome.error().message);
        for (const char *fault : {"made a plan that", "failed: ", "breaks"})
            require(outcome.error().message.find(fault) == std::string::npos, outcome.error().message);
        ++figures.refused;
        return;
    }
    const Plan *plan = outcome->plan ? &*outcome->plan : nullptr;
    if (plan) {
        judge(of, *outcome, *plan);
        readBack(of, *plan);
        ++figures.plans;
        figures.pinned += of.pins.empty() ? 0 : 1;
        figures.parameters += plan->parametersPlanned ? 1 : 0;
        figures.devices += of.device.name == "reference" ? 0 : 1;
    } else {
        refusedWith(outcome->message);
        ++figures.infeasible;
    }
    judgeExactly(of, plan, figures);
    if (number % 4 == 0) solveAgain(of, *outcome, figures);
    if (number % 16 == 0 && plan && kindOfPlan(of.judged, *plan) <= HoldsFor::GivenOrder) {
        BoundProblem problem{of.judged, of.costs, of.budgetBytes, plan, nullptr, Deadline(kBoundSeconds)};
        const SharpBound bound = sharpBound(problem);
        require(!bound.best.infeasible && atLeast(plan->predicted.timeUs, bound.best.timeUs),
                "the plan beats the bound " + bound.best.method);
        ++figures.bounds;
    }
}

std::string caseText(std::uint64_t seed, std::int64_t number)
{
    const Case of = makeCase(seed, number);
    std::string text = of.planner->info.name + ", " + std::to_string(of.budgetBytes) + " bytes, device " +
                       of.device.name + ", seed " + std::to_string(of.context.seed);
    for (const auto &[key, value] : of.settings)
        text += ", " + key + "=" + value;
    for (const StorageId id : of.pins.keep)
        text += ", keep " + of.judged.storage(id).name;
    for (const OpId id : of.pins.recompute)
        text += ", recompute " + of.judged.op(id).name;
    for (const OpId id : of.pins.never)
        text += ", never " + of.judged.op(id).name;
    return text + "\n" + test::graphText(of.model.graph);
}

} // namespace remat::fuzz
