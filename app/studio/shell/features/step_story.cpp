// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/step_story.h"

#include "app/studio/base/text/text.h"
#include "core/teaching/explain/step_story.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct StoryText {
    Q_DECLARE_TR_FUNCTIONS(StepPlayer)
};

/// The sentences in the person's language.
StepWords words()
{
    const auto text = [](const QString &pattern) { return pattern.toStdString(); };
    StepWords words;
    words.computes = text(StoryText::tr("Computes %1 because %2 reads it next, at step %3."));
    words.computesOutput =
        text(StoryText::tr("Computes %1: it makes an output of the step, which is held to the end."));
    words.computesForNobody = text(StoryText::tr("Computes %1; nothing reads what it makes."));
    words.again =
        text(StoryText::tr("Computed again because %2 reads %1 next; kept, it would have cost %3 over %4 steps."));
    words.againForNobody = text(StoryText::tr("Computes %1 again; kept, it would have cost %3 over %4 steps."));
    words.frees = text(StoryText::tr("Frees %1, %2: nothing reads it any more."));
    words.freesMany = text(StoryText::tr("Frees %1 and %2 more, %3: nothing reads them any more."));
    words.makesRoom =
        text(StoryText::tr("Frees %1, %2, to make room; it is computed again at step %3, before %4 reads it."));
    words.makesRoomMany =
        text(StoryText::tr("Frees %1 and %2 more, %3, to make room; they are computed again from step %4 on."));
    words.freesCopied = text(StoryText::tr("Frees %1, %2: a copy in host memory comes back at step %3."));
    words.freesCopiedMany =
        text(StoryText::tr("Frees %1 and %2 more, %3: copies in host memory come back from step %4 on."));
    words.offloads =
        text(StoryText::tr("Copies %1, %2, to host memory: it is not read before it comes back at step %3."));
    words.offloadsForGood = text(StoryText::tr("Copies %1, %2, to host memory, where it stays."));
    words.prefetches = text(StoryText::tr("Brings %1, %2, back from host memory because %3 reads it at step %4."));
    words.prefetchesToStay = text(StoryText::tr("Brings %1, %2, back from host memory, where it began."));
    words.peak = text(StoryText::tr("This is the peak."));
    return words;
}

} // namespace

QString stepStory(const CostedModel &model, const PlanEntry &plan, const OpLabels &labels, std::size_t sample)
{
    const Graph &graph = model.graph();
    const StepNames names{[&](OpId op) { return labels.op(graph, op).toStdString(); },
                          [&](StorageId storage) { return labels.storage(graph, storage).toStdString(); }};
    const std::vector<Step> &steps = plan.plan->steps;
    return toQString(stepSentence(steps, stepReasons(graph, steps), *plan.timeline, sample, words(), names));
}

} // namespace remat::studio
