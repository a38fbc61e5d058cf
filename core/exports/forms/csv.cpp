// SPDX-License-Identifier: Apache-2.0
// A plan as a table of steps.
#include "core/exports/exporter.h"

#include "core/base/number.h"
#include "core/graph/phase_name.h"
#include "core/io/csv.h"
#include "core/plan/timeline.h"

namespace remat {

namespace {

const char *nameOf(StepKind kind)
{
    switch (kind) {
    case StepKind::Compute:
        return "compute";
    case StepKind::Free:
        return "free";
    case StepKind::Offload:
        return "offload";
    case StepKind::Prefetch:
        break;
    }
    return "prefetch";
}

/// One row per step: what, when, and what is held afterwards, by category.
Expected<std::string> csvOfPlan(const ExportInput &input)
{
    const Graph &graph = input.model.graph;
    auto simulation = simulatePlan(graph, input.costs, input.plan);
    if (!simulation) return tl::unexpected(simulation.error());
    auto timeline = planTimeline(graph, input.costs, input.plan);
    if (!timeline) return tl::unexpected(timeline.error());

    std::vector<std::string> head = {"step",  "do",       "name",   "kind",  "module",    "phase",
                                     "again", "start_us", "end_us", "bytes", "held_bytes"};
    for (std::size_t category = 0; category < kCategoryCount; ++category)
        head.push_back(std::string(categoryName(static_cast<Category>(category))) + " bytes");
    std::string text = csvLine(head);

    std::size_t sample = 0;
    for (std::size_t i = 0; i < input.plan.steps.size(); ++i) {
        const Step &step = input.plan.steps[i];
        const StepMemory &memory = simulation->steps[i];
        const bool computes = step.kind == StepKind::Compute;
        std::vector<std::string> row = {std::to_string(i), nameOf(step.kind)};
        std::int64_t bytes = 0;
        bool again = false;
        if (computes) {
            const Op &op = graph.op(step.op);
            again = timeline->recompute[sample] != 0;
            for (const StorageId output : op.outputs)
                bytes += graph.storage(output).bytes;
            row.insert(row.end(), {op.name, op.kind, op.module, phaseName(op.phase)});
        } else {
            const Storage &storage = graph.storage(step.storage);
            const bool made = static_cast<bool>(storage.producer);
            bytes = storage.bytes;
            row.insert(row.end(), {storage.name, storage.type, made ? graph.op(storage.producer).module : std::string(),
                                   made ? phaseName(graph.op(storage.producer).phase) : ""});
        }
        row.insert(row.end(), {again ? "1" : "0", fixedNumber(memory.startUs, 3), fixedNumber(memory.endUs, 3),
                               std::to_string(bytes), std::to_string(memory.heldBytes)});
        // Categories are known while ops run; between them there is only the sum.
        for (const std::vector<std::int64_t> &band : timeline->bytes)
            row.push_back(computes ? std::to_string(band[sample]) : std::string());
        if (computes) ++sample;
        text += csvLine(row);
    }
    return text;
}

} // namespace

namespace exporter {

const ExportFormat &csv()
{
    static const ExportFormat format = {
        .name = "csv",
        .title = "Steps as CSV",
        .order = 20,
        .suffix = "csv",
        .sentence = "one row per step with its times and what is held after it",
        .write = csvOfPlan,
    };
    return format;
}

} // namespace exporter

} // namespace remat
