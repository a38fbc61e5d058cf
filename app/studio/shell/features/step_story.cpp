#include "app/studio/shell/features/step_story.h"

#include "app/studio/base/text/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace remat::studio {

namespace {

struct StoryText {
    Q_DECLARE_TR_FUNCTIONS(StepPlayer)
};

/// `a, 12.0 MiB`, or `a and 3 more, 48.0 MiB`.
QString namesOf(const Graph &graph, const OpLabels &labels, const std::vector<StorageId> &storages)
{
    std::int64_t bytes = 0;
    StorageId largest = storages.front();
    for (const StorageId storage : storages) {
        bytes += graph.storage(storage).bytes;
        if (graph.storage(storage).bytes > graph.storage(largest).bytes) largest = storage;
    }
    const QString name = labels.storage(graph, largest);
    if (storages.size() == 1) return StoryText::tr("%1, %2").arg(name, bytesText(bytes));
    return StoryText::tr("%1 and %2 more, %3").arg(name).arg(storages.size() - 1).arg(bytesText(bytes));
}

/// The first op that reads what was made at a step, while that copy is there; may be none.
OpId nextReader(const Graph &graph, const std::vector<Step> &steps, OpId maker, std::size_t step)
{
    std::vector<StorageId> there = graph.op(maker).outputs;
    for (std::size_t i = step + 1; i < steps.size() && !there.empty(); ++i) {
        if (steps[i].kind == StepKind::Free) std::erase(there, steps[i].storage);
        if (steps[i].kind != StepKind::Compute) continue;
        if (steps[i].op == maker) return {};
        for (const StorageId read : graph.op(steps[i].op).inputs)
            if (std::find(there.begin(), there.end(), read) != there.end()) return steps[i].op;
    }
    return {};
}

/// Why an op is computed again: who reads it next, and what keeping it would have held.
QString whyAgain(const Graph &graph, const OpLabels &labels, const std::vector<Step> &steps, OpId op, std::size_t step,
                 std::int32_t dropped)
{
    std::int64_t bytes = 0;
    for (const StorageId output : graph.op(op).outputs)
        bytes += graph.storage(output).bytes;
    const QString held = StoryText::tr("Kept, it would have held %1 for %2 steps.")
                             .arg(bytesText(bytes), countText(static_cast<std::int64_t>(step) - dropped));
    const OpId reader = nextReader(graph, steps, op, step);
    if (!reader) return held;
    return StoryText::tr("%1 reads it next.").arg(labels.op(graph, reader)) + QLatin1Char(' ') + held;
}

/// The step that freed what the op makes, before `step`; −1 when there is none.
std::int32_t droppedAt(const Graph &graph, const std::vector<Step> &steps, OpId op, std::size_t step)
{
    const auto &outputs = graph.op(op).outputs;
    for (std::size_t i = step; i-- > 0;)
        if (steps[i].kind == StepKind::Free &&
            std::find(outputs.begin(), outputs.end(), steps[i].storage) != outputs.end())
            return static_cast<std::int32_t>(i);
    return -1;
}

} // namespace

QString stepStory(const CostedModel &model, const PlanEntry &plan, const OpLabels &labels, std::size_t sample)
{
    const Graph &graph = model.graph();
    const MemoryTimeline &line = *plan.timeline;
    const std::vector<Step> &steps = plan.plan->steps;
    const auto step = static_cast<std::size_t>(line.step[sample]);
    const OpId op = line.op[sample];
    const QString name = labels.op(graph, op);

    QStringList sentences;
    if (line.recompute[sample] == 0) {
        sentences << StoryText::tr("Computes %1.").arg(name);
    } else {
        const std::int32_t dropped = droppedAt(graph, steps, op, step);
        sentences
            << (dropped < 0
                    ? StoryText::tr("Computes %1 again.").arg(name)
                    : StoryText::tr("Computes %1 again: it was dropped at step %2.").arg(name, countText(dropped)));
        if (dropped >= 0) sentences << whyAgain(graph, labels, steps, op, step, dropped);
    }
    if (!graph.op(op).outputs.empty()) {
        std::int64_t made = 0;
        for (const StorageId output : graph.op(op).outputs)
            made += graph.storage(output).bytes;
        sentences << StoryText::tr("Makes %1.").arg(bytesText(made));
    }

    std::vector<StorageId> freed, out, in;
    for (std::size_t i = step + 1; i < steps.size() && steps[i].kind != StepKind::Compute; ++i)
        (steps[i].kind == StepKind::Free      ? freed
         : steps[i].kind == StepKind::Offload ? out
                                              : in)
            .push_back(steps[i].storage);
    if (!freed.empty()) sentences << StoryText::tr("Then frees %1.").arg(namesOf(graph, labels, freed));
    if (!out.empty()) sentences << StoryText::tr("Copies out %1.").arg(namesOf(graph, labels, out));
    if (!in.empty()) sentences << StoryText::tr("Brings back %1.").arg(namesOf(graph, labels, in));
    if (sample == line.peakSample) sentences << StoryText::tr("This is the peak.");
    return sentences.join(QLatin1Char(' '));
}

} // namespace remat::studio
