// SPDX-License-Identifier: Apache-2.0
// verdictOf: core's judgement in the window's language.
#include "app/studio/work/document/document.h"
#include "app/studio/work/document/words.h"

namespace remat::studio {

PlanVerdict verdictOf(const PlanEntry &entry, std::int64_t budgetBytes)
{
    VerdictFacts facts;
    facts.budgetBytes = budgetBytes;
    facts.planBudgetBytes = entry.plan->budgetBytes;
    facts.check = entry.check ? &*entry.check : nullptr;
    facts.run = entry.plan->validated ? &*entry.plan->validated : nullptr;
    facts.runIsOfThisPlan = entry.runIsOfThisPlan;
    facts.compiled = entry.plan->compiled ? &*entry.plan->compiled : nullptr;
    return planVerdict(facts, windowWords());
}

} // namespace remat::studio
