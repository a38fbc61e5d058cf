// SPDX-License-Identifier: Apache-2.0
// `remat-plan/1`, and `/2` for graphs in chunks: readPlan and writePlan.
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/chunks_json.h"
#include "core/io/file_kind.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"
#include "core/io/plan_text.h"
#include "core/io/validation_json.h"

#include <fmt/core.h>
#include <unordered_map>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

/// A plan in chunks is for the graph as it was traced: its reader makes the chunks.
const std::string &planFingerprint(const Graph &graph, const ChunkedFrom &from)
{
    return from.given() ? from.fingerprint : graph.fingerprint;
}

template <class Id, class Item>
std::unordered_map<std::string_view, Id> namesOf(const std::vector<Item> &items)
{
    std::unordered_map<std::string_view, Id> names;
    names.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        names.emplace(items[i].name, Id(i));
    return names;
}

template <class Id>
Id idOf(const JsonCursor &cursor, const char *what, const std::unordered_map<std::string_view, Id> &names,
        bool inChunks)
{
    const std::string name = cursor.text();
    const auto known = names.find(name);
    if (known != names.end()) return known->second;
    // The graph is the one that was traced, or the file would have been refused before.
    if (inChunks)
        cursor.fail("is {}, which is no {} of the graph in these chunks. Another version of Remat Studio, which joined "
                    "or added up the pieces in another way, may have made the plan. Plan again with --chunk.",
                    quotedName(name), what);
    else
        cursor.fail("is {}, which is no {} of the graph.", quotedName(name), what);
    return {};
}

std::vector<Step> readSteps(const JsonCursor &steps, const Graph &graph, bool inChunks)
{
    const auto ops = namesOf<OpId>(graph.ops);
    const auto storages = namesOf<StorageId>(graph.storages);
    std::vector<Step> result;
    for (const JsonCursor &step : steps.items()) {
        const std::string kind = step["do"].text();
        if (kind == "compute")
            result.push_back(Step::compute(idOf(step["op"], "op", ops, inChunks)));
        else if (kind == "free")
            result.push_back(Step::free(idOf(step["storage"], "storage", storages, inChunks)));
        else if (kind == "offload")
            result.push_back(Step::offload(idOf(step["storage"], "storage", storages, inChunks)));
        else if (kind == "prefetch")
            result.push_back(Step::prefetch(idOf(step["storage"], "storage", storages, inChunks)));
        else
            step["do"].fail(
                fmt::format("is \"{}\"; it must be compute, free, offload or prefetch.", kind.substr(0, 60)));
        if (steps.failed()) break;
    }
    return result;
}

CostSource readCostSource(const JsonCursor &cursor)
{
    CostSource source;
    source.kind = cursor.textOr("kind", "");
    source.device = cursor.textOr("device", "");
    source.link = cursor.textOr("link", source.kind == "roofline" ? source.device : "");
    source.digest = cursor.textOr("digest", "");
    return source;
}

PlanOrigin readOrigin(const JsonCursor &solver)
{
    PlanOrigin origin;
    origin.solver = solver.textOr("name", "");
    origin.seconds = solver.numberOr("seconds", 0, 0);
    origin.status = solver.textOr("status", "");
    if (const JsonCursor options = solver.find("options")) {
        for (const auto &[key, value] : options.members())
            origin.options[key] = value.written();
    }
    return origin;
}

Prediction readPrediction(const JsonCursor &predicted, const Graph &graph)
{
    Prediction result;
    result.peakBytes = predicted.integerOr("peak_bytes", 0, 0);
    result.timeUs = predicted.numberOr("time_us", 0, 0);
    result.keepAllPeakBytes = predicted.integerOr("keep_all_peak_bytes", 0, 0);
    result.keepAllTimeUs = predicted.numberOr("keep_all_time_us", 0, 0);
    result.lowerBoundTimeUs = predicted.numberOr("lower_bound_time_us", 0, 0);
    result.lowerBoundMethod = predicted.textOr("lower_bound_method", "");
    result.anyOrderBoundTimeUs = predicted.numberOr("any_order_bound_time_us", 0, 0);
    const std::string cut = predicted.textOr("lower_bound_cut", "");
    const auto op = std::find_if(graph.ops.begin(), graph.ops.end(), [&](const Op &o) { return o.name == cut; });
    if (op != graph.ops.end()) result.lowerBoundCut = OpId(static_cast<std::size_t>(op - graph.ops.begin()));
    return result;
}

CompiledPeak readCompiled(const JsonCursor &compiled)
{
    CompiledPeak peak;
    peak.compiler = compiled["with"].text();
    if (peak.compiler != "inductor") compiled["with"].fail("is {}; it must be inductor.", quotedName(peak.compiler));
    peak.peakBytes = compiled["peak_bytes"].integer(0);
    peak.plainPeakBytes = compiled["plain_peak_bytes"].integer(0);
    return peak;
}

Json stepJson(const Step &step, const Graph &graph)
{
    switch (step.kind) {
    case StepKind::Compute:
        return {{"do", "compute"}, {"op", graph.op(step.op).name}};
    case StepKind::Free:
        return {{"do", "free"}, {"storage", graph.storage(step.storage).name}};
    case StepKind::Offload:
        return {{"do", "offload"}, {"storage", graph.storage(step.storage).name}};
    case StepKind::Prefetch:
        break;
    }
    return {{"do", "prefetch"}, {"storage", graph.storage(step.storage).name}};
}

} // namespace

Expected<Plan> readPlan(const std::filesystem::path &path, const Graph &graph)
{
    if (auto right = expectKind(path, FileKind::Plan); !right) return tl::unexpected(right.error());
    const Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    return parsePlan(*text, path.filename().string(), graph);
}

Expected<Plan> parsePlan(std::string_view text, const std::string &title, const Graph &graph, const ChunkedFrom &from)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();

    const JsonCursor chunks = root.find("chunks");
    checkFormat(root, chunks ? "remat-plan/2" : "remat-plan/1", "a plan");
    const Chunking chunking = chunks ? readChunks(chunks) : Chunking();
    checkGraphHeader(root["graph"], graph, planFingerprint(graph, from), "plan",
                     "Open the model that it was made for, or plan again.");
    if (!root.failed() && !(chunking == from.chunking))
        root["steps"].fail(chunking.regions.empty()
                               ? "are of the graph as it was traced, and this is the graph in chunks. Plan again."
                               : "are of the graph in chunks, and this is the graph in others, or without. Open the "
                                 "plan with `remat`, or plan without --chunk.");
    Plan plan;
    plan.budgetBytes = root.integerOr("budget_bytes", 0, 0);
    if (const JsonCursor parameters = root.find("parameters")) {
        plan.parametersPlanned = true;
        if (parameters.text() != "planned")
            parameters.fail("must be \"planned\", or be left out where parameters are resident.");
    }
    if (const JsonCursor solver = root.find("solver")) plan.origin = readOrigin(solver);
    if (const JsonCursor source = root.find("cost_source")) plan.costSource = readCostSource(source);
    if (const JsonCursor predicted = root.find("predicted")) plan.predicted = readPrediction(predicted, graph);
    plan.steps = readSteps(root["steps"], graph, from.given());
    if (const JsonCursor validated = root.find("validated"))
        plan.validated = readValidation(validated, plan.steps.size());
    if (const JsonCursor compiled = root.find("compiled")) plan.compiled = readCompiled(compiled);
    if (document->failed()) return document->failure();
    return plan;
}

Expected<void> writePlan(const std::filesystem::path &path, const Plan &plan, const Graph &graph)
{
    return writeFileAtomically(path, planText(plan, graph));
}

std::string planText(const Plan &plan, const Graph &graph, const ChunkedFrom &from)
{
    const Prediction &predicted = plan.predicted;
    Json head = {{"format", from.given() ? "remat-plan/2" : "remat-plan/1"},
                 {"written_by", writtenBy()},
                 {"graph", graphHeader(graph, planFingerprint(graph, from))},
                 {"budget_bytes", plan.budgetBytes},
                 {"solver",
                  {{"name", plan.origin.solver},
                   {"options", plan.origin.options},
                   {"seconds", plan.origin.seconds},
                   {"status", plan.origin.status}}},
                 {"cost_source",
                  {{"kind", plan.costSource.kind},
                   {"device", plan.costSource.device},
                   {"link", plan.costSource.link},
                   {"digest", plan.costSource.digest}}},
                 {"predicted",
                  {{"peak_bytes", predicted.peakBytes},
                   {"time_us", predicted.timeUs},
                   {"keep_all_peak_bytes", predicted.keepAllPeakBytes},
                   {"keep_all_time_us", predicted.keepAllTimeUs},
                   {"lower_bound_time_us", predicted.lowerBoundTimeUs},
                   {"lower_bound_method", predicted.lowerBoundMethod},
                   {"lower_bound_cut", predicted.lowerBoundCut ? graph.op(predicted.lowerBoundCut).name : ""}}},
                 {"validated", plan.validated ? validationJson(*plan.validated) : Json(nullptr)}};

    if (predicted.anyOrderBoundTimeUs > 0) head["predicted"]["any_order_bound_time_us"] = predicted.anyOrderBoundTimeUs;
    if (plan.parametersPlanned) head["parameters"] = "planned";
    if (const auto &compiled = plan.compiled)
        head["compiled"] = {{"with", compiled->compiler},
                            {"peak_bytes", compiled->peakBytes},
                            {"plain_peak_bytes", compiled->plainPeakBytes}};
    if (from.given()) head["chunks"] = chunksJson(from.chunking);

    std::vector<Json> steps;
    steps.reserve(plan.steps.size());
    for (const Step &step : plan.steps)
        steps.push_back(stepJson(step, graph));
    return linesOf(head, "steps", steps);
}

} // namespace remat
