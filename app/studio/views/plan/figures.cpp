// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/figures.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/op_link.h"
#include "app/studio/work/document/standing.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

constexpr int kRow = 22;

/// The bound to show, in µs; 0 where it says no more than that every op is computed once, and the plan takes longer.
double sayingBoundUs(const Document &document, const PlanEntry &entry)
{
    const double boundUs = document.boundTimeUs(entry), keepAllUs = document.model()->keepAllTimeUs;
    const bool saysNothing = boundUs <= keepAllUs && entry.timeline->timeUs > keepAllUs;
    return saysNothing && entry.kind != HoldsFor::EveryPlan ? 0 : boundUs;
}

/// `+8.14 ms`, `0`, `−1.2 ms`.
QString signedTime(double timeUs)
{
    if (std::abs(timeUs) < 0.5) return QStringLiteral("0");
    return (timeUs > 0 ? QStringLiteral("+") : QStringLiteral("−")) + timeText(std::abs(timeUs));
}

} // namespace

Figures::Figures(QWidget *parent) : QWidget(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_standing = addRow(tr("Plan"), QStringLiteral("figure.standing"));
    m_peak = addRow(tr("Peak"), QStringLiteral("figure.peak"));
    m_overhead = addRow(tr("Overhead"), QStringLiteral("figure.overhead"));
    m_time = addRow(tr("Time per step"), QStringLiteral("figure.time"));
    m_recomputed = addRow(tr("Recomputed"), QStringLiteral("figure.recomputed"));
    m_cut = new OpLink(this);
    m_bound = addRow(tr("Lower bound"), QStringLiteral("figure.bound"), m_cut);
    m_anyOrder = addRow(tr("Bound, any order"), QStringLiteral("figure.any"));
    m_trained = addRow(tr("Weights + states"), QStringLiteral("figure.trained"));
    connect(m_cut, &OpLink::chosen, this, &Figures::cutChosen);
    setNone({});
}

Figures::Row Figures::addRow(const QString &label, const QString &name, TokenLabel *note)
{
    auto *row = new QWidget(this);
    row->setFixedHeight(kRow);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto *text = new TokenLabel(label, FontRole::Body, Token::Text2, row);
    if (!note) note = new TokenLabel({}, FontRole::Label, Token::Text3, row);
    auto *value = new TokenLabel({}, FontRole::Name, Token::Text, row);
    note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    value->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    note->setObjectName(name + QStringLiteral(".note"));
    value->setObjectName(name);
    value->setAccessibleName(label);
    layout->addWidget(text);
    layout->addWidget(note, 1);
    layout->addWidget(value);
    static_cast<QVBoxLayout *>(this->layout())->addWidget(row);
    return {note, value};
}

void Figures::set(const Row &row, const QString &value, const QString &note, const QString &tooltip)
{
    row.value->setText(value);
    row.note->setText(note);
    row.value->setToolTip(tooltip);
    row.note->setToolTip(tooltip);
    row.value->setAccessibleDescription(value);
}

void Figures::setNone(const QString &why)
{
    for (const Row &row : {m_standing, m_peak, m_overhead, m_time, m_recomputed, m_bound})
        set(row, dash(), {}, why);
    for (const Row &row : {m_standing, m_peak})
        row.value->setToken(Token::Text);
    m_anyOrder.value->parentWidget()->hide();
    m_trained.value->parentWidget()->hide();
    m_cut->setOp({});
}

void Figures::setStanding(const Document &document, const PlanEntry &entry)
{
    const PlanStanding standing = standingOf(document, entry);
    const bool open = standing.standing < Standing::Solved;
    set(m_standing, standing.title, open ? tr("not solved") : QString(), standing.sentence);
    m_standing.value->setToken(open ? Token::Warn : standing.standing == Standing::Proven ? Token::Ok : Token::Text);
}

void Figures::setPlan(const Document &document, const PlanEntry &entry)
{
    const CostedModel &model = *document.model();
    const std::int64_t budgetBytes = document.budgetBytes();
    const MemoryTimeline &timeline = *entry.timeline;
    const double keepAllPeak = static_cast<double>(model.keepAllPeakBytes);
    const double overhead = model.keepAllTimeUs > 0 ? timeline.timeUs / model.keepAllTimeUs - 1 : 0;
    const bool over = timeline.peakBytes > budgetBytes;
    set(m_peak, memoryText(timeline.peakBytes),
        memoryShareText(keepAllPeak > 0 ? static_cast<double>(timeline.peakBytes) / keepAllPeak : 1),
        over ? tr("%1, over the budget").arg(exactBytesText(timeline.peakBytes)) : exactBytesText(timeline.peakBytes));
    m_peak.value->setToken(over ? Token::Error : Token::Text);

    setStanding(document, entry);
    const double boundUs = sayingBoundUs(document, entry);
    const bool hasBound = boundUs > 0 && model.keepAllTimeUs > 0;
    const double boundOverhead = hasBound ? std::max(boundUs / model.keepAllTimeUs - 1, 0.0) : 0;
    set(m_overhead, shareText(std::max(overhead, 0.0)),
        hasBound ? tr("bound %1").arg(boundShareText(boundOverhead, overhead)) : QString(),
        tr("How much longer a training step takes than with everything kept, which takes %1")
            .arg(timeText(model.keepAllTimeUs)));
    set(m_time, timeText(timeline.timeUs), signedTime(timeline.timeUs - model.keepAllTimeUs),
        tr("One training step, forward and backward, by the costs of %1").arg(toQString(model.costTitle)));
    const auto recomputed = std::count(entry.recomputedOps.begin(), entry.recomputedOps.end(), 1);
    set(m_recomputed,
        tr("%1 of %2 ops").arg(countText(recomputed), countText(static_cast<std::int64_t>(entry.recomputedOps.size()))),
        {}, tr("Ops that are computed more than once"));
    setBound(model, entry, boundUs);
    setAnyOrder(model, entry);
    setTrained(model, entry);
}

void Figures::setAnyOrder(const CostedModel &model, const PlanEntry &entry)
{
    const double anyUs = entry.plan->predicted.anyOrderBoundTimeUs;
    const bool known = anyUs > 0 && model.keepAllTimeUs > 0;
    m_anyOrder.value->parentWidget()->setVisible(known);
    if (!known) return;
    set(m_anyOrder, timeText(anyUs),
        tr("bound %1").arg(shareText(std::max(anyUs / model.keepAllTimeUs - 1, 0.0), Rounding::Down)),
        tr("Proven: within %1 no plan without offloads is faster, in whatever order it computes the ops.")
            .arg(memoryText(entry.plan->budgetBytes)));
}

void Figures::setTrained(const CostedModel &model, const PlanEntry &entry)
{
    const bool given = model.open->updates.given();
    m_trained.value->parentWidget()->setVisible(given);
    if (!given) return;
    std::int64_t weights = 0, states = 0;
    for (const Storage &storage : model.graph().storages) {
        if (storage.kind == StorageKind::Parameter) weights += storage.bytes;
        if (storage.kind == StorageKind::State) states += storage.bytes;
    }
    const bool planned = entry.plan->parametersPlanned;
    set(m_trained, QStringLiteral("%1 + %2").arg(memoryText(weights), memoryText(states)),
        planned ? tr("planned") : tr("resident"),
        planned
            ? tr("What the optimizer trains, and what it keeps of each: in the peak, as far as they are on the device")
            : tr("What the optimizer trains, and what it keeps of each: in no peak. The planners' option for "
                 "parameters lets them leave the device."));
}

void Figures::setBound(const CostedModel &model, const PlanEntry &entry, double boundUs)
{
    const Prediction &predicted = entry.plan->predicted;
    const bool own = predicted.lowerBoundTimeUs > 0 && predicted.lowerBoundTimeUs >= boundUs;
    const OpId cut = boundUs > 0 && own ? predicted.lowerBoundCut : OpId();
    m_cut->setOp(cut);
    if (boundUs <= 0 || model.keepAllTimeUs <= 0)
        return set(m_bound, dash(), {},
                   tr("How fast a plan can be at best is not known here: press Solve to compute it."));
    const QString note =
        cut ? tr("set at %1").arg(OpLabels(model.graph()).op(model.graph(), cut)) : tr("no plan is faster");
    QString holds = tr("Proven: no plan is faster.");
    if (cut) {
        const QString budget = memoryText(entry.plan->budgetBytes);
        holds = entry.kind == HoldsFor::GivenOrder
                    ? tr("Proven: within %1 no plan is faster that computes the ops for the first time in the model's "
                         "order.")
                    : tr("Proven: within %1 no plan is faster that computes the ops for the first time in this plan's "
                         "order.");
        holds = holds.arg(budget) + QLatin1Char(' ') + tr("Found by %1.").arg(toQString(predicted.lowerBoundMethod)) +
                QLatin1Char(' ') + tr("Click to see the op at which memory is tightest.");
    }
    set(m_bound, timeText(boundUs), note, holds);
}

} // namespace remat::studio
