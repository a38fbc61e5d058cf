#include "solvers/portfolio/portfolio.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// The hierarchical planner has a chance where annealing stays this far above the bound, on graphs up to this size.
constexpr double kHiremateGap = 0.05;
constexpr int kHiremateOps = 4000;
/// Orders made from plans, one after the other, while none fits.
constexpr int kSlides = 4;

/// Lines whose added time is this much above the best one's rest.
constexpr double kHopeless = 1.15;

const Line *bestLine(const std::vector<std::unique_ptr<Line>> &lines)
{
    const Line *best = lines.front().get();
    for (const std::unique_ptr<Line> &line : lines)
        if (search::isBetter(line->best, best->best)) best = line.get();
    return best;
}

/// The line to anneal next: of those that still gain, the one that was annealed least; none when all rest.
Line *nextLine(const std::vector<std::unique_ptr<Line>> &lines, const Effort &effort)
{
    const double hopelessUs = kHopeless * bestLine(lines)->best.extraUs;
    Line *next = nullptr;
    for (const std::unique_ptr<Line> &line : lines) {
        if (!line->best.fits || line->gainless >= effort.patience || line->best.extraUs > hopelessUs) continue;
        if (!next || line->rounds < next->rounds) next = line.get();
    }
    return next;
}

/// Stages of one call, in turn.
class Run
{
public:
    Run(const SolveRequest &request, const SolveContext &context, const Settings &settings)
        : m_board(request, context), m_settings(settings)
    {
        m_lines.push_back(givenLine(*request.graph, *request.costs));
    }

    SolveOutcome operator()()
    {
        if (begin("greedy")) greedyStage(m_board, given(), m_settings.effort);
        if (given().best.fits && begin("annealing")) annealStage(m_board, given(), m_settings.effort);
        if (m_settings.reorder) reorder();
        if (hirematePays() && begin("hiremate")) hiremateStage(m_board, given());
        reheat();
        return m_board.outcome();
    }

private:
    Line &given() { return *m_lines.front(); }

    /// False when there is nothing left to do.
    bool begin(const char *stage)
    {
        if (m_board.done()) return false;
        m_board.begin(stage);
        return true;
    }

    void reorder()
    {
        if (begin("other orders")) ordersStage(m_board, m_lines, m_settings.effort);
        // Where nothing fits, each plan's order gives the next one.
        for (int i = 0; i < kSlides && begin("sliding"); ++i) {
            const std::size_t before = m_lines.size();
            slideStage(m_board, m_lines, *bestLine(m_lines));
            if (m_lines.size() == before || m_board.fits()) break;
            if (begin("lower peak")) lowerPeakStage(m_board, *m_lines.back(), m_settings.effort);
        }
    }

    bool hirematePays()
    {
        return m_settings.hiremate && m_board.gap() > kHiremateGap && given().flat.ops <= kHiremateOps &&
               given().flat.forwardOps < given().flat.ops;
    }

    void reheat()
    {
        for (int round = 0; round < m_settings.effort.rounds; ++round) {
            Line *line = nextLine(m_lines, m_settings.effort);
            if (!line || !begin(line->reordered ? "annealing in another order" : "re-heats")) return;
            annealStage(m_board, *line, m_settings.effort);
        }
    }

    Board m_board;
    const Settings &m_settings;
    std::vector<std::unique_ptr<Line>> m_lines;
};

} // namespace

SolveOutcome run(const SolveRequest &request, const SolveContext &context, const Settings &settings)
{
    return Run(request, context, settings)();
}

} // namespace remat::portfolio
