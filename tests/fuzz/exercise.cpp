// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/exercise.h"

#include "core/addresses/layout.h"
#include "core/bounds/bounds.h"
#include "core/bounds/plan_bound.h"
#include "core/clusters/cluster_tree.h"
#include "core/exports/exporter.h"
#include "core/io/plan_text.h"
#include "core/plan/checker.h"
#include "core/plan/pins.h"
#include "core/plan/simulator.h"
#include "core/plan/timeline.h"
#include "core/teaching/explain/choices.h"
#include "core/teaching/explain/peak.h"
#include "tests/fuzz/target.h"
#include "tests/support/random_plans.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace remat::fuzz {

namespace {

// What takes more than linear time is only asked of graphs of the size of the corpus.
constexpr std::size_t kMostOps = 400;
constexpr std::size_t kMostItems = 5000; ///< ops and what they read and make

std::size_t itemsOf(const Graph &graph)
{
    std::size_t items = 0;
    for (const Op &op : graph.ops)
        items += 1 + op.inputs.size() + op.outputs.size();
    return items;
}

bool near(double a, double b)
{
    return a == b || std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

int countOf(std::string_view text, std::string_view word)
{
    int count = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size()))
        ++count;
    return count;
}

void clustersOf(const Graph &graph, const CostTable &costs)
{
    for (const ClusterTree &tree : {moduleTree(graph), blockPartition(graph, costs.timeUs, {})})
        require(allOps(tree, tree.root()).size() == graph.ops.size(), "a hierarchy without some of the ops");
}

void boundsOf(const Graph &graph, const CostTable &costs, std::int64_t peakBytes, double timeUs)
{
    std::int64_t floor = 0;
    for (const PeakBound &bound : peakBounds(graph, costs)) {
        require(bound.bytes >= floor, "a peak bound that is below the one before it");
        require(bound.bytes <= peakBytes, "the peak bound " + bound.method + " is above keep-all's peak");
        floor = bound.bytes;
    }
    for (const std::int64_t budget : {peakBytes, floor, floor + (peakBytes - floor) / 2, std::int64_t(1)}) {
        if (budget <= 0) continue;
        const TimeBound bound = bestTimeBound(graph, costs, budget);
        require(std::isfinite(bound.timeUs) && bound.timeUs >= 0, "a time bound that is no time");
        if (budget < peakBytes) continue;
        require(!bound.infeasible && (bound.timeUs <= timeUs || near(bound.timeUs, timeUs)),
                "the time bound " + bound.method + " is above keep-all's time");
    }
}

void explain(const Graph &graph, const CostTable &costs, const Plan &plan)
{
    for (std::size_t i = 0; i < std::min<std::size_t>(graph.ops.size(), 20); ++i)
        whyRecomputed(graph, costs, plan, OpId(i));
    for (std::size_t s = 0; s < std::min<std::size_t>(graph.storages.size(), 20); ++s) {
        whyKept(graph, costs, plan, StorageId(s));
        whyOffloaded(graph, costs, plan, StorageId(s));
    }
    const auto timeline = buildTimeline(graph, costs, plan.steps);
    require(timeline.has_value(), "a possible plan has no timeline");
    if (!timeline->step.empty()) momentAt(graph, *timeline, timeline->peakSample);
}

} // namespace

const Device &reference()
{
    static const Device kDevice = findDevice("reference").value();
    return kDevice;
}

CostTable referenceCosts(const Model &model)
{
    return rooflineCosts(model, reference());
}

const Model &knownModel()
{
    static const Model kModel = readModel(REMAT_FUZZ_DIR "/corpus/graph/good-chain.json").value();
    return kModel;
}

void exercisePlan(const Model &model, const CostTable &costs, const Plan &plan)
{
    const Graph graph = plan.parametersPlanned ? withPlannedParameters(model.graph) : model.graph;
    const auto simulation = simulatePlan(model.graph, costs, plan);
    const Verdict verdict = checkPlan(model.graph, costs, plan);
    if (!simulation) {
        require(!verdict.ok, "the checker allows what the simulator cannot replay: " + simulation.error().message);
        refusedWith(simulation.error().message);
        refusedWith(verdict.sentence);
        return;
    }
    require(verdict.peakBytes == simulation->peakBytes, "checker and simulator see two peaks");
    require(near(verdict.timeUs, simulation->timeUs), "checker and simulator see two times");
    if (!verdict.ok) refusedWith(verdict.sentence); // over its budget, or not what it predicts

    const auto again = parsePlan(planText(plan, model.graph), "again", model.graph);
    require(again.has_value(), "a plan does not read back: " + (again ? "" : again.error().message));
    require(again->steps == plan.steps && again->budgetBytes == plan.budgetBytes, "a plan reads back as another");
    require(planText(*again, model.graph) == planText(plan, model.graph), "a plan is written differently again");

    if (itemsOf(graph) > kMostItems || plan.steps.size() > kMostItems) return;
    explain(graph, costs, plan);
    const TimeBound bound = boundForPlan(graph, costs, plan);
    if (plan.budgetBytes > 0 && verdict.ok)
        require(!bound.infeasible && (bound.timeUs <= simulation->timeUs || near(bound.timeUs, simulation->timeUs)),
                "a plan beats its bound " + bound.method);
    if (!thorough) return;
    const MemoryLayout layout = layOut(memoryInstances(graph, costs, plan.steps));
    require(layout.heightBytes >= layout.loadBytes, "a layout that is lower than what it holds");
    for (const ExportFormat &format : exportFormats()) {
        const auto text = format.write({model, costs, plan});
        if (!text) {
            refusedWith(text.error().message);
            continue;
        }
        require(!text->empty(), "an empty export as " + format.name);
        if (format.suffix == "json")
            require(nlohmann::json::accept(*text), "an export as " + format.name + " that is not JSON");
        if (format.suffix == "html")
            require(countOf(*text, "<script") == (format.name == "html-player" ? 2 : 0), // its data and its own
                    "a page with a script of a file");
    }
}

void exercise(const Model &model)
{
    const Graph &graph = model.graph;
    require(graphFingerprint(graph) == graph.fingerprint, "a graph has another fingerprint now");
    const CostTable costs = referenceCosts(model);
    require(costs.timeUs.size() == graph.ops.size() && costs.workspaceBytes.size() == graph.ops.size(), "costs");
    for (const double timeUs : costs.timeUs)
        require(std::isfinite(timeUs) && timeUs >= 0, "an op whose time is no time");
    for (const Graph &each : {graph, withPlannedParameters(graph)}) {
        Plan keepAll = keepAllPlan(each);
        keepAll.parametersPlanned = each.parametersPlanned;
        const auto simulation = simulate(each, costs, keepAll.steps);
        require(simulation.has_value(),
                "keep-all cannot be replayed: " + (simulation ? "" : simulation.error().message));
        require(std::isfinite(simulation->timeUs), "a makespan that is no time");
        keepAll.budgetBytes = simulation->peakBytes;
        const Verdict verdict = checkPlan(graph, costs, keepAll);
        require(verdict.ok, "keep-all fails the checker: " + verdict.sentence);
        // Updates on the host wait for copies and run beside the others.
        const bool onHost = std::any_of(each.ops.begin(), each.ops.end(), [](const Op &op) { return op.onHost; });
        if (!each.parametersPlanned && !onHost)
            require(near(simulation->timeUs, keepAllTimeUs(costs)), "keep-all's time");
        if (itemsOf(each) > kMostItems || each.ops.size() > kMostOps) continue;
        boundsOf(each, costs, simulation->peakBytes, simulation->timeUs);
        exercisePlan(model, costs, keepAll);
        if (each.ops.empty()) continue;
        test::Random random(each.ops.size());
        Plan wild;
        wild.parametersPlanned = each.parametersPlanned;
        wild.steps = test::randomValidPlan(each, random);
        if (wild.steps.size() > kMostItems) continue;
        exercisePlan(model, costs, wild);
        wild.steps = test::mutatedPlan(each, wild.steps, random);
        exercisePlan(model, costs, wild);
    }
    if (itemsOf(graph) <= kMostItems) clustersOf(graph, costs);
}

} // namespace remat::fuzz
