// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/explain/explanation.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/jobs/quick_planner.h"
#include "core/base/bound_share.h"
#include "core/teaching/explain/budget.h"
#include "core/teaching/explain/choices.h"
#include "core/views/graph_figures.h"
#include "core/views/memory_step.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace remat::studio {

namespace {

struct ExplanationText {
    Q_DECLARE_TR_FUNCTIONS(Explanation)
};

QString stepText(std::int32_t step)
{
    return countText(step);
}

/// What keeping would have meant.
QString keptSentence(const WhyRecomputed &why, const Plan &plan)
{
    const QString again = ExplanationText::tr("Recomputing costs %1").arg(timeText(why.againUs));
    if (!why.kept) return again + QLatin1Char('.');
    if (why.kept->overBytes > 0)
        return ExplanationText::tr("%1; keeping it would put the peak %2 over the budget.")
            .arg(again, bytesText(why.kept->overBytes, Rounding::Up));
    const double savedUs = plan.predicted.timeUs - why.kept->timeUs;
    return ExplanationText::tr(
               "%1. Keeping it would fit, with a peak of %2, and save %3: a longer search may find that.")
        .arg(again, memoryText(why.kept->peakBytes), timeText(std::max(savedUs, 0.0)));
}

Explanation whyRecomputedText(const CostedModel &model, const PlanEntry &entry, const WhyRecomputed &why,
                              const OpLabels &labels)
{
    const Graph &graph = model.graph();
    Explanation answer;
    answer.bar = Token::Recomputed;
    answer.icon = QStringLiteral("rotate-ccw");
    answer.question = ExplanationText::tr("Why is %1 recomputed?").arg(labels.op(graph, why.op));
    const QString needed =
        why.reader ? ExplanationText::tr("Dropped at step %1, needed at step %2 by %3.")
                         .arg(stepText(why.droppedStep), stepText(why.neededStep), labels.op(graph, why.reader))
                   : ExplanationText::tr("Dropped at step %1, needed at step %2.")
                         .arg(stepText(why.droppedStep), stepText(why.neededStep));
    answer.sentences << needed << keptSentence(why, *entry.plan);
    if (why.times > 1)
        answer.sentences << ExplanationText::tr(
                                "It is computed again %1 times in all; this is the longest time it is away.")
                                .arg(countText(why.times));
    answer.links.push_back({ExplanationText::tr("Step %1").arg(stepText(why.droppedStep)), {}, {}, why.droppedStep});
    if (why.reader) answer.links.push_back({labels.op(graph, why.reader), why.reader, {}, -1});
    return answer;
}

QString droppedSentence(const WhyKept &why, const PlanEntry &entry)
{
    const auto ops = static_cast<std::int64_t>(why.chain.size());
    const QString cost =
        ops == 1 ? ExplanationText::tr("Dropping it would cost %1 to compute it again").arg(timeText(why.chainUs))
                 : ExplanationText::tr("Dropping it would cost %1: %2 ops would have to be computed again")
                       .arg(timeText(why.chainUs), countText(ops));
    if (!why.dropped) return cost + QLatin1Char('.');
    const std::int64_t less = entry.timeline->peakBytes - why.dropped->peakBytes;
    if (less > 0)
        return ExplanationText::tr("%1, and lower the peak by %2.").arg(cost, bytesText(less, Rounding::Down));
    if (less < 0) return ExplanationText::tr("%1, and raise the peak by %2.").arg(cost, bytesText(-less, Rounding::Up));
    return ExplanationText::tr("%1, and would not lower the peak.").arg(cost);
}

Explanation whyKeptText(const CostedModel &model, const PlanEntry &entry, const WhyKept &why, const OpLabels &labels)
{
    const Graph &graph = model.graph();
    Explanation answer;
    answer.bar = Token::Kept;
    answer.icon = QStringLiteral("pin");
    answer.question = ExplanationText::tr("Why is %1 kept?").arg(labels.storage(graph, why.storage));
    answer.sentences << ExplanationText::tr("Its %1 lie idle from step %2 until %3 reads them at step %4.")
                            .arg(bytesText(why.bytes), stepText(why.usedStep), labels.op(graph, why.reader),
                                 stepText(why.neededStep));
    if (why.output)
        answer.sentences << ExplanationText::tr("It is an output of the graph, which is held to the end.");
    else if (why.once)
        answer.sentences << ExplanationText::tr("What makes it may be computed only once, so it must be kept.");
    else
        answer.sentences << droppedSentence(why, entry);
    answer.links.push_back({ExplanationText::tr("Step %1").arg(stepText(why.neededStep)), {}, {}, why.neededStep});
    answer.links.push_back({labels.op(graph, why.reader), why.reader, {}, -1});
    return answer;
}

Explanation whyOffloadedText(const CostedModel &model, const PlanEntry &entry, const WhyOffloaded &why,
                             const OpLabels &labels)
{
    const Graph &graph = model.graph();
    Explanation answer;
    answer.bar = Token::Offloaded;
    answer.icon = QStringLiteral("arrow-down-to-line");
    answer.question = ExplanationText::tr("Why is %1 offloaded?").arg(labels.storage(graph, why.storage));
    const QString away = ExplanationText::tr("Its %1 leave the device at step %2 and come back at step %3")
                             .arg(bytesText(why.bytes), stepText(why.freedStep), stepText(why.backStep));
    answer.sentences << (why.reader ? ExplanationText::tr("%1, for %2 at step %3.")
                                          .arg(away, labels.op(graph, why.reader), stepText(why.neededStep))
                                    : away + QLatin1Char('.'));
    const MemoryTimeline &line = *entry.timeline;
    const auto place = std::lower_bound(line.step.begin(), line.step.end(), why.neededStep) - line.step.begin();
    const auto sample = static_cast<std::size_t>(place);
    const double waits = why.reader && sample > 0 && sample < line.op.size()
                             ? std::max(line.startUs[sample] - line.endUs[sample - 1], 0.0)
                             : 0;
    const QString copy = ExplanationText::tr("A copy takes %1 each way, beside computing").arg(timeText(why.copyUs));
    answer.sentences << (waits > 0 ? ExplanationText::tr("%1; the plan waits %2 there.").arg(copy, timeText(waits))
                                   : ExplanationText::tr("%1; nothing waits for it.").arg(copy));
    answer.sentences << (why.againUs >= 0
                             ? ExplanationText::tr(
                                   "Computing it again would take %1 of the device's own time, and what it reads.")
                                   .arg(timeText(why.againUs))
                             : ExplanationText::tr("What makes it may be computed only once."));
    answer.links.push_back({ExplanationText::tr("Step %1").arg(stepText(why.freedStep)), {}, {}, why.freedStep});
    if (why.reader) answer.links.push_back({labels.op(graph, why.reader), why.reader, {}, -1});
    return answer;
}

/// Neither dropped nor waited for: it is used up where it is made, held to the end, or resident.
Explanation plainText(const CostedModel &model, const Selection &selection, const OpLabels &labels)
{
    const Graph &graph = model.graph();
    Explanation answer;
    answer.icon = QStringLiteral("info");
    if (selection.storage && !graph.storage(selection.storage).producer) {
        answer.question = ExplanationText::tr("What is %1?").arg(toQString(graph.storage(selection.storage).name));
        answer.sentences
            << ExplanationText::tr(
                   "It is a parameter, a buffer or an input of %1: always on the device, whatever the plan.")
                   .arg(bytesText(graph.storage(selection.storage).bytes));
        return answer;
    }
    answer.question = ExplanationText::tr("What becomes of %1?").arg(labels.op(graph, selection.op));
    if (selection.storage && graph.storage(selection.storage).isOutput)
        answer.sentences << ExplanationText::tr("It is an output of the graph: computed once and held to the end.");
    else
        answer.sentences << ExplanationText::tr(
            "It is computed once. What it makes is read right away or never, so there is nothing to decide.");
    return answer;
}

template <class Id>
bool has(const std::vector<Id> &ascending, Id id)
{
    return std::binary_search(ascending.begin(), ascending.end(), id);
}

bool isDecided(const Pins &pins, const Selection &selection)
{
    return has(pins.recompute, selection.op) || has(pins.never, selection.op) || has(pins.keep, selection.storage);
}

} // namespace

Explanation explainSelection(const CostedModel &model, const PlanEntry &entry, const Selection &selection,
                             const OpLabels &labels)
{
    if (!selection.op && !selection.storage) return {};
    const Graph &graph = model.graph();
    if (selection.op)
        if (const auto why = whyRecomputed(graph, *model.costs, *entry.plan, selection.op))
            return whyRecomputedText(model, entry, *why, labels);
    if (selection.storage)
        if (const auto why = whyOffloaded(graph, *model.costs, *entry.plan, selection.storage))
            return whyOffloadedText(model, entry, *why, labels);
    if (selection.storage)
        if (const auto why = whyKept(graph, *model.costs, *entry.plan, selection.storage))
            return whyKeptText(model, entry, *why, labels);
    return plainText(model, selection, labels);
}

Explanation explainCluster(const CostedModel &model, const PlanEntry &entry, const ExplainedCluster &cluster,
                           const OpLabels &labels)
{
    const Graph &graph = model.graph();
    const MemoryTimeline &line = *entry.timeline;
    Explanation answer;
    answer.icon = QStringLiteral("layers");
    answer.question = ExplanationText::tr("What becomes of %1?").arg(cluster.title);
    std::vector<std::uint8_t> inside(graph.ops.size(), 0);
    for (const auto *ops : {&cluster.forward, &cluster.backward})
        for (const OpId op : *ops)
            inside[op.index()] = 1;

    const std::vector<Fate> fates = storageFates(graph, line);
    std::int64_t kept = 0, again = 0, parked = 0, largestKept = 0;
    StorageId largest;
    for (const OpId op : cluster.forward)
        for (const StorageId output : graph.op(op).outputs) {
            const std::int64_t bytes = graph.storage(output).bytes;
            const Fate fate = fates[output.index()];
            if (fate == Fate::Kept && bytes > largestKept) {
                largestKept = bytes;
                largest = output;
            }
            kept += fate == Fate::Kept ? bytes : 0;
            again += fate == Fate::Recomputed ? bytes : 0;
            parked += fate == Fate::Offloaded ? bytes : 0;
        }
    QStringList parts;
    if (kept > 0) parts << ExplanationText::tr("%1 are kept").arg(bytesText(kept));
    if (again > 0) parts << ExplanationText::tr("%1 are computed again").arg(bytesText(again));
    if (parked > 0) parts << ExplanationText::tr("%1 wait in host memory").arg(bytesText(parked));
    answer.sentences << (parts.isEmpty()
                             ? ExplanationText::tr("Nothing of what it makes is held for the backward pass.")
                             : ExplanationText::tr("Of what it makes for the backward pass %1.")
                                   .arg(parts.join(QStringLiteral(", "))));
    answer.bar = kept >= again && kept >= parked ? Token::Kept : again >= parked ? Token::Recomputed : Token::Offloaded;

    double againUs = 0;
    std::vector<std::uint8_t> seen(graph.ops.size(), 0);
    std::int64_t recomputed = 0;
    OpId dearest;
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        const OpId op = line.op[i];
        if (!line.recompute[i] || !inside[op.index()]) continue;
        againUs += line.endUs[i] - line.startUs[i];
        if (!std::exchange(seen[op.index()], std::uint8_t(1))) ++recomputed;
        if (!dearest || model.costs->time(op) > model.costs->time(dearest)) dearest = op;
    }
    const auto all = static_cast<std::int64_t>(cluster.forward.size() + cluster.backward.size());
    answer.sentences << (recomputed > 0
                             ? ExplanationText::tr(
                                   "%1 of its %2 ops are computed again, which adds %3 to every training step.")
                                   .arg(countText(recomputed), countText(all), timeText(againUs))
                             : ExplanationText::tr("None of its %1 ops is computed again.").arg(countText(all)));
    if (!line.op.empty()) {
        std::int64_t held = 0;
        for (const LiveRange &range : aliveAt(graph, line, line.peakSample))
            if (const OpId maker = graph.storage(range.storage).producer; maker && inside[maker.index()])
                held += graph.storage(range.storage).bytes;
        const double share = static_cast<double>(held) / static_cast<double>(std::max<std::int64_t>(line.peakBytes, 1));
        answer.sentences
            << ExplanationText::tr("It holds %1 at the peak, %2 of all.").arg(bytesText(held), shareText(share));
    }
    if (largest) answer.links.push_back({labels.storage(graph, largest), {}, largest, -1});
    if (dearest) answer.links.push_back({labels.op(graph, dearest), dearest, {}, -1});
    return answer;
}

QString holderReason(const CostedModel &model, const Holder &holder, const OpLabels &labels)
{
    if (holder.nextReader && holder.nextStep >= 0)
        return ExplanationText::tr("%1, step %2")
            .arg(labels.op(model.graph(), holder.nextReader), stepText(holder.nextStep));
    return holder.output ? ExplanationText::tr("held to the end") : ExplanationText::tr("nobody");
}

Explanation explainPeak(const CostedModel &model, const PlanEntry &entry, const Moment &moment, const OpLabels &labels)
{
    const Graph &graph = model.graph();
    Explanation answer;
    answer.bar = Token::Accent;
    answer.icon = QStringLiteral("chart-area");
    answer.question = ExplanationText::tr("What makes the peak?");
    const QString peak = memoryText(entry.timeline->peakBytes);
    QString first = ExplanationText::tr("At step %1, while %2 runs, %3 are held in %4 storages.")
                        .arg(stepText(moment.step), labels.op(graph, moment.op), peak,
                             countText(static_cast<std::int64_t>(moment.holders.size())));
    answer.sentences << first;
    if (!moment.holders.empty()) {
        std::int64_t most = 0;
        const std::size_t few = std::min<std::size_t>(moment.holders.size(), 3);
        for (std::size_t i = 0; i < few; ++i)
            most += moment.holders[i].bytes;
        const double share = static_cast<double>(most) / static_cast<double>(std::max<std::int64_t>(moment.bytes, 1));
        answer.sentences << ExplanationText::tr("The largest %1 make up %2 of that.").arg(few).arg(shareText(share));
    }
    if (moment.workspaceBytes > 0)
        answer.sentences << ExplanationText::tr("While it runs, the op needs %1 of scratch memory besides.")
                                .arg(bytesText(moment.workspaceBytes));
    answer.links.push_back({ExplanationText::tr("Step %1").arg(stepText(moment.step)), {}, {}, moment.step});
    answer.links.push_back({labels.op(graph, moment.op), moment.op, {}, -1});
    return answer;
}

namespace {

/// As plans do whose copies hide behind computing.
bool addsNoTime(const CostedModel &model, const PlanEntry &entry)
{
    return entry.timeline->timeUs - model.keepAllTimeUs <= kEqualShare * model.keepAllTimeUs;
}

} // namespace

Explanation explainBudget(const CostedModel &model, const PlanEntry &entry, std::int64_t budgetBytes,
                          const OpLabels &labels, std::int64_t leastInChunksBytes)
{
    const Graph &graph = model.graph();
    const std::int64_t ownBytes = entry.plan->budgetBytes;
    const PlanVerdict verdict = verdictOf(entry, budgetBytes);
    // What the plan's file says of peak and time is nobody's proof.
    Prediction known = entry.plan->predicted;
    known.peakBytes = entry.timeline->peakBytes;
    known.timeUs = entry.timeline->timeUs;
    known.keepAllPeakBytes = model.keepAllPeakBytes;
    known.keepAllTimeUs = model.keepAllTimeUs;
    const BudgetStory story = whatBinds(known, ownBytes, model.floor);
    Explanation answer;
    answer.bar = Token::Budget;
    answer.icon = QStringLiteral("ruler");
    answer.question = ExplanationText::tr("Why is it not faster?");
    if (verdict.level == VerdictLevel::OverBudget || verdict.level == VerdictLevel::Failed) {
        answer.sentences << toQString(verdict.sentence);
        return answer;
    }
    if (ownBytes > 0 && budgetBytes > 0 && ownBytes != budgetBytes)
        answer.sentences << ExplanationText::tr("It was made for a budget of %1; what follows is about that one.")
                                .arg(memoryText(ownBytes));
    if (story.binding != Binding::Nothing && addsNoTime(model, entry)) {
        answer.sentences << ExplanationText::tr("It is as fast as can be: keeping everything needs %1 more, and the "
                                                "plan adds no time to a step.")
                                .arg(bytesText(story.missingBytes, Rounding::Up));
        return answer;
    }
    switch (story.binding) {
    case Binding::Nothing:
        answer.sentences << (ownBytes <= 0 && story.extraUs > 0
                                 ? ExplanationText::tr("Nothing: it was made without a budget.")
                                 : ExplanationText::tr(
                                       "Nothing: everything fits, so nothing has to be computed again."));
        break;
    case Binding::WorkingSet:
        answer.sentences << ExplanationText::tr("The budget is the smallest there is: %1 alone needs %2.")
                                .arg(story.floorOp ? labels.op(graph, story.floorOp)
                                                   : ExplanationText::tr("what is held at the end"),
                                     memoryText(story.floorBytes));
        break;
    case Binding::Bound:
        answer.sentences << ExplanationText::tr("Because of the budget: keeping everything needs %1 more. It is proven "
                                                "that no plan in this order of ops adds less than %2.")
                                .arg(bytesText(story.missingBytes, Rounding::Up), timeText(story.extraUs));
        break;
    case Binding::Budget:
        answer.sentences << ExplanationText::tr("Because of the budget: keeping everything needs %1 more. To do "
                                                "without, the plan adds %2 to each step.")
                                .arg(bytesText(story.missingBytes, Rounding::Up), timeText(story.extraUs));
        if (story.boundExtraUs > 0)
            answer.sentences << ExplanationText::tr("It is proven that at least %1 of that cannot be saved.")
                                    .arg(timeText(story.boundExtraUs));
        break;
    }
    if (story.binding != Binding::Nothing)
        answer.sentences
            << ExplanationText::tr("Room under the budget: %1.").arg(bytesText(story.roomBytes, Rounding::Down));
    if (story.cut) {
        answer.sentences << ExplanationText::tr(
                                "Memory is tightest when %1 is first computed: what is held then and what is needed "
                                "again later do not fit together, so some of it has to be computed twice.")
                                .arg(labels.op(graph, story.cut));
        answer.links.push_back({labels.op(graph, story.cut), story.cut, {}, -1});
    }
    if (story.binding != Binding::Nothing && leastInChunksBytes > 0)
        answer.sentences << floorsText(model, leastInChunksBytes);
    return answer;
}

Explanation explainMore(const CostedModel &model, const PlanEntry &entry, const Pins &pins, const StopToken &stop)
{
    Explanation answer;
    const std::int64_t budget = entry.plan->budgetBytes, all = model.keepAllPeakBytes;
    if (budget <= 0 || budget >= all || model.keepAllTimeUs <= 0 || addsNoTime(model, entry)) return answer;
    const std::int64_t larger = std::min(budget + memoryStepBytes(all), all);
    const QuickPlan quick = makeQuickPlan(model, larger, pins, 0, 0, stop);
    if (!quick.entry) return answer;
    answer.bar = Token::Ok;
    answer.icon = QStringLiteral("zoom-in");
    answer.question = ExplanationText::tr("What would %1 more buy?").arg(bytesText(larger - budget));
    const double now = entry.timeline->timeUs / model.keepAllTimeUs - 1;
    const double then = std::max(quick.entry->timeline->timeUs / model.keepAllTimeUs - 1, 0.0);
    const QString with = memoryText(larger);
    if (then < now)
        answer.sentences << ExplanationText::tr(
                                "Within %1 a quick plan adds %2, where this one adds %3: %4 saved in every step.")
                                .arg(with, shareText(then), shareText(now),
                                     timeText(entry.timeline->timeUs - quick.entry->timeline->timeUs));
    else
        answer.sentences << ExplanationText::tr(
                                "Within %1 a quick plan is no faster than this one; a longer search may be.")
                                .arg(with);
    return answer;
}

PlanStory tellStory(const CostedModel &model, const PlanEntry &entry, const StoryQuestion &question,
                    const StopToken &stop)
{
    const OpLabels labels(model.graph());
    PlanStory story;
    story.selected = explainSelection(model, entry, question.selection, labels);
    if (question.selection == Selection{} && !question.cluster.title.isEmpty())
        story.selected = explainCluster(model, entry, question.cluster, labels);
    else if (!story.selected.empty() && isDecided(question.pins, question.selection))
        story.selected.sentences << ExplanationText::tr("It was decided so by hand.");
    if (question.depth != StoryDepth::All) return story;
    if (!entry.timeline->op.empty()) {
        story.moment = momentAt(model.graph(), *entry.timeline, entry.timeline->peakSample);
        story.peak = explainPeak(model, entry, story.moment, labels);
    }
    story.budget = explainBudget(model, entry, question.budgetBytes, labels, question.leastInChunksBytes);
    story.more = explainMore(model, entry, question.pins, stop);
    return story;
}

} // namespace remat::studio
