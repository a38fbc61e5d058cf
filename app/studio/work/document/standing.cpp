// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/standing.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "core/base/bound_share.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct StandingText {
    Q_DECLARE_TR_FUNCTIONS(Standing)
};

/// The fastest plan of the list that fits, follows the decisions and is faster; null when there is none.
const PlanEntry *fasterThan(const Document &document, const PlanEntry &entry)
{
    const PlanEntry *best = &entry;
    const double equalUs = kEqualShare * document.model()->keepAllTimeUs;
    for (const auto &plan : document.plans()) {
        if (plan->timeline->peakBytes > document.budgetBytes() ||
            plan->timeline->timeUs >= best->timeline->timeUs - equalUs ||
            plan->plan->parametersPlanned != entry.plan->parametersPlanned)
            continue;
        if (verdictOf(*plan, 0).level == VerdictLevel::Failed) continue;
        if (pinsViolated(document.model()->graph(), plan->plan->steps, document.pins())) continue;
        best = plan.get();
    }
    return best == &entry ? nullptr : best;
}

Standing judged(const Document &document, const PlanEntry &entry, double boundUs, double keepAllUs)
{
    if (boundUs > 0 && entry.timeline->timeUs - boundUs <= kEqualShare * keepAllUs) return Standing::Proven;
    if (entry.quick) return Standing::Quick;
    const std::int64_t own = entry.plan->budgetBytes;
    if (!document.currentPlan() || document.currentPlan()->id != entry.id) return Standing::Solved;
    if (own > 0 && own < document.budgetBytes()) return Standing::ForAnother;
    return fasterThan(document, entry) ? Standing::Beaten : Standing::Solved;
}

QString provenSentence(HoldsFor plans)
{
    switch (plans) {
    case HoldsFor::EveryPlan:
        return StandingText::tr("Within this budget no plan is faster.");
    case HoldsFor::AnyOrder:
        return StandingText::tr("Within this budget no plan with this order of ops is faster.");
    default:
        return StandingText::tr("Within this budget no plan in the model's order of ops is faster.");
    }
}

} // namespace

PlanStanding standingOf(const Document &document, const PlanEntry &entry)
{
    PlanStanding result;
    const auto model = document.model();
    if (!model) return result;
    const double keepAllUs = model->keepAllTimeUs;
    const double boundUs = document.boundTimeUs(entry), extraUs = entry.timeline->timeUs - keepAllUs;
    result.standing = judged(document, entry, boundUs, keepAllUs);
    if (boundUs > keepAllUs) result.gap = (extraUs - (boundUs - keepAllUs)) / (boundUs - keepAllUs);
    switch (result.standing) {
    case Standing::Quick:
        result.title = StandingText::tr("Quick plan");
        result.sentence = StandingText::tr("Made in passing: press Solve for a better one.");
        break;
    case Standing::ForAnother:
        result.title = StandingText::tr("Made for %1").arg(memoryText(entry.plan->budgetBytes));
        result.sentence = StandingText::tr("Not solved for this budget: press Solve, more memory may save time.");
        break;
    case Standing::Beaten: {
        const PlanEntry *faster = fasterThan(document, entry);
        result.title = StandingText::tr("Not the fastest known");
        result.sentence =
            StandingText::tr("Within this budget %1, in the list of plans, saves %2 of every step.")
                .arg(toQString(faster->title), timeText(entry.timeline->timeUs - faster->timeline->timeUs));
        break;
    }
    case Standing::Solved:
        result.title =
            result.gap < 0 ? StandingText::tr("Solved") : StandingText::tr("Solved, gap %1").arg(shareText(result.gap));
        result.sentence =
            result.gap < 0 ? StandingText::tr("How much faster a plan could be is not known.")
                           : StandingText::tr("It adds at most %1 more time than any plan must, as far as is proven.")
                                 .arg(shareText(result.gap));
        break;
    case Standing::Proven:
        result.gap = 0;
        result.title = StandingText::tr("Proven best");
        result.sentence = provenSentence(entry.kind);
        break;
    }
    const bool says = result.standing == Standing::Proven || (result.standing == Standing::Solved && result.gap >= 0);
    if (says && model->open->whole)
        result.sentence += QLatin1Char(' ') + StandingText::tr("That is about plans in these chunks.");
    return result;
}

} // namespace remat::studio
