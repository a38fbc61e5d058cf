// SPDX-License-Identifier: Apache-2.0
#include "core/views/compare_verdict.h"

#include "core/base/bound_share.h"
#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/views/comparison_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr std::size_t kMostReasons = 3;
/// Times of search that differ by less than this factor are alike.
constexpr double kLonger = 2;

class Judge
{
public:
    Judge(const CostedModel &model, const CompareOne &a, const CompareOne &b, const Words &words)
        : m_a(a), m_b(b), m_words(words), m_keepAllUs(model.keepAllTimeUs)
    {
    }

    CompareVerdict verdict(const PlanComparison &comparison) const
    {
        CompareVerdict verdict;
        const double savedUs = m_b.figures.timeUs - m_a.figures.timeUs;
        const std::int64_t saved = m_b.figures.peakBytes - m_a.figures.peakBytes;
        const bool sameTime = std::abs(savedUs) <= kEqualShare * m_keepAllUs;
        judge(verdict, sameTime ? 0 : savedUs, saved);
        if (!comparison.rows.empty()) addReasons(verdict, comparison, sameTime);
        addUnequal(verdict);
        return verdict;
    }

private:
    /// `savedUs` and `savedBytes` are what A takes less than B.
    void judge(CompareVerdict &verdict, double savedUs, std::int64_t savedBytes) const
    {
        const CompareOne &faster = savedUs >= 0 ? m_a : m_b, &slower = savedUs >= 0 ? m_b : m_a;
        const CompareOne &smaller = savedBytes >= 0 ? m_a : m_b;
        const std::string time = formatTimeUs(std::abs(savedUs));
        const std::string points = pointsText(std::abs(savedUs));
        const std::string bytes = formatBytes(std::abs(savedBytes));
        const auto better = [&](const CompareOne &one) {
            verdict.better = &one == &m_a ? BetterPlan::First : BetterPlan::Second;
        };
        if (savedUs == 0 && savedBytes == 0) {
            verdict.title = filled(m_words("TwoPlans", "Both take the same memory and time"), {});
            verdict.sentence = filled(m_words("TwoPlans", "Peak and time per step are equal."), {});
        } else if (savedUs == 0) {
            better(smaller);
            verdict.title = filled(m_words("TwoPlans", "%1 needs less memory in the same time"), {smaller.letter});
            verdict.sentence = filled(m_words("TwoPlans", "Its peak is %1 lower."), {bytes});
        } else if (savedBytes == 0) {
            better(faster);
            verdict.title = filled(m_words("TwoPlans", "%1 is faster at the same peak"), {faster.letter});
            verdict.sentence =
                filled(m_words("TwoPlans", "It saves %1 of every step (%2 of overhead)."), {time, points});
        } else if (&faster == &smaller) {
            better(faster);
            verdict.title = filled(m_words("TwoPlans", "%1 needs less memory and less time"), {faster.letter});
            verdict.sentence =
                filled(m_words("TwoPlans", "Its peak is %1 lower, and it saves %2 of every step (%3 of overhead)."),
                       {bytes, time, points});
        } else if (sameBudget()) {
            better(faster);
            verdict.title = filled(m_words("TwoPlans", "%1 is faster within the same budget"), {faster.letter});
            verdict.sentence = filled(
                m_words("TwoPlans", "It saves %1 of every step (%2 of overhead). The peak of %3 is %4 lower, which the "
                                    "budget of %5 does not ask for."),
                {time, points, slower.letter, bytes, formatMemory(m_a.figures.budgetBytes)});
        } else {
            verdict.title =
                filled(m_words("TwoPlans", "%1 is faster, %2 needs less memory"), {faster.letter, slower.letter});
            verdict.sentence =
                filled(m_words("TwoPlans", "%1 saves %2 of every step (%3 of overhead). The peak of %4 is %5 lower."),
                       {faster.letter, time, points, slower.letter, bytes});
        }
    }

    std::string pointsText(double savedUs) const
    {
        const std::string signedText = m_keepAllUs > 0 ? signedPoints(savedUs / m_keepAllUs) : "0";
        return signedText == "0" ? filled(m_words("TwoPlans", "less than 0.01 pp"), {}) : signedText.substr(1);
    }

    bool sameBudget() const
    {
        const std::int64_t budget = m_a.figures.budgetBytes;
        return budget > 0 && budget == m_b.figures.budgetBytes && m_a.figures.peakBytes <= budget &&
               m_b.figures.peakBytes <= budget;
    }

    void addReasons(CompareVerdict &verdict, const PlanComparison &comparison, bool sameTime) const
    {
        std::vector<const DifferenceRow *> rows;
        for (const DifferenceRow &row : comparison.rows)
            if (sameTime ? row.bytes() != 0 : row.timeUs() != 0) rows.push_back(&row);
        const auto size = [sameTime](const DifferenceRow *row) {
            return sameTime ? static_cast<double>(std::abs(row->bytes())) : std::abs(row->timeUs());
        };
        std::stable_sort(rows.begin(), rows.end(), [&](const auto *x, const auto *y) { return size(x) > size(y); });
        if (rows.size() > kMostReasons) rows.resize(kMostReasons);
        for (const DifferenceRow *row : rows) {
            std::string name = row->name;
            if (!row->module.empty() && row->module != name)
                name = name.empty() ? row->module : filled(m_words("TwoPlans", "%1 of %2"), {name, row->module});
            if (row->uses > 1) name += " ×" + formatCount(row->uses);
            verdict.why.push_back(fmt::format("{}: {}", name, rowSentence(*row, m_b.letter, m_words)));
        }
    }

    void addUnequal(CompareVerdict &verdict) const
    {
        const Plan &a = *m_a.plan.plan, &b = *m_b.plan.plan;
        const auto differ = [&](const std::string &text, const std::string &ofA, const std::string &ofB) {
            verdict.unequal.push_back(filled(text, {m_a.letter, ofA, m_b.letter, ofB}));
        };
        const auto budget = [&](const Plan &plan) {
            return plan.budgetBytes > 0 ? formatMemory(plan.budgetBytes) : filled(m_words("TwoPlans", "no budget"), {});
        };
        if (a.budgetBytes != b.budgetBytes)
            differ(m_words("TwoPlans", "%1 was made for %2, %3 for %4."), budget(a), budget(b));
        const std::string handA = decisions(a), handB = decisions(b);
        if (handA != handB) {
            const std::string nothing = filled(m_words("TwoPlans", "nothing"), {});
            differ(m_words("TwoPlans", "By hand was decided for %1: %2; for %3: %4."), handA.empty() ? nothing : handA,
                   handB.empty() ? nothing : handB);
        }
        if (!sameOpCosts(a.costSource, b.costSource))
            differ(m_words("TwoPlans", "%1 was planned with the costs of %2, %3 with those of %4."), costs(a),
                   costs(b));
        const double longer = std::max(a.origin.seconds, b.origin.seconds);
        const double shorter = std::min(a.origin.seconds, b.origin.seconds);
        if (longer >= 1 && longer > kLonger * shorter)
            differ(m_words("TwoPlans", "%1 was searched for %2, %3 for %4."), formatTimeUs(a.origin.seconds * 1e6),
                   formatTimeUs(b.origin.seconds * 1e6));
        if (a.parametersPlanned != b.parametersPlanned)
            verdict.unequal.push_back(filled(m_words("TwoPlans", "Only %1 counts parameters, and may move them."),
                                             {a.parametersPlanned ? m_a.letter : m_b.letter}));
    }

    static std::string costs(const Plan &plan)
    {
        const std::string device = deviceOf(plan.costSource);
        return device.empty() ? plan.costSource.kind : device;
    }

    std::string decisions(const Plan &plan) const
    {
        std::string all;
        const auto add = [&](const char *key, const std::string &text) {
            const auto found = plan.origin.options.find(key);
            if (found == plan.origin.options.end() || found->second.empty()) return;
            all += (all.empty() ? "" : ", ") + filled(text, {found->second});
        };
        add("keep", m_words("TwoPlans", "keep %1"));
        add("recompute", m_words("TwoPlans", "recompute %1"));
        add("never", m_words("TwoPlans", "never recompute %1"));
        return all;
    }

    const CompareOne &m_a, &m_b;
    const Words &m_words;
    double m_keepAllUs;
};

} // namespace

CompareVerdict compareVerdict(const CostedModel &model, const CompareOne &a, const CompareOne &b,
                              const PlanComparison &comparison, const Words &words)
{
    return Judge(model, a, b, orEnglish(words)).verdict(comparison);
}

CompareVerdict compareVerdict(const CostedModel &model, const PlanEntry &a, const PlanEntry &b,
                              const std::string &letterOfB)
{
    const Graph &graph = model.graph();
    const PlanUse useOfA = planUse(graph, a), useOfB = planUse(graph, b);
    const PlanFigures figuresOfA = planFigures(model, a, useOfA), figuresOfB = planFigures(model, b, useOfB);
    return compareVerdict(model, {a, figuresOfA, "A"}, {b, figuresOfB, letterOfB},
                          comparePlans(graph, OpBlocks(*model.open), useOfA, useOfB, CompareLevel::Storages));
}

} // namespace remat
