// SPDX-License-Identifier: Apache-2.0
// `remat-plan/1`, and `/2` for graphs in chunks: readPlan and writePlan.
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/chunk_comparison_json.h"
#include "core/io/chunks_json.h"
#include "core/io/file_kind.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"
#include "core/io/plan_text.h"
#include "core/plan/plan_verdict.h"

#include <cmath>
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
Id idOf(const JsonCursor &cursor, const char *what, const std::unordered_map<std::string_view, Id> &names)
{
    const std::string name = cursor.text();
    const auto known = names.find(name);
    if (known != names.end()) return known->second;
    cursor.fail("is " + quotedName(name) + ", which is no " + what + " of the graph.");
    return {};
}

std::vector<Step> readSteps(const JsonCursor &steps, const Graph &graph)
{
    const auto ops = namesOf<OpId>(graph.ops);
    const auto storages = namesOf<StorageId>(graph.storages);
    std::vector<Step> result;
    for (const JsonCursor &step : steps.items()) {
        const std::string kind = step["do"].text();
        if (kind == "compute")
            result.push_back(Step::compute(idOf(step["op"], "op", ops)));
        else if (kind == "free")
            result.push_back(Step::free(idOf(step["storage"], "storage", storages)));
        else if (kind == "offload")
            result.push_back(Step::offload(idOf(step["storage"], "storage", storages)));
        else if (kind == "prefetch")
            result.push_back(Step::prefetch(idOf(step["storage"], "storage", storages)));
        else
            step["do"].fail("is \"" + kind.substr(0, 60) + "\"; it must be compute, free, offload or prefetch.");
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

double anyNumberOr(const JsonCursor &cursor, const char *key)
{
    const JsonCursor member = cursor.find(key);
    return member ? member.anyNumber() : 0;
}

int countOr(const JsonCursor &cursor, const char *key)
{
    return static_cast<int>(cursor.integerOr(key, 0, 0, std::numeric_limits<int>::max()));
}

/// A list per figure, each as long as the plan had steps when it ran. Steps that were edited since have no
/// measurements.
std::vector<StepMeasurement> readMeasurements(const JsonCursor &cursor, std::size_t steps)
{
    std::vector<StepMeasurement> measured(cursor["held_bytes"].items().size());
    const auto read = [&](const char *key, const auto &take) {
        const std::vector<JsonCursor> items = cursor[key].items();
        if (items.size() != measured.size()) cursor[key].fail("must be as long as \"held_bytes\".");
        for (std::size_t step = 0; step < items.size() && !cursor.failed(); ++step)
            take(measured[step], items[step]);
    };
    read("held_bytes", [](StepMeasurement &step, const JsonCursor &item) { step.heldBytes = item.integer(0); });
    read("workspace_bytes",
         [](StepMeasurement &step, const JsonCursor &item) { step.workspaceBytes = item.integer(0); });
    read("made_bytes", [](StepMeasurement &step, const JsonCursor &item) { step.madeBytes = item.integer(0); });
    read("start_us", [](StepMeasurement &step, const JsonCursor &item) { step.startUs = item.number(); });
    read("end_us", [](StepMeasurement &step, const JsonCursor &item) { step.endUs = item.number(step.startUs); });
    if (measured.size() != steps) measured.clear();
    return measured;
}

Json measurementsJson(const std::vector<StepMeasurement> &steps)
{
    constexpr double kParts = 1000; // a nanosecond is finer than any clock of these
    Json held = Json::array(), workspace = Json::array(), made = Json::array(), start = Json::array(),
         end = Json::array();
    for (const StepMeasurement &step : steps) {
        held.push_back(step.heldBytes);
        workspace.push_back(step.workspaceBytes);
        made.push_back(step.madeBytes);
        start.push_back(std::round(step.startUs * kParts) / kParts);
        end.push_back(std::round(step.endUs * kParts) / kParts);
    }
    return {{"held_bytes", std::move(held)},
            {"workspace_bytes", std::move(workspace)},
            {"made_bytes", std::move(made)},
            {"start_us", std::move(start)},
            {"end_us", std::move(end)}};
}

std::vector<TensorDifference> readDifferences(const JsonCursor &cursor, const char *key)
{
    std::vector<TensorDifference> differences;
    if (const JsonCursor list = cursor.find(key))
        for (const JsonCursor &item : list.items())
            differences.push_back({item["name"].text(), item["largest_difference"].anyNumber()});
    return differences;
}

Json differencesJson(const std::vector<TensorDifference> &differences)
{
    Json list = Json::array();
    for (const TensorDifference &item : differences)
        list.push_back({{"name", item.name}, {"largest_difference", exactNumber(item.largestDifference)}});
    return list;
}

std::vector<std::string> readTexts(const JsonCursor &cursor, const char *key)
{
    std::vector<std::string> texts;
    if (const JsonCursor list = cursor.find(key))
        for (const JsonCursor &item : list.items())
            texts.push_back(item.text());
    return texts;
}

/// Files of version 0.1.0 know of no other reference than keep-all, and of no comparison with the CPU.
void readReference(const JsonCursor &cursor, ValidationRecord &record)
{
    const JsonCursor reference = cursor.find("reference");
    const std::string name = reference ? reference.text() : referenceName(ReferenceKind::KeepAll);
    bool known = false;
    for (const ReferenceKind kind : {ReferenceKind::KeepAll, ReferenceKind::AnotherPlan, ReferenceKind::Itself})
        if (name == referenceName(kind)) {
            record.reference = kind;
            known = true;
        }
    if (!known) reference.fail("is no reference that this program knows.");
    record.referencePeakBytes = cursor.integerOr("reference_peak_bytes", 0);
    record.restlessOps = readTexts(cursor, "restless_ops");
    record.warnedOps = readTexts(cursor, "warned_ops");
    record.excused = readDifferences(cursor, "excused");
    if (const JsonCursor cpu = cursor.find("cpu"))
        record.cpu = {cpu["done"].boolean(), cpu["largest_share"].anyNumber(), cpu["tolerance"].number(0),
                      cpu["worst"].text(), cpu["sentence"].text()};
}

void readEager(const JsonCursor &cursor, ValidationRecord &record)
{
    const JsonCursor eager = cursor.find("eager");
    if (!eager) return;
    const auto verdict = eagerVerdictOf(eager["verdict"].text());
    if (!verdict) eager["verdict"].fail("is no verdict that this program knows.");
    record.eagerVerdict = verdict.value_or(EagerVerdict::NotCompared);
    record.eagerSentence = eager["sentence"].text();
}

ValidationRecord readValidation(const JsonCursor &cursor, std::size_t steps)
{
    ValidationRecord record;
    record.passed = cursor["passed"].boolean();
    record.sentence = cursor.textOr("sentence", "");
    record.device = cursor.textOr("device", "");
    record.deviceTitle = cursor.textOr("device_title", "");
    record.torchVersion = cursor.textOr("torch_version", "");
    record.lossEqual = cursor.booleanOr("loss_equal", record.passed);
    record.gradients = countOr(cursor, "gradients");
    record.gradientsEqual = countOr(cursor, "gradients_equal");
    record.buffers = countOr(cursor, "buffers");
    record.buffersEqual = countOr(cursor, "buffers_equal");
    record.updated = countOr(cursor, "updated");
    record.updatedEqual = countOr(cursor, "updated_equal");
    record.largestDifference = anyNumberOr(cursor, "largest_difference");
    record.differences = readDifferences(cursor, "differences");
    readReference(cursor, record);
    // Version 0.1.0 kept only whether all passed; over the budget was no part of it.
    record.peakHolds = cursor.booleanOr("peak_holds", record.passed || !resultsEqual(record));
    record.stepsDigest = cursor.textOr("steps_digest", "");
    record.measuredPeakBytes = cursor.integerOr("measured_peak_bytes", 0);
    record.measuredKeepAllPeakBytes = cursor.integerOr("measured_keep_all_peak_bytes", 0);
    record.predictedPeakBytes = cursor.integerOr("predicted_peak_bytes", 0);
    record.peakReasons = readTexts(cursor, "peak_reasons");
    record.measuredTimeUs = anyNumberOr(cursor, "measured_time_us");
    record.measuredKeepAllTimeUs = anyNumberOr(cursor, "measured_keep_all_time_us");
    record.predictedTimeUs = anyNumberOr(cursor, "predicted_time_us");
    record.memory = cursor.textOr("memory", "");
    record.heightBytes = cursor.integerOr("height_bytes", 0);
    record.plannedHeightBytes = cursor.integerOr("planned_height_bytes", 0);
    record.hostBytes = cursor.integerOr("host_bytes", 0);
    readEager(cursor, record);
    if (const JsonCursor chunks = cursor.find("chunks")) record.chunks = readChunkComparison(chunks);
    if (const JsonCursor measured = cursor.find("steps")) record.steps = readMeasurements(measured, steps);
    return record;
}

Json validationJson(const ValidationRecord &record)
{
    Json object = {{"passed", record.passed},
                   {"peak_holds", record.peakHolds},
                   {"steps_digest", record.stepsDigest},
                   {"sentence", record.sentence},
                   {"device", record.device},
                   {"device_title", record.deviceTitle},
                   {"torch_version", record.torchVersion},
                   {"loss_equal", record.lossEqual},
                   {"gradients", record.gradients},
                   {"gradients_equal", record.gradientsEqual},
                   {"buffers", record.buffers},
                   {"buffers_equal", record.buffersEqual},
                   {"updated", record.updated},
                   {"updated_equal", record.updatedEqual},
                   {"largest_difference", exactNumber(record.largestDifference)},
                   {"differences", differencesJson(record.differences)},
                   {"measured_peak_bytes", record.measuredPeakBytes},
                   {"measured_keep_all_peak_bytes", record.measuredKeepAllPeakBytes},
                   {"predicted_peak_bytes", record.predictedPeakBytes},
                   {"peak_reasons", record.peakReasons},
                   {"measured_time_us", exactNumber(record.measuredTimeUs)},
                   {"measured_keep_all_time_us", exactNumber(record.measuredKeepAllTimeUs)},
                   {"predicted_time_us", exactNumber(record.predictedTimeUs)},
                   {"memory", record.memory},
                   {"height_bytes", record.heightBytes},
                   {"planned_height_bytes", record.plannedHeightBytes},
                   {"host_bytes", record.hostBytes},
                   {"reference", referenceName(record.reference)},
                   {"reference_peak_bytes", record.referencePeakBytes},
                   {"restless_ops", record.restlessOps},
                   {"warned_ops", record.warnedOps},
                   {"excused", differencesJson(record.excused)},
                   {"cpu",
                    {{"done", record.cpu.done},
                     {"largest_share", exactNumber(record.cpu.largestShare)},
                     {"tolerance", record.cpu.tolerance},
                     {"worst", record.cpu.worst},
                     {"sentence", record.cpu.sentence}}}};
    if (record.chunks.done || !record.chunks.sentence.empty()) object["chunks"] = chunkComparisonJson(record.chunks);
    object["eager"] = {{"verdict", eagerVerdictName(record.eagerVerdict)}, {"sentence", record.eagerSentence}};
    if (!record.steps.empty()) object["steps"] = measurementsJson(record.steps);
    return object;
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
    plan.steps = readSteps(root["steps"], graph);
    if (const JsonCursor validated = root.find("validated"))
        plan.validated = readValidation(validated, plan.steps.size());
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
    if (from.given()) head["chunks"] = chunksJson(from.chunking);

    std::vector<Json> steps;
    steps.reserve(plan.steps.size());
    for (const Step &step : plan.steps)
        steps.push_back(stepJson(step, graph));
    return linesOf(head, "steps", steps);
}

} // namespace remat
