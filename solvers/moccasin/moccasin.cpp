#include "solvers/moccasin/moccasin.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "solvers/cp/cp_sat.h"
#include "solvers/incumbent.h"
#include "solvers/moccasin/interval_model.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace remat::moccasin {

namespace {

constexpr int kReheats = 3;
/// Of the time, for the search that gives the start.
constexpr double kStartShare = 0.25;
/// Up to here CP-SAT finds what fits sooner while it minimises the time than in a phase of its own, and proves what it
/// found soonest by its linear relaxation.
constexpr int kDirectOps = 200;
/// Up to here a dive along the relaxation is worth its time.
constexpr int kDiveOps = 300;
/// Of CP-SAT's counted work where there is no time limit.
constexpr double kWorkWithoutLimit = 3;
/// Of the same, for the dive on a graph of up to 100 ops, beyond which it grows with their cube. Dives end within less
/// on every graph that they are good for: chains, U-nets and random layered graphs at 90 to 70 % of their peaks, nearly
/// all of them.
constexpr double kDiveWork = 0.15;
constexpr int kDefaultCopies = 2;

class Intervals
{
public:
    Intervals(const SolveRequest &request, const SolveContext &context, const IntervalOptions &options,
              const FlatGraph &flat, cp::Helper helper)
        : m_request(request),
          m_context(context),
          m_options(options),
          m_flat(flat),
          m_helper(std::move(helper)),
          m_incumbent(flat, context, request.budgetBytes),
          m_more(flat.ops, 0)
    {
    }

    Expected<SolveOutcome> run()
    {
        m_keepAllUs = m_incumbent.offer(std::vector<Recompute>{}).timeUs;
        m_start = toSequence(m_flat, {});
        raiseBound(m_context.boundTimeUs - m_keepAllUs);
        if (m_options.warm && !proven()) findStart();
        if (m_flat.ops <= kDiveOps && !proven()) solvePhase(false, cp::Strategy::Dive);
        if (m_flat.ops <= kDirectOps && !proven()) solvePhase(false, cp::Strategy::Relaxation);
        if (m_flat.ops > kDirectOps && !m_incumbent.found() && !m_none) solvePhase(true, cp::Strategy::Many);
        if (m_flat.ops > kDirectOps && m_incumbent.found() && !proven()) solvePhase(false, cp::Strategy::Many);
        if (!m_error.empty()) return fail("CP-SAT ended before it had an answer. " + m_error);
        return finish();
    }

private:
    double bestExtraUs() const { return m_incumbent.bestTimeUs() - m_keepAllUs; }
    bool proven() const
    {
        return m_none || (m_incumbent.found() && bestExtraUs() <= m_boundUs + kOptimalShare * m_keepAllUs);
    }
    void raiseBound(double extraUs)
    {
        m_boundUs = std::max(m_boundUs, extraUs);
        const double best = m_incumbent.found() ? m_incumbent.bestTimeUs() : -1;
        m_incumbent.setModelFigures(best, m_keepAllUs + m_boundUs, m_keepAllUs);
    }

    void findStart()
    {
        m_incumbent.setActivity("Search for a start");
        search::SearchSettings settings;
        settings.budgetBytes = m_request.budgetBytes;
        settings.moves = std::int64_t(1000) * m_options.thousandMoves;
        settings.seeds = m_options.seeds;
        settings.reheats = settings.moves > 0 ? kReheats : 0;
        settings.seed = m_context.seed;
        settings.threads = m_context.threads;
        settings.enoughUs = search::enoughUs(m_keepAllUs, m_context);
        const search::SearchListener tell = [this](const search::SearchReport &report) {
            if (report.better) m_incumbent.offer(report.better->set);
        };
        const search::Found found = search::searchPlan(m_flat, search::startSet(m_flat, m_request.start.get()),
                                                       settings, m_context.stopCheck(kStartShare), tell);
        m_incumbent.offer(found.set);
        m_start = toSequence(m_flat, found.set);
    }

    cp::Limits limitsOf(cp::Strategy strategy) const
    {
        cp::Limits limits;
        limits.stop = m_context.stop;
        limits.deadline = m_context.deadline;
        const bool endless = !std::isfinite(m_context.deadline.totalSeconds());
        limits.work = m_options.work > 0 ? m_options.work : endless ? kWorkWithoutLimit : 0;
        const double dive = kDiveWork * std::max(1.0, std::pow(m_flat.ops / 100.0, 3));
        if (strategy == cp::Strategy::Dive) limits.work = limits.work > 0 ? std::min(limits.work, dive) : dive;
        limits.threads = m_context.threads;
        limits.seed = m_context.seed;
        limits.strategy = strategy;
        return limits;
    }

    /// C_v of ops that `sequence` computes more often than twice, where no number was given.
    void allowCopiesOf(const std::vector<OpId> &sequence)
    {
        if (m_options.copies > 0) return;
        std::vector<int> times(m_flat.ops, 0);
        for (const OpId op : sequence)
            m_more[op.index()] = std::max(m_more[op.index()], ++times[op.index()]);
    }
    int copiesOfEach() const { return m_options.copies > 0 ? m_options.copies : kDefaultCopies; }

    void solvePhase(bool leastPeak, cp::Strategy strategy)
    {
        if (m_context.shouldStop() || !m_error.empty()) return;
        m_incumbent.setActivity(leastPeak ? "Least memory over the budget" : "Retention intervals");
        const std::vector<OpId> start = m_incumbent.found() ? m_incumbent.best() : m_start;
        allowCopiesOf(start);
        IntervalSettings settings;
        settings.budgetBytes = m_request.budgetBytes;
        settings.copies = copiesOfEach();
        settings.more = m_more;
        settings.leastPeak = leastPeak;
        std::optional<IntervalModel> built = buildIntervals(m_flat, settings, m_context.stopCheck());
        if (!built) return;
        IntervalModel &intervals = *built;
        intervals.model.hint = valuesOf(m_flat, intervals, start);
        cp::Limits limits = limitsOf(strategy);
        // Phase 1 is over with the first plan that fits.
        if (leastPeak) limits.enough = [this] { return m_incumbent.found(); };
        bool gained = false;
        limits.progress = [&](const cp::Progress &progress) {
            if (progress.x) {
                const double before = m_incumbent.bestTimeUs();
                m_incumbent.offer(sequenceOf(intervals, *progress.x));
                gained = gained || m_incumbent.bestTimeUs() != before;
            }
            if (!leastPeak && intervals.exactBytes)
                raiseBound(m_incumbent.found() ? std::min(progress.bound * intervals.unitUs, bestExtraUs())
                                               : progress.bound * intervals.unitUs);
        };
        const cp::Solution solution = cp::solve(m_helper, intervals.model, limits);
        m_cpSatGained = m_cpSatGained || gained;
        if (solution.status == cp::Status::Failed) m_error = solution.error.empty() ? "Try again." : solution.error;
        conclude(solution, intervals, leastPeak);
    }

    void conclude(const cp::Solution &solution, const IntervalModel &intervals, bool leastPeak)
    {
        if (!intervals.exactBytes) return;
        // Phase 1 always has a solution; with the least peak known and no plan, no plan fits.
        if (leastPeak)
            m_none = solution.status == cp::Status::Optimal && !m_incumbent.found();
        else if (solution.status == cp::Status::Infeasible)
            m_none = !m_incumbent.found();
        else if (solution.status == cp::Status::Optimal && m_incumbent.found())
            raiseBound(bestExtraUs());
    }

    std::string copies() const
    {
        const bool more = std::any_of(m_more.begin(), m_more.end(), [](int times) { return times > kDefaultCopies; });
        return "at most " + formatCount(copiesOfEach()) + " computations of each op" +
               (more ? ", or as many as in the search's plan" : "");
    }

    SolveOutcome finish()
    {
        SolveOutcome outcome;
        if (!m_incumbent.found()) {
            const std::string budget = formatMemory(m_request.budgetBytes, m_incumbent.smallestPeakBytes());
            outcome.status = m_none ? SolveStatus::Infeasible : SolveStatus::Stopped;
            outcome.smallestPeakBytes = m_incumbent.smallestPeakBytes();
            outcome.message = (m_none ? "No plan with " + copies() + " fits " + budget + ": that is proven."
                                      : "The solve ended before a plan with " + copies() + " within " + budget +
                                            " was found or ruled out.") +
                              " The smallest peak seen is " + formatMemory(outcome.smallestPeakBytes) +
                              ". Allow more copies, or raise the budget.";
            return outcome;
        }
        outcome.plan.emplace().steps = withEarliestFrees(*m_request.graph, m_incumbent.best());
        const bool stopped = m_context.stop && m_context.stop->stopRequested();
        outcome.status = proven() ? SolveStatus::Optimal : stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
        if (outcome.status == SolveStatus::Optimal) outcome.message = "The fastest plan with " + copies() + ".";
        if (m_options.warm && !m_cpSatGained)
            outcome.message += outcome.message.empty()
                                   ? "CP-SAT found nothing faster than the search's plan that it started from."
                                   : " It is the search's, that CP-SAT started from.";
        if (m_context.deadline.passed()) outcome.message.append(" ").append(kTimeWasUp);
        return outcome;
    }

    const SolveRequest &m_request;
    const SolveContext &m_context;
    const IntervalOptions &m_options;
    const FlatGraph &m_flat;
    const cp::Helper m_helper;
    Incumbent m_incumbent;
    std::vector<int> m_more;   ///< C_v by op where it is more than C: as often as a start computes it
    std::vector<OpId> m_start; ///< keeps everything, or the search's, whether it fits or not
    double m_keepAllUs = 0;
    double m_boundUs = 0; ///< on the added time, proven
    bool m_none = false;  ///< proven that no plan fits
    bool m_cpSatGained = false;
    std::string m_error;
};

} // namespace

Expected<SolveOutcome> planIntervals(const SolveRequest &request, const SolveContext &context,
                                     const IntervalOptions &options)
{
    FlatGraph flat = flatten(*request.graph, *request.costs);
    flat.mostComputations = options.copies > 0 ? options.copies : kMostCopies;
    if (const Expected<void> sizes = search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    Expected<cp::Helper> helper = cp::findHelper();
    if (!helper) return tl::unexpected(helper.error());
    return Intervals(request, context, options, flat, std::move(*helper)).run();
}

} // namespace remat::moccasin
