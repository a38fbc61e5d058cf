// SPDX-License-Identifier: Apache-2.0
// A plan as trace events: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include "core/exports/exporter.h"

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/graph/phase_name.h"
#include "core/plan/timeline.h"

#include <nlohmann/json.hpp>

namespace remat {

namespace {

enum Lane { kCompute = 1, kRecompute, kCopyOut, kCopyIn };

nlohmann::json threadName(int lane, const char *name)
{
    return {{"ph", "M"}, {"pid", 1}, {"tid", lane}, {"name", "thread_name"}, {"args", {{"name", name}}}};
}

nlohmann::json slice(int lane, const std::string &name, const char *category, double startUs, double endUs)
{
    return {{"ph", "X"},
            {"pid", 1},
            {"tid", lane},
            {"cat", category},
            {"name", printable(name)},
            {"ts", startUs},
            {"dur", endUs - startUs}};
}

/// Trace events of chrome://tracing and Perfetto: lanes for computing and copying, memory as a counter.
Expected<std::string> chromeTraceOfPlan(const ExportInput &input)
{
    const Graph &graph = input.model.graph;
    auto simulation = simulatePlan(graph, input.costs, input.plan);
    if (!simulation) return tl::unexpected(simulation.error());
    auto timeline = planTimeline(graph, input.costs, input.plan);
    if (!timeline) return tl::unexpected(timeline.error());

    nlohmann::json events = nlohmann::json::array();
    events.push_back({{"ph", "M"}, {"pid", 1}, {"name", "process_name"}, {"args", {{"name", printable(graph.name)}}}});
    events.push_back(threadName(kCompute, "compute"));
    events.push_back(threadName(kRecompute, "recompute"));
    std::size_t sample = 0;
    bool copies = false;
    for (std::size_t i = 0; i < input.plan.steps.size(); ++i) {
        const Step &step = input.plan.steps[i];
        const StepMemory &memory = simulation->steps[i];
        if (step.kind == StepKind::Compute) {
            const Op &op = graph.op(step.op);
            auto event = slice(timeline->recompute[sample] ? kRecompute : kCompute, op.name, phaseName(op.phase),
                               memory.startUs, memory.endUs);
            event["args"] = {{"step", i}, {"kind", printable(op.kind)}, {"module", printable(op.module)}};
            events.push_back(std::move(event));
            nlohmann::json bands = nlohmann::json::object();
            for (std::size_t category = 0; category < kCategoryCount; ++category)
                bands[categoryName(static_cast<Category>(category))] = timeline->bytes[category][sample];
            events.push_back({{"ph", "C"},
                              {"pid", 1},
                              {"name", "memory (bytes)"},
                              {"ts", timeline->startUs[sample]},
                              {"args", std::move(bands)}});
            ++sample;
        } else if (step.kind != StepKind::Free) {
            copies = true;
            auto event = slice(step.kind == StepKind::Offload ? kCopyOut : kCopyIn, graph.storage(step.storage).name,
                               "copy", memory.startUs, memory.endUs);
            event["args"] = {{"step", i}, {"bytes", graph.storage(step.storage).bytes}};
            events.push_back(std::move(event));
        }
    }
    if (copies) {
        events.push_back(threadName(kCopyOut, "copy out"));
        events.push_back(threadName(kCopyIn, "copy in"));
    }
    const nlohmann::json trace = {
        {"displayTimeUnit", "ms"}, {"otherData", {{"written_by", writtenBy()}}}, {"traceEvents", std::move(events)}};
    return trace.dump() + '\n';
}

} // namespace

namespace exporter {

const ExportFormat &chrome_trace()
{
    static const ExportFormat format = {
        .name = "chrome-trace",
        .title = "Chrome trace",
        .order = 30,
        .suffix = "json",
        .sentence = "lanes and memory over time, for Perfetto and chrome://tracing",
        .write = chromeTraceOfPlan,
    };
    return format;
}

} // namespace exporter

} // namespace remat
