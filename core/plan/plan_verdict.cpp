// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_verdict.h"

#include "core/base/digest.h"
#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/base/words.h"
#include "core/plan/eager_verdict.h"

#include <algorithm>

namespace remat {

namespace {

class Judgement
{
public:
    Judgement(const VerdictFacts &facts, const Words &words) : m_facts(facts), m_words(words) {}

    PlanVerdict judge() const
    {
        if (!m_facts.check)
            return {VerdictLevel::Unproven, false, m_words("PlanVerdict", "Not checked"),
                    m_words("PlanVerdict", "This plan has not been checked yet.")};
        if (!m_facts.check->ok)
            return {VerdictLevel::Failed, false, m_words("PlanVerdict", "Failed"), m_facts.check->sentence};
        PlanVerdict verdict = wasRun() ? ofRun(*m_facts.run) : ofCheck();
        if (const std::string half = ofGraph(); !half.empty()) verdict.sentence += " " + half;
        if (graphDiffers()) {
            verdict.level = VerdictLevel::Failed;
            verdict.title = m_words("PlanVerdict", "Wrong graph");
        }
        return verdict;
    }

private:
    bool wasRun() const { return m_facts.run && m_facts.runIsOfThisPlan; }

    bool graphDiffers() const
    {
        if (m_facts.model) return eagerDiffers(*m_facts.model);
        return wasRun() && m_facts.run->eagerVerdict == EagerVerdict::Different;
    }

    /// The second half: the graph against plain PyTorch.
    std::string ofGraph() const
    {
        if (m_facts.model) return eagerSentence(*m_facts.model, m_words);
        return wasRun() ? m_facts.run->eagerSentence : std::string();
    }

    PlanVerdict ofCheck() const
    {
        const std::int64_t peak = m_facts.compiled ? m_facts.compiled->peakBytes : m_facts.check->peakBytes;
        std::string sentence = m_words("PlanVerdict", "Every step was replayed without an error. ");
        if (m_facts.compiled)
            sentence +=
                filled(m_words("PlanVerdict", "It is for Inductor's kernels, whose code says their peak to the byte; "
                                              "without a plan that is %1. "),
                       {formatMemory(m_facts.compiled->plainPeakBytes)});
        PlanVerdict verdict;
        if (overBudget(peak)) {
            verdict = {VerdictLevel::OverBudget, false, m_words("PlanVerdict", "Over the budget"), {}};
            sentence += over(m_words("PlanVerdict", "The peak of %1 is %2 over the budget of %3."), peak);
        } else {
            verdict = {VerdictLevel::Ok,
                       false,
                       m_facts.compiled ? m_words("PlanVerdict", "Exact peak") : m_words("PlanVerdict", "Checked"),
                       {}};
            sentence += m_facts.budgetBytes > 0 ? filled(m_words("PlanVerdict", "Peak %1, within the budget of %2."),
                                                         {formatMemory(peak), formatMemory(m_facts.budgetBytes)})
                                                : filled(m_words("PlanVerdict", "Peak %1."), {formatMemory(peak)});
        }
        verdict.sentence = sentence + madeForAnother();
        if (m_facts.run)
            verdict.sentence +=
                m_words("PlanVerdict",
                        " Its file has the record of a real run, but of other steps: press Validate to run these.");
        return verdict;
    }

    PlanVerdict ofRun(const ValidationRecord &run) const
    {
        PlanVerdict verdict{VerdictLevel::Ok, true, validated(run), run.sentence};
        if (!resultsEqual(run) || !run.peakHolds) {
            verdict.level = VerdictLevel::Failed;
            verdict.title = m_words("PlanVerdict", "Failed");
        } else if (overBudget(run.measuredPeakBytes) || overBudget(m_facts.check->peakBytes)) {
            verdict.level = VerdictLevel::OverBudget;
            verdict.title = m_words("PlanVerdict", "Over the budget");
        }
        std::string more;
        if (overBudget(run.measuredPeakBytes))
            more = over(m_words("PlanVerdict", "The measured peak of %1 is %2 over the budget of %3."),
                        run.measuredPeakBytes);
        else if (overBudget(m_facts.check->peakBytes))
            more = over(m_words("PlanVerdict", "The predicted peak of %1 is %2 over the budget of %3."),
                        m_facts.check->peakBytes);
        else if (m_facts.budgetBytes > 0)
            more =
                filled(m_words("PlanVerdict", "That is within the budget of %1."), {formatMemory(m_facts.budgetBytes)});
        if (!more.empty()) verdict.sentence += (verdict.sentence.empty() ? "" : " ") + more + madeForAnother();
        return verdict;
    }

    std::string validated(const ValidationRecord &run) const
    {
        const bool gpu = run.device == "cuda";
        // Compared with nothing but itself: it runs, and that is all that is known.
        if (run.reference == ReferenceKind::Itself)
            return gpu ? m_words("PlanVerdict", "Runs on GPU") : m_words("PlanVerdict", "Runs on CPU");
        return gpu ? m_words("PlanVerdict", "Validated on GPU") : m_words("PlanVerdict", "Validated on CPU");
    }

    bool overBudget(std::int64_t peak) const { return m_facts.budgetBytes > 0 && peak > m_facts.budgetBytes; }

    std::string over(const std::string &text, std::int64_t peak) const
    {
        return filled(text, {formatMemory(peak), formatBytes(peak - m_facts.budgetBytes, Rounding::Up),
                             formatMemory(m_facts.budgetBytes)});
    }

    std::string madeForAnother() const
    {
        if (m_facts.planBudgetBytes <= 0 || m_facts.planBudgetBytes == m_facts.budgetBytes) return {};
        return filled(m_words("PlanVerdict", " It was made for %1."), {formatMemory(m_facts.planBudgetBytes)});
    }

    const VerdictFacts &m_facts;
    const Words &m_words;
};

} // namespace

PlanVerdict planVerdict(const VerdictFacts &facts, const Words &words)
{
    return Judgement(facts, orEnglish(words)).judge();
}

VerdictFacts verdictFacts(const Plan &plan, const Verdict &check)
{
    return verdictFacts(plan, check, plan.budgetBytes);
}

VerdictFacts verdictFacts(const Plan &plan, const Verdict &check, std::int64_t budgetBytes)
{
    VerdictFacts facts;
    facts.budgetBytes = budgetBytes;
    facts.planBudgetBytes = plan.budgetBytes;
    facts.check = &check;
    if (plan.compiled) facts.compiled = &*plan.compiled;
    if (plan.validated) {
        facts.run = &*plan.validated;
        facts.runIsOfThisPlan = recordBelongs(*plan.validated, plan);
    }
    return facts;
}

bool resultsEqual(const ValidationRecord &record)
{
    const bool lossExcused = std::any_of(record.excused.begin(), record.excused.end(),
                                         [](const TensorDifference &item) { return item.name == "loss"; });
    const bool nearCpu = !record.cpu.done || record.cpu.largestShare <= record.cpu.tolerance;
    return (record.lossEqual || lossExcused) && record.differences.empty() && nearCpu;
}

const char *referenceName(ReferenceKind kind)
{
    switch (kind) {
    case ReferenceKind::KeepAll:
        return "keep-all";
    case ReferenceKind::AnotherPlan:
        return "another plan";
    case ReferenceKind::Itself:
        break;
    }
    return "itself";
}

bool recordBelongs(const ValidationRecord &record, const Plan &plan)
{
    return record.stepsDigest.empty() || record.stepsDigest == stepsDigest(plan.steps);
}

std::string stepsDigest(const std::vector<Step> &steps)
{
    Digest digest;
    for (const Step &step : steps) {
        digest.add(static_cast<std::uint64_t>(step.kind));
        digest.add(static_cast<std::uint64_t>(step.kind == StepKind::Compute ? step.op.value : step.storage.value));
    }
    return digest.hex();
}

const char *levelName(VerdictLevel level)
{
    switch (level) {
    case VerdictLevel::Unproven:
        return "unproven";
    case VerdictLevel::Ok:
        return "ok";
    case VerdictLevel::OverBudget:
        return "over budget";
    case VerdictLevel::Failed:
        break;
    }
    return "failed";
}

} // namespace remat
