// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/portfolio.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::portfolio {

namespace {

/// The hierarchical planner has a chance where annealing stays this far above the bound, on graphs up to this size.
constexpr double kHiremateGap = 0.05;
constexpr int kHiremateOps = 4000;
/// Programs for a sharper bound are worth it where the added time is this far above the quick one.
constexpr double kSharpGap = 0.001;
/// Orders made from plans, one after the other, while none fits.
constexpr int kSlides = 4;

/// Every so many rounds order and plan change together, until that gained nothing so many times in a row.
constexpr int kSlideEvery = 3, kSlidePatience = 4;
/// Lines there may be, the given order included, before a new one takes the place of the worst.
constexpr std::size_t kMostLines = 6;

/// Share of the work that went into a bound, for annealing after it.
constexpr double kReheatShare = 0.5;
/// Lines whose added time is this much above the best one's rest.
constexpr double kHopeless = 1.15;
/// Lines whose peak is this much above the lowest are not lowered further.
constexpr double kFarAbove = 1.08;
/// Attempts at a lower peak for each line without any gain, until it is given up.
constexpr std::size_t kLowPatience = 3;

Line *bestLine(const std::vector<std::unique_ptr<Line>> &lines)
{
    Line *best = lines.front().get();
    for (const std::unique_ptr<Line> &line : lines)
        if (search::isBetter(line->best, best->best)) best = line.get();
    return best;
}

/// The line to anneal next: of those that still gain, the one that was annealed least; none when all rest.
Line *nextLine(const std::vector<std::unique_ptr<Line>> &lines, const MemberEffort &effort)
{
    const double hopelessUs = kHopeless * bestLine(lines)->best.extraUs;
    Line *next = nullptr;
    for (const std::unique_ptr<Line> &line : lines) {
        if (!line->best.fits || line->gainless >= effort.patience || line->best.extraUs > hopelessUs) continue;
        if (!next || line->rounds < next->rounds) next = line.get();
    }
    return next;
}

/// The line to lower next: of those not far above the lowest peak, the one that was lowered least.
Line *lineToLower(const std::vector<std::unique_ptr<Line>> &lines)
{
    const double highest = kFarAbove * static_cast<double>(bestLine(lines)->best.peakBytes);
    Line *next = nullptr;
    for (const std::unique_ptr<Line> &line : lines)
        if (static_cast<double>(line->best.peakBytes) <= highest && (!next || line->lowerings < next->lowerings))
            next = line.get();
    return next;
}

/// Members of one call, one after the other.
class Run
{
    static constexpr const char *kSharpen = "a better proof";

public:
    Run(const SolveRequest &request, const SolveContext &context, const PortfolioSettings &settings)
        : m_board(request, context), m_settings(settings)
    {
        m_lines.push_back(givenLine(*request.graph, *request.costs));
    }

    SolveOutcome operator()()
    {
        if (begin("first draft")) runGreedy(m_board, given());
        if (begin("another choice of what is held at the peak")) runCut(m_board, given());
        if (!given().best.fits && begin("lowering the peak")) runLowerPeak(m_board, given(), m_settings.effort);
        if (given().best.fits && begin("many small changes")) runAnneal(m_board, given(), m_settings.effort);
        if (m_settings.reorder) reorder();
        lowerPeaks();
        sharpen(0);
        if (hirematePays() && begin("HiRemate")) runHiremate(m_board, given());
        reheat(std::numeric_limits<double>::infinity());
        closeIn();
        boundOfOtherOrder();
        return m_board.outcome();
    }

private:
    Line &given() { return *m_lines.front(); }

    /// False when there is nothing left to do.
    bool begin(const char *member)
    {
        if (m_board.done()) return false;
        m_board.begin(member);
        return true;
    }

    void reorder()
    {
        if (m_board.stopped() || (given().best.fits && given().best.extraUs <= 0)) return;
        // Even a plan that meets the bound of the given order may be beaten in another one.
        m_board.begin("other orders of ops");
        runOrders(m_board, m_lines, m_settings.effort);
        // Where nothing fits, each plan's order gives the next one.
        for (int i = 0; i < kSlides && begin("moving ops"); ++i) {
            const std::size_t before = m_lines.size();
            runSlide(m_board, m_lines, *bestLine(m_lines), i);
            if (m_lines.size() == before || m_board.fits()) break;
            if (begin("lowering the peak")) runLowerPeak(m_board, *m_lines.back(), m_settings.effort);
        }
    }

    /// While no line fits: those with low peaks in turn, with more and more moves, and the lowest one's plan slid to
    /// another order now and then, until nothing has gained for long.
    void lowerPeaks()
    {
        std::size_t gainless = 0;
        for (int round = 0; round < m_settings.effort.rounds && gainless < kLowPatience * m_lines.size(); ++round) {
            if (m_board.fits() || m_board.done()) return;
            bool gained = false;
            if (m_settings.reorder && round % kSlideEvery == kSlideEvery - 1) {
                m_board.begin("moving ops");
                gained = slideBest(round, [this](Line &line) { runLowerPeak(m_board, line, m_settings.effort); });
            } else {
                m_board.begin("lowering the peak");
                gained = runLowerPeak(m_board, *lineToLower(m_lines), m_settings.effort);
            }
            gainless = gained ? 0 : gainless + 1;
        }
    }

    /// The best plan's own order gets a bound in any case, also when all counted work is done.
    void boundOfOtherOrder()
    {
        Line &best = *bestLine(m_lines);
        if (!best.reordered || !best.best.fits || best.bound || m_board.stopped()) return;
        m_board.begin(kSharpen);
        runBound(m_board, best, 0);
    }

    /// The bound of the given order, which is shown beside all plans in it, and in later turns of the best plan's.
    void sharpen(int turn)
    {
        Line &line = turn > 0 ? *bestLine(m_lines) : given();
        const double gap = line.reordered ? m_board.ownGap() : m_board.gap();
        if (line.best.fits && gap > kSharpGap && begin(kSharpen)) runBound(m_board, line, turn);
    }

    /// Bound and plan in turn, until they meet or the time limit is over: bounds look at the tight places of the newest
    /// plan, and lines that rested are annealed on. Without a limit there is no end to it.
    void closeIn()
    {
        if (!m_settings.useTime || !std::isfinite(m_board.context().deadline.totalSeconds())) return;
        m_board.improveUntil(m_board.context().timeToImprove());
        for (int turn = 1; m_board.fits() && !m_board.stopped(); ++turn) {
            if (m_board.work().leftUs() <= 0 && m_board.ownGap() > kNear) m_board.work().grantMore();
            const double unbounded = m_board.work().leftUs();
            sharpen(turn);
            if (m_board.ownGap() <= kNear) return;
            if (m_board.timeToImproveIsUp()) return m_board.cutShort();
            if (m_board.work().leftUs() <= 0) continue;
            for (const std::unique_ptr<Line> &line : m_lines)
                line->gainless = 0;
            const double before = m_board.work().leftUs();
            reheat(kReheatShare * (unbounded - before));
            if (m_board.work().leftUs() >= before) return; // no line has a plan
        }
    }

    bool hirematePays()
    {
        return m_settings.hiremate && m_board.gap() > kHiremateGap && given().flat.ops <= kHiremateOps &&
               given().flat.forwardOps < given().flat.ops;
    }

    /// Anneals until the lines rest; ends sooner when that has taken `mostUs` of work and gains nothing any more.
    void reheat(double mostUs)
    {
        int slides = 0, gainless = 0;
        const double endUs = m_board.work().leftUs() - mostUs;
        bool gained = true;
        for (int round = 0; round < m_settings.effort.rounds && (gained || m_board.work().leftUs() > endUs); ++round) {
            if (m_settings.reorder && m_board.fits() && round % kSlideEvery == kSlideEvery - 1 &&
                gainless < kSlidePatience) {
                if (!begin("order and plan together")) return;
                gained = slideBest(slides++, [this](Line &made) {
                    made.rounds = 2; // its plan comes from one that was annealed
                    runAnneal(m_board, made, m_settings.effort);
                });
                gainless = gained ? 0 : gainless + 1;
                continue;
            }
            Line *line = nextLine(m_lines, m_settings.effort);
            if (!line || !begin(line->reordered ? "small changes, with ops in another order" : "more small changes"))
                return;
            gained = runAnneal(m_board, *line, m_settings.effort);
        }
    }

    /// The best plan slides, and `improve` works on what comes of it; only a line that is better then stays.
    template <class Improve>
    bool slideBest(int round, const Improve &improve)
    {
        const search::Found before = bestLine(m_lines)->best;
        const std::size_t count = m_lines.size();
        runSlide(m_board, m_lines, *bestLine(m_lines), round);
        if (m_lines.size() == count) return false;
        improve(*m_lines.back());
        return keepIfBetter(before);
    }

    /// Drops the newest line, or, where it beats `before`, the worst one when there are too many.
    bool keepIfBetter(const search::Found &before)
    {
        if (!search::isBetter(m_lines.back()->best, before)) {
            m_lines.pop_back();
            return false;
        }
        if (m_lines.size() > kMostLines) {
            const auto worst = std::max_element(m_lines.begin() + 1, m_lines.end(), [](const auto &a, const auto &b) {
                return search::isBetter(a->best, b->best);
            });
            m_lines.erase(worst);
        }
        return true;
    }

    Board m_board;
    const PortfolioSettings &m_settings;
    std::vector<std::unique_ptr<Line>> m_lines;
};

} // namespace

SolveOutcome run(const SolveRequest &request, const SolveContext &context, const PortfolioSettings &settings)
{
    return Run(request, context, settings)();
}

} // namespace remat::portfolio
