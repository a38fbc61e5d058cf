// SPDX-License-Identifier: Apache-2.0
// remat info: what a model is made of, what its peak is made of, and what no plan can beat.
#include "app/cli/chunk_flag.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "core/base/memory_units.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/bounds/bounds.h"
#include "core/clusters/cluster_tree.h"
#include "core/io/json_cursor.h"
#include "core/plan/eager_verdict.h"
#include "core/plan/timeline.h"
#include "solvers/uses/eager_plan.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <set>

namespace remat::cli {

namespace {

constexpr std::size_t kPeakStoragesShown = 8;

struct Counts {
    std::size_t forward = 0, loss = 0, backward = 0, random = 0;
    std::int64_t resident = 0, residentBytes = 0;
};

Counts countParts(const Graph &graph)
{
    Counts counts;
    for (const Op &op : graph.ops) {
        counts.forward += op.phase == Phase::Forward;
        counts.loss += op.phase == Phase::Loss;
        counts.backward += op.phase == Phase::Backward;
        counts.random += op.random;
    }
    for (const Storage &storage : graph.storages)
        if (isResident(storage.kind)) {
            ++counts.resident;
            counts.residentBytes += storage.bytes;
        }
    return counts;
}

std::size_t distinctBlocks(const ClusterTree &partition)
{
    std::set<ClusterId> representatives;
    for (const ClusterId child : partition.cluster(partition.root()).children)
        representatives.insert(partition.cluster(child).representative);
    return representatives.size();
}

struct Report {
    const ModelWithCosts &subject;
    Counts counts;
    ClusterTree modules, partition;
    MemoryTimeline timeline;
    std::vector<LiveRange> atPeak;
    std::vector<PeakBound> floors;  ///< for every plan first
    std::optional<EagerPlan> today; ///< none where it is keep-all
    std::optional<FloorInChunks> chunks;
};

/// The whole record, so that scripts see every tensor that differs; null for graphs as JSON.
nlohmann::json eagerJson(const Model &model)
{
    if (!model.program) return nullptr;
    const EagerComparison &eager = model.eager;
    nlohmann::json tensors = nlohmann::json::array(), first;
    for (const EagerTensor &tensor : eager.tensors)
        if (!tensor.equal)
            tensors.push_back({{"name", tensor.name},
                               {"kind", tensor.kind},
                               {"relative", exactNumber(tensor.relative)},
                               {"explained_by", tensor.explainedBy}});
    if (const auto &op = eager.firstOp)
        first = {{"name", op->name},
                 {"operator", op->operatorName},
                 {"module", op->module},
                 {"line", op->line},
                 {"relative", exactNumber(op->relative)}};
    return {{"verdict", eagerVerdictName(eager.verdict)},
            {"sentence", eagerSentence(model)},
            {"torch", eager.torchVersion},
            {"compared", eager.tensors.size()},
            {"different", std::move(tensors)},
            {"first_op", std::move(first)}};
}

nlohmann::json toJson(const Report &r)
{
    const Graph &graph = r.subject.graph();
    nlohmann::json peak = nlohmann::json::array();
    for (const LiveRange &range : r.atPeak)
        peak.push_back({{"storage", graph.storage(range.storage).name},
                        {"bytes", graph.storage(range.storage).bytes},
                        {"category", categoryName(range.category)}});
    nlohmann::json floors = nlohmann::json::array();
    for (const PeakBound &floor : r.floors)
        floors.push_back({{"bytes", floor.bytes},
                          {"op", floor.op ? graph.op(floor.op).name : ""},
                          {"method", floor.method},
                          {"holds_for", holdsForName(floor.holdsFor)}});
    const nlohmann::json chunks = r.chunks ? nlohmann::json{{"title", r.chunks->title},
                                                            {"floor_bytes", r.chunks->floorBytes},
                                                            {"keep_all_time_us", r.chunks->keepAllTimeUs},
                                                            {"most_pieces", kMostPieces},
                                                            {"least_floor_bytes", r.chunks->leastFloorBytes}}
                                           : nlohmann::json();
    const Op &peakOp = graph.op(r.timeline.op[r.timeline.peakSample]);
    const nlohmann::json today = r.today ? nlohmann::json{{"peak_bytes", r.today->plan->predicted.peakBytes},
                                                          {"time_us", r.today->plan->predicted.timeUs},
                                                          {"checkpoints", r.today->checkpoints}}
                                         : nlohmann::json();
    return {
        {"name", graph.name},
        {"fingerprint", graph.fingerprint},
        {"lacks", lackedBy(*r.subject.model)},
        {"eager", eagerJson(r.subject.asRead())},
        {"ops", graph.ops.size()},
        {"forward_ops", r.counts.forward},
        {"loss_ops", r.counts.loss},
        {"backward_ops", r.counts.backward},
        {"random_ops", r.counts.random},
        {"storages", graph.storages.size()},
        {"resident_bytes", r.counts.residentBytes},
        {"modules", r.modules.clusters.size()},
        {"blocks", r.partition.cluster(r.partition.root()).children.size()},
        {"distinct_blocks", distinctBlocks(r.partition)},
        {"cost_source", {{"kind", r.subject.costs.source.kind}, {"device", r.subject.costs.source.device}}},
        {"keep_all",
         {{"peak_bytes", r.timeline.peakBytes},
          {"time_us", r.timeline.timeUs},
          {"peak_op", peakOp.name},
          {"held_at_peak", peak}}},
        {"today", today},
        {"chunks", chunks},
        {"working_set",
         {{"bytes", r.floors.front().bytes}, {"op", r.floors.front().op ? graph.op(r.floors.front().op).name : ""}}},
        {"peak_bounds", std::move(floors)}};
}

void print(const Report &r)
{
    const Graph &graph = r.subject.graph();
    say(stdout, "%s\n", printable(graph.name).c_str());
    say(stdout, "  ops         %s (%s forward, %s loss, %s backward; %s random)\n",
        formatCount(static_cast<std::int64_t>(graph.ops.size())).c_str(),
        formatCount(static_cast<std::int64_t>(r.counts.forward)).c_str(),
        formatCount(static_cast<std::int64_t>(r.counts.loss)).c_str(),
        formatCount(static_cast<std::int64_t>(r.counts.backward)).c_str(),
        formatCount(static_cast<std::int64_t>(r.counts.random)).c_str());
    const auto storages = static_cast<std::int64_t>(graph.storages.size());
    say(stdout, "  storages    %s that plans hold and free; %s resident, %s (parameters, buffers, inputs)\n",
        formatCount(storages - r.counts.resident).c_str(), formatCount(r.counts.resident).c_str(),
        formatBytes(r.counts.residentBytes).c_str());
    say(stdout, "  clusters    %zu modules; %zu blocks to solve, %zu of them distinct\n", r.modules.clusters.size(),
        r.partition.cluster(r.partition.root()).children.size(), distinctBlocks(r.partition));
    if (const std::string said = eagerSentence(r.subject.asRead()); !said.empty())
        say(stdout, "  PyTorch     %s\n", printable(said).c_str());
    if (const std::string &lacks = lackedBy(*r.subject.model); !lacks.empty())
        say(stdout, "  lacks       %s\n", printable(lacks).c_str());
    say(stdout, "  costs       %s %s\n", r.subject.costs.source.kind.c_str(),
        printable(r.subject.costs.source.device).c_str());
    say(stdout, "  keep-all    %s peak, %s\n", formatMemory(r.timeline.peakBytes).c_str(),
        formatTimeUs(r.timeline.timeUs).c_str());
    if (r.today)
        say(stdout, "  today       %s peak (%s), %s: %s; --today FILE writes the plan\n",
            formatBytes(r.today->plan->predicted.peakBytes, Rounding::Up).c_str(),
            formatShare(shareOf(r.today->plan->predicted.peakBytes, r.timeline.peakBytes), Rounding::Up).c_str(),
            formatTimeUs(r.today->plan->predicted.timeUs).c_str(),
            r.today->checkpoints ? "the model checkpoints its activations itself"
                                 : "a function of the backward pass holds what it reads and makes until it returns");
    for (std::size_t i = 0; i < r.floors.size(); ++i) {
        const PeakBound &floor = r.floors[i];
        if (i > 0 && floor.bytes == r.floors[i - 1].bytes) continue;
        const double peakBytes = static_cast<double>(std::max<std::int64_t>(1, r.timeline.peakBytes));
        say(stdout, "  %-11s %s (%s of the peak)%s%s, %s. %s\n", i == 0 ? "floor" : "",
            formatMemory(floor.bytes).c_str(), formatMemoryShare(static_cast<double>(floor.bytes) / peakBytes).c_str(),
            floor.op ? ", needed by " : "", floor.op ? printable(graph.op(floor.op).name).c_str() : "",
            floor.method.c_str(), holdsForSentence(floor.holdsFor));
    }
    if (r.chunks) {
        const auto share = [&](std::int64_t bytes) { return formatMemoryShare(shareOf(bytes, r.timeline.peakBytes)); };
        const double slower = r.timeline.timeUs > 0 ? r.chunks->keepAllTimeUs / r.timeline.timeUs - 1 : 0;
        say(stdout,
            "  chunks      with %s the floor is %s (%s instead of %s), at %s more time. No chunks, up to %d, bring it "
            "below "
            "%s. See `remat plan --chunk auto`.\n",
            r.chunks->title.c_str(), formatMemory(r.chunks->floorBytes).c_str(), share(r.chunks->floorBytes).c_str(),
            share(r.floors.front().bytes).c_str(), formatShare(slower).c_str(), kMostPieces,
            share(r.chunks->leastFloorBytes).c_str());
    }
    say(stdout, "  the peak, at %s, holds\n", printable(graph.op(r.timeline.op[r.timeline.peakSample]).name).c_str());
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < r.atPeak.size(); ++i) {
        const Storage &storage = graph.storage(r.atPeak[i].storage);
        if (i >= kPeakStoragesShown) {
            rest += storage.bytes;
            continue;
        }
        say(stdout, "    %10s  %-28s %s %s\n", formatBytes(storage.bytes).c_str(), printable(storage.name).c_str(),
            printable(storage.type).c_str(), categoryName(r.atPeak[i].category));
    }
    if (r.atPeak.size() > kPeakStoragesShown)
        say(stdout, "    %10s  in %zu more\n", formatBytes(rest).c_str(), r.atPeak.size() - kPeakStoragesShown);
}

int runInfo(const std::string &path, const CostFlags &flags, const UpdateFlags &updates, const std::string &todayPath,
            bool json)
{
    auto subject = openModelWithCosts(path, flags, updates);
    if (!subject) return badInput(subject.error());
    const Graph &graph = subject->graph();
    if (graph.ops.empty()) return badInput({path + " has no ops. Trace a model with a loss and gradients."});
    auto timeline = buildTimeline(graph, subject->costs, keepAllPlan(graph).steps);
    if (!timeline) return badInput(timeline.error());

    auto today = planOfEager(*subject->model, subject->costs);
    if (!today) return badInput(today.error());
    auto atPeak = aliveAt(graph, *timeline, timeline->peakSample);
    std::vector<PeakBound> floors = peakBounds(graph, subject->costs);
    auto chunks = floorWithChunks(*subject, flags, floors.front());
    const Report report{*subject,
                        countParts(graph),
                        moduleTree(graph),
                        blockPartition(graph, subject->costs.timeUs, PartitionSizes{}),
                        std::move(*timeline),
                        std::move(atPeak),
                        std::move(floors),
                        *std::move(today),
                        std::move(chunks)};
    if (!todayPath.empty()) {
        if (!report.today)
            return badInput({"The trace says of no checkpoints of the model's own: what it does today is keep-all."});
        if (auto written = writePlan(todayPath, *report.today->plan, graph); !written) return badInput(written.error());
    }
    if (json)
        printJson(toJson(report));
    else
        print(report);
    return kDone;
}

void addInfo(CLI::App &app, Action &action)
{
    struct Flags {
        std::string model;
        CostFlags costs;
        UpdateFlags updates;
        std::string today;
        bool json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App *command = app.add_subcommand("info", "ops, storages, clusters, keep-all peak and what makes it, bounds");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    flags->costs.add(*command);
    flags->updates.add(*command);
    command->add_option("--today", flags->today,
                        "plan file to write: what PyTorch does without a plan, as something to compare with");
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] {
        action = [flags] { return runInfo(flags->model, flags->costs, flags->updates, flags->today, flags->json); };
    });
}

} // namespace

const Command &command::info()
{
    static const Command command = {.order = 10, .add = addInfo};
    return command;
}

} // namespace remat::cli
