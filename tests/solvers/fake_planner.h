// A planner that answers with what a test wants.
#pragma once

#include "solvers/interface/solver.h"

#include <functional>
#include <utility>

namespace remat::test {

class FakePlanner final : public Planner
{
public:
    using Answer = std::function<Expected<SolveOutcome>(const SolveRequest &, const SolveContext &)>;
    explicit FakePlanner(Answer answer, bool usesTime = false) : m_answer(std::move(answer))
    {
        m_info.name = "fake";
        m_info.usesTime = usesTime;
    }
    const PlannerInfo &info() const override { return m_info; }
    Expected<SolveOutcome> plan(const SolveRequest &request, const SolveContext &context) const override
    {
        return m_answer(request, context);
    }

private:
    PlannerInfo m_info;
    Answer m_answer;
};

} // namespace remat::test
