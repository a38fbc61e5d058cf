// SPDX-License-Identifier: Apache-2.0
#include "solvers/moccasin/moccasin.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "solvers/bounds/sharp_bound.h"
#include "solvers/checkmate/model.h"
#include "solvers/cp/cp_sat.h"
#include "solvers/moccasin/copies_that_pay.h"
#include "solvers/moccasin/interval_model.h"
#include "solvers/search/greedy.h"
#include "solvers/search/to_plan.h"
#include "solvers/tools/incumbent.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <limits>
#include <optional>

namespace remat::moccasin {

namespace {

constexpr int kReheats = 3;
/// Share of the time, for the search that gives the start.
constexpr double kStartShare = 0.25;
/// Up to here CP-SAT finds what fits sooner while it minimises the time than in a phase of its own, and proves what it
/// found soonest by its linear relaxation.
constexpr int kDirectOps = 200;
/// Up to here a dive along the relaxation is worth its time.
constexpr int kDiveOps = 300;
/// CP-SAT's counted work where there is no time limit.
constexpr double kWorkWithoutLimit = 3;
/// Counted work for the dive on a graph of up to 100 ops, beyond which it grows with their cube. Dives end within less
/// on every graph that they are good for: chains, U-nets and random layered graphs at 90 to 70 % of their peaks, nearly
/// all of them.
constexpr double kDiveWork = 0.15;
constexpr int kFirstCopies = 2;
/// Limit of the simplex method, each time that the relaxation is solved which says how many computations may pay;
/// graphs of more than kDirectOps ops go without.
constexpr std::int64_t kMostIterations = 50'000;
/// Share of the objective's units: less is rounding.
constexpr double kLeastUnits = 1e-6;

/// Where a plan comes from.
enum class Source { Start, CpSat, Cuts };

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
          m_mostCopies(options.copies > 0 ? options.copies : kFirstCopies)
    {
    }

    Expected<SolveOutcome> run()
    {
        m_keepAllUs = m_incumbent.offer(std::vector<Recompute>{}).timeUs;
        m_copies.assign(m_flat.ops, m_mostCopies);
        m_start = toSequence(m_flat, {});
        raiseBoundOfAll(m_context.boundTimeUs - m_keepAllUs);
        tell();
        if (m_options.warm && !proven()) findStart();
        do {
            solve();
            if (proven()) m_provenCopies = m_mostCopies;
        } while (m_options.copies == 0 && proven() && !ended() && raiseCopies());
        if (!m_error.empty()) return fail("CP-SAT ended before it had an answer. " + m_error);
        return finish();
    }

private:
    double bestExtraUs() const { return m_incumbent.bestTimeUs() - m_keepAllUs; }
    bool ended() const { return m_context.shouldStop() || !m_error.empty(); }
    bool reached(double boundUs) const
    {
        return m_incumbent.found() && bestExtraUs() <= boundUs + kOptimalShare * m_keepAllUs;
    }
    /// Whatever C_v.
    bool settled() const { return m_noPlan || reached(m_boundUs); }
    /// With C_v as it is.
    bool proven() const { return m_none || m_noPlan || reached(m_modelBoundUs); }
    /// Raises the bound of the model with C_v as it is.
    void raiseBound(double extraUs)
    {
        m_modelBoundUs = std::max(m_modelBoundUs, extraUs);
        tell();
    }
    /// Whatever C_v.
    void raiseBoundOfAll(double extraUs)
    {
        m_boundUs = std::max(m_boundUs, checkmate::roundedUpUs(extraUs, checkmate::timeStepUs(m_flat)));
        m_modelBoundUs = std::max(m_modelBoundUs, m_boundUs);
    }
    /// What is proven with C_v as it is says nothing of plans with more, where no number was given.
    void tell()
    {
        const double best = m_incumbent.found() ? m_incumbent.bestTimeUs() : -1;
        const bool ofModel = m_options.copies > 0 || (m_raised && !settled());
        const double boundUs = ofModel ? m_modelBoundUs : m_boundUs;
        m_incumbent.setModelFigures(best, m_keepAllUs + boundUs, m_keepAllUs);
    }

    void offer(std::vector<OpId> sequence, Source source)
    {
        const double before = m_incumbent.bestTimeUs();
        m_incumbent.offer(std::move(sequence));
        if (m_incumbent.bestTimeUs() != before) m_source = source;
    }

    void solve()
    {
        if (m_flat.ops <= kDiveOps && !proven()) solvePhase(false, cp::Strategy::Dive);
        if (!proven()) proveForAllCopies();
        if (m_flat.ops <= kDirectOps && !proven()) solvePhase(false, cp::Strategy::Relaxation);
        if (m_flat.ops > kDirectOps && !m_incumbent.found() && !proven()) solvePhase(true, cp::Strategy::Many);
        if (m_flat.ops > kDirectOps && m_incumbent.found() && !proven()) solvePhase(false, cp::Strategy::Many);
    }

    /// False where no C_v may grow: what is proven then holds for all of them.
    bool raiseCopies()
    {
        if (!settled()) proveForAllCopies();
        if (!settled() && !m_pays) findWhatPays();
        if (!settled() && allowMoreCopies()) return true;
        m_raised = true;
        tell();
        return false;
    }

    /// What may be computed more often: one more time, and as often as it may pay when that brought nothing last time.
    /// False where nothing may.
    bool allowMoreCopies()
    {
        const std::vector<int> most =
            m_pays->below(m_incumbent.found() ? bestExtraUs() : std::numeric_limits<double>::infinity());
        const bool all = m_raisedAtUs && *m_raisedAtUs == m_incumbent.bestTimeUs();
        m_raisedAtUs = m_incumbent.bestTimeUs();
        bool more = false;
        m_someMayPay = false;
        for (int v = 0; v < m_flat.ops; ++v) {
            const int before = m_copies[v];
            m_copies[v] = std::min({all ? kMostCopies : before + 1, most[v], kMostCopies});
            more = more || m_copies[v] > before;
            m_someMayPay = m_someMayPay || m_copies[v] < most[v];
        }
        if (!more) return false;
        m_mostCopies = all ? kMostCopies : m_mostCopies + 1;
        m_built.reset();
        m_none = false;
        m_modelBoundUs = m_boundUs;
        tell();
        return true;
    }

    /// The bound of several cuts, at the tight places of the best plan where there is one, which holds for any
    /// number of computations; and its best choice, which may be a plan or nearly one.
    void proveForAllCopies()
    {
        if (!m_options.cuts || m_flat.ops > kDirectOps || ended()) return;
        if (m_cutsDecided || m_boundedAtUs == m_incumbent.bestTimeUs()) return; // it would be the same again
        m_boundedAtUs = m_incumbent.bestTimeUs();
        m_incumbent.setActivity("A proof for any number of computations");
        std::optional<Plan> plan;
        if (m_incumbent.found()) plan.emplace().steps = withEarliestFrees(*m_flat.graph, m_incumbent.best());
        BoundProblem problem{*m_flat.graph, *m_flat.costs, m_request.budgetBytes, plan ? &*plan : nullptr};
        problem.stop = m_context.stop;
        problem.deadline = m_context.deadline;
        problem.iterations = kMostIterations;
        SharpBound bound = sharpBound(problem);
        const bool whole = !bound.recomputes.empty();
        m_cutsDecided = whole && !bound.cutShort;
        m_noPlan = m_noPlan || bound.best.infeasible;
        raiseBoundOfAll(bound.best.timeUs - m_keepAllUs);
        if (whole && m_options.copies == 0) {
            const search::Found fitting =
                search::greedyPlan(m_flat, m_request.budgetBytes, bound.recomputes, m_context.stopCheck());
            offer(toSequence(m_flat, fitting.set), Source::Cuts);
        }
        if (!m_ofCuts || bound.best.extraUs > m_ofCuts->extraUs) m_ofCuts = std::move(bound.best);
        tell();
    }

    void findWhatPays()
    {
        m_incumbent.setActivity("Copies that pay");
        ilp::Limits limits;
        limits.stop = m_context.stop;
        limits.deadline = m_context.deadline;
        limits.iterations = m_flat.ops <= kDirectOps ? kMostIterations : 0;
        m_pays.emplace(m_flat, m_request.budgetBytes, limits);
        m_noPlan = m_noPlan || m_pays->noPlan();
        raiseBoundOfAll(m_pays->boundUs());
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

    cp::CpLimits limitsOf(cp::Strategy strategy) const
    {
        cp::CpLimits limits;
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

    /// C_v of ops that `sequence` computes more often, where no number was given.
    void allowCopiesOf(const std::vector<OpId> &sequence)
    {
        if (m_options.copies > 0) return;
        std::vector<int> times(m_flat.ops, 0);
        for (const OpId op : sequence)
            if (const auto v = op.index(); ++times[v] > m_copies[v]) {
                m_copies[v] = times[v];
                m_built.reset();
            }
    }

    /// Where C_v is not what it was. False when time was up.
    bool build(bool leastPeak)
    {
        if (m_built && m_built->leastPeak() == leastPeak) return true;
        IntervalSettings settings;
        settings.budgetBytes = m_request.budgetBytes;
        settings.copies = m_copies;
        settings.leastPeak = leastPeak;
        m_built = buildIntervals(m_flat, settings, m_context.stopCheck());
        return m_built.has_value();
    }

    void solvePhase(bool leastPeak, cp::Strategy strategy)
    {
        if (ended()) return;
        m_incumbent.setActivity(leastPeak ? "Least memory over the budget" : "Retention intervals");
        const std::vector<OpId> start = m_incumbent.found() ? m_incumbent.best() : m_start;
        allowCopiesOf(start);
        if (!build(leastPeak)) return;
        IntervalModel &intervals = *m_built;
        intervals.model.hint = valuesOf(m_flat, intervals, start);
        if (m_raisedAtUs && m_incumbent.found() && !leastPeak)
            intervals.model.most =
                static_cast<std::int64_t>(std::ceil(bestExtraUs() / intervals.unitUs - kLeastUnits)) - 1;
        cp::CpLimits limits = limitsOf(strategy);
        // Phase 1 is over with the first plan that fits.
        if (leastPeak) limits.enough = [this] { return m_incumbent.found(); };
        limits.progress = [&](const cp::CpProgress &progress) {
            if (progress.x) offer(sequenceOf(intervals, *progress.x), Source::CpSat);
            if (!leastPeak && intervals.exactBytes)
                raiseBound(m_incumbent.found() ? std::min(progress.bound * intervals.unitUs, bestExtraUs())
                                               : progress.bound * intervals.unitUs);
        };
        const cp::CpSolution solution = cp::solve(m_helper, intervals.model, limits);
        if (solution.status == cp::CpStatus::Failed) m_error = solution.error.empty() ? "Try again." : solution.error;
        conclude(solution, intervals, leastPeak);
    }

    void conclude(const cp::CpSolution &solution, const IntervalModel &intervals, bool leastPeak)
    {
        if (!intervals.exactBytes) return;
        // Phase 1 always has a solution; with the least peak known and no plan, no plan fits.
        if (leastPeak)
            m_none = solution.status == cp::CpStatus::Optimal && !m_incumbent.found();
        else if (solution.status == cp::CpStatus::Infeasible && !m_incumbent.found())
            m_none = true;
        else if ((solution.status == cp::CpStatus::Optimal || solution.status == cp::CpStatus::Infeasible) &&
                 m_incumbent.found())
            raiseBound(bestExtraUs());
    }

    /// Neither the model nor the C_v that it has leave out a better plan.
    bool allProven() const { return settled() || (proven() && (m_options.copies > 0 || m_raised)); }
    std::string copies() const
    {
        if (settled() || (m_raised && !m_someMayPay)) return "any number of computations of each op";
        return fmt::format("at most {} computations of each op", formatCount(m_mostCopies));
    }

    SolveOutcome finish()
    {
        SolveOutcome outcome;
        outcome.bound = m_ofCuts;
        if (!m_incumbent.found()) {
            const bool none = allProven();
            const std::string budget = formatMemory(m_request.budgetBytes, m_incumbent.smallestPeakBytes());
            outcome.status = none ? SolveStatus::Infeasible : SolveStatus::Stopped;
            outcome.smallestPeakBytes = m_incumbent.smallestPeakBytes();
            outcome.message = fmt::format(
                "{} The smallest peak seen is {}. {} the budget.",
                none ? fmt::format("No plan with {} fits {}: that is proven.", copies(), budget)
                     : fmt::format("The solve ended before a plan with {} within {} was found or ruled out.", copies(),
                                   budget),
                formatMemory(outcome.smallestPeakBytes),
                m_options.copies > 0 && !m_noPlan ? "Allow more copies, or raise" : "Raise");
            return outcome;
        }
        outcome.plan.emplace().steps = withEarliestFrees(*m_request.graph, m_incumbent.best());
        const bool stopped = m_context.stop && m_context.stop->stopRequested();
        outcome.status = allProven() ? SolveStatus::Optimal : stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
        if (outcome.status == SolveStatus::Optimal)
            outcome.message = fmt::format("The fastest plan with {}.", copies());
        else if (m_provenCopies > 0)
            outcome.message =
                fmt::format("No plan with at most {} computations of each op is faster; one with more may be.",
                            formatCount(m_provenCopies));
        if (m_options.warm && m_source == Source::Start)
            outcome.message += outcome.message.empty()
                                   ? "CP-SAT found nothing faster than the search's plan that it started from."
                                   : " It is the search's, that CP-SAT started from.";
        if (m_source == Source::Cuts)
            outcome.message.append(outcome.message.empty() ? "" : " ")
                .append("The bound of several cuts found it, and not CP-SAT.");
        if (m_context.deadline.passed()) outcome.message.append(" ").append(kTimeWasUp);
        return outcome;
    }

    const SolveRequest &m_request;
    const SolveContext &m_context;
    const IntervalOptions &m_options;
    const FlatGraph &m_flat;
    const cp::Helper m_helper;
    Incumbent m_incumbent;
    std::vector<int> m_copies;            ///< C_v
    std::optional<IntervalModel> m_built; ///< with these
    std::vector<OpId> m_start;            ///< keeps everything, or the search's, whether it fits or not
    double m_keepAllUs = 0;
    double m_boundUs = 0;      ///< on the added time, proven, whatever C_v
    double m_modelBoundUs = 0; ///< the same with C_v as it is
    bool m_none = false;       ///< proven that no plan fits with C_v as it is
    bool m_noPlan = false;     ///< … whatever C_v
    std::optional<CopiesThatPay> m_pays;
    std::optional<double> m_boundedAtUs; ///< time of the best plan at whose tight places a bound was looked for last
    std::optional<TimeBound> m_ofCuts;   ///< the best of those
    bool m_cutsDecided = false;          ///< another plan's tight places would say no more
    Source m_source = Source::Start;     ///< where the best plan comes from
    std::optional<double> m_raisedAtUs;  ///< time of the best plan when C_v grew last
    int m_mostCopies = 0;                ///< C_v is less only where more does not pay
    int m_provenCopies = 0;              ///< C_v of the last model that was proven
    bool m_someMayPay = false;           ///< where C_v is kMostCopies
    bool m_raised = false;               ///< C_v need not grow any more
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
