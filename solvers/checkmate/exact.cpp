// SPDX-License-Identifier: Apache-2.0
#include "solvers/checkmate/exact.h"

#include "core/base/memory_units.h"
#include "solvers/checkmate/path_cuts.h"
#include "solvers/checkmate/program_story.h"
#include "solvers/search/to_plan.h"
#include "solvers/tools/incumbent.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat::checkmate {

namespace {

constexpr int kSmallOps = 20;  ///< up to here slots may run through the ops several times from the start
constexpr int kMostPasses = 3; ///< most automatic passes
constexpr int kSearchReheats = 4;
constexpr int kNeighbours = 2;      ///< slots beside one over the budget that become fine with it
constexpr int kCoarseRounds = 4;    ///< then all slots become fine
constexpr double kAlmost = 0.99;    ///< share of a step of the added time
constexpr double kBytesGap = 1e-3;  ///< units of memory: less over the budget is none
constexpr double kTolerance = 1e-7; ///< share of the keep-all time: a plan this much better is not looked for

/// What became of one program.
enum class Round { Proven, Refine, Stopped };

class Exact
{
public:
    Exact(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat, const ExactSettings &exact)
        : m_request(request),
          m_context(context),
          m_exact(exact),
          m_flat(flat),
          m_evaluator(*request.graph, *request.costs),
          m_incumbent(flat, context, request.budgetBytes),
          m_stop([this] { return m_context.shouldStop(); }),
          m_story(exact.story, flat, request.budgetBytes)
    {
        m_settings.budgetBytes = request.budgetBytes;
        m_settings.passes.assign(flat.ops + 1, 0);
        m_settings.mayRecompute.assign(flat.ops, 1);
        m_settings.mostComputations = exact.mostComputations;
        m_stepUs = timeStepUs(flat);
        m_passes = exact.passes > 0 ? exact.passes : flat.ops <= kSmallOps ? kMostPasses : 1;
    }

    SolveOutcome run()
    {
        m_keepAllUs = m_incumbent.offer(std::vector<Recompute>{}).timeUs;
        raiseBound(m_context.boundTimeUs - m_keepAllUs);
        tell();
        if (proven()) {
            m_story.finish(bestExtraUs(), m_boundUs, true);
            return finish();
        }
        if (m_exact.warm) findStart();
        m_story.start(bestExtraUs(), m_boundUs);
        while (!m_incumbent.found() && !proven() && !m_stop())
            if (findFeasible() != Round::Refine && !morePasses()) break;
        while (!proven() && !m_stop()) {
            const Round round = solveOnce();
            if (round == Round::Stopped) break;
            if (round == Round::Proven && !morePasses()) break;
        }
        m_story.finish(bestExtraUs(), m_boundUs, proven());
        return finish();
    }

private:
    double bestExtraUs() const { return m_incumbent.found() ? m_incumbent.bestTimeUs() - m_keepAllUs : ilp::kInfinity; }
    double tolerance() const { return kTolerance * m_keepAllUs; }
    bool proven() const { return m_infeasible || bestExtraUs() <= m_boundUs + tolerance(); }

    /// A bound on the added time of all plans.
    void raiseBound(double extraUs) { m_boundUs = std::max(m_boundUs, roundedUpUs(extraUs, m_stepUs)); }

    void findStart()
    {
        m_incumbent.setActivity("First plan");
        const std::vector<Recompute> given = search::startSet(m_flat, m_request.start.get());
        if (!given.empty()) m_incumbent.offer(search::greedyPlan(m_flat, m_request.budgetBytes, given, m_stop).set);
        search::SearchSettings settings;
        settings.budgetBytes = m_request.budgetBytes;
        settings.moves = m_exact.searchMoves;
        settings.reheats = kSearchReheats;
        settings.seed = m_context.seed;
        settings.threads = m_context.threads;
        settings.enoughUs = m_boundUs;
        const std::vector<Recompute> start =
            m_incumbent.found() ? toRecomputes(m_flat, m_incumbent.best()) : std::vector<Recompute>{};
        const search::SearchListener tell = [this](const search::SearchReport &report) {
            if (report.better) m_incumbent.offer(report.better->set);
        };
        m_incumbent.offer(search::searchPlan(m_flat, start, settings, m_stop, tell).set);
    }

    ilp::Limits limits() const
    {
        ilp::Limits limits;
        limits.stop = m_context.stop;
        limits.deadline = m_context.deadline;
        limits.iterations = m_exact.iterations;
        limits.seed = static_cast<int>(m_context.seed % 1000000);
        return limits;
    }

    void tell()
    {
        const double best = m_incumbent.found() ? m_incumbent.bestTimeUs() : -1;
        m_incumbent.setModelFigures(best, m_keepAllUs + m_boundUs, m_keepAllUs);
    }

    /// The program for the least bytes over the budget: a plan that fits, a proof that there is none, or slots to
    /// refine.
    Round findFeasible()
    {
        m_settings.leastPeak = true;
        const SlotProgram slots = buildSlotProgram(m_flat, m_settings);
        m_settings.leastPeak = false;
        m_incumbent.setActivity("Least peak");
        ilp::Limits within = limits();
        within.known = kBytesGap;
        const ilp::Solution solution = ilp::solve(slots.model, within);
        if (solution.status == ilp::Status::Infeasible) return infeasible();
        if (!solution.found()) return Round::Stopped;
        return judge(slots, solution);
    }

    /// One program, as coarse as the settings say.
    Round solveOnce()
    {
        SlotProgram slots = buildSlotProgram(m_flat, m_settings);
        m_incumbent.setActivity("Linear relaxation");
        const ilp::Relaxation relaxation = m_exact.pathCuts ? tightenByPathCuts(m_flat, slots, limits(), told(slots))
                                                            : ilp::solveRelaxation(slots.model, limits());
        if (!m_exact.pathCuts) m_story.relaxed(slots, relaxation, 0);
        if (relaxation.status == ilp::Status::Infeasible) return infeasible();
        raiseBound(relaxation.bound * slots.unitUs);
        tell();
        if (proven()) return Round::Proven;
        if (m_stop()) return Round::Stopped;
        const double most = (bestExtraUs() - kAlmost * m_stepUs) / slots.unitUs;
        m_story.fixes(ilp::fixByReducedCosts(slots.model, relaxation, most), slots.model.columns());

        m_incumbent.setActivity("Branch and cut");
        ilp::Limits within = limits();
        within.absoluteGap = tolerance() / slots.unitUs;
        // What is better at all is better by a step.
        if (m_incumbent.found()) within.known = (bestExtraUs() - kAlmost * m_stepUs) / slots.unitUs;
        within.progress = [&](const ilp::Progress &progress) {
            raiseBound(std::min(progress.bound * slots.unitUs, bestExtraUs()));
            tell();
            m_story.branches(progress.incumbent * slots.unitUs, bestExtraUs(), m_boundUs);
        };
        const ilp::Solution solution = ilp::solve(slots.model, within);
        if (solution.status == ilp::Status::Infeasible) {
            m_story.exhausted(bestExtraUs());
            return infeasible();
        }
        if (!solution.found()) {
            raiseBound(std::min(solution.bound * slots.unitUs, bestExtraUs()));
            return Round::Stopped;
        }
        return judge(slots, solution);
    }

    /// No plan of this program is better than the best one: it is optimal, or there is none at all.
    Round infeasible()
    {
        if (m_incumbent.found())
            raiseBound(bestExtraUs());
        else
            m_infeasible = true;
        return Round::Proven;
    }

    /// Takes the plan when it fits; otherwise makes the slots fine where it does not.
    Round judge(const SlotProgram &slots, const ilp::Solution &solution)
    {
        if (slots.over < 0) raiseBound(std::min(solution.bound * slots.unitUs, bestExtraUs()));
        const std::vector<OpId> sequence = readSequence(m_flat, slots, solution.x);
        const SequenceCost cost = m_incumbent.offer(sequence);
        const bool fits = cost.peakBytes <= m_request.budgetBytes;
        m_story.found(cost.timeUs - m_keepAllUs, cost.peakBytes, bestExtraUs(), m_boundUs);
        if (fits) {
            tell();
            return solution.status == ilp::Status::Optimal ? Round::Proven : Round::Stopped;
        }
        m_incumbent.offer(
            search::greedyPlan(m_flat, m_request.budgetBytes, toRecomputes(m_flat, sequence), m_stop).set);
        tell();
        return refine(sequence) ? Round::Refine : Round::Stopped;
    }

    /// False when every slot over the budget is fine already, which only rounding can bring about.
    bool refine(const std::vector<OpId> &sequence)
    {
        std::vector<std::int64_t> held;
        m_evaluator.profile(sequence, held);
        bool changed = false;
        int slot = 0;
        const int wide = ++m_rounds >= kCoarseRounds ? m_flat.ops : kNeighbours;
        for (std::size_t p = 0; p < sequence.size(); ++p) {
            if (held[p] > m_request.budgetBytes)
                for (int t = std::max(slot - wide, 0); t <= std::min(slot + wide, m_flat.ops); ++t) {
                    changed = changed || m_settings.passes[t] < m_passes;
                    m_settings.passes[t] = std::max(m_settings.passes[t], m_passes);
                }
            if (sequence[p].value == slot) ++slot;
        }
        return changed;
    }

    /// When nothing fits with as many passes as slots had: one more, where that is allowed.
    bool morePasses()
    {
        const bool anyFine =
            std::any_of(m_settings.passes.begin(), m_settings.passes.end(), [](int p) { return p > 0; });
        if (!m_infeasible || !anyFine || m_exact.passes > 0 || m_passes == kMostPasses) return false;
        ++m_passes;
        m_infeasible = false;
        for (int &passes : m_settings.passes)
            if (passes > 0) passes = m_passes;
        return true;
    }

    /// For the rounds of cuts; empty where nothing is recorded.
    RelaxationListener told(const SlotProgram &slots)
    {
        if (!m_exact.story) return {};
        return
            [this, &slots](const ilp::Relaxation &relaxation, int rows) { m_story.relaxed(slots, relaxation, rows); };
    }

    SolveOutcome finish()
    {
        SolveOutcome outcome;
        if (!m_infeasible) outcome.boundTimeUs = m_keepAllUs + m_boundUs;
        const std::string budget = formatMemory(m_request.budgetBytes, m_incumbent.smallestPeakBytes());
        if (!m_incumbent.found()) {
            outcome.status = m_infeasible ? SolveStatus::Infeasible : SolveStatus::Stopped;
            outcome.smallestPeakBytes = m_incumbent.smallestPeakBytes();
            const std::string peak = formatMemory(outcome.smallestPeakBytes);
            outcome.message =
                m_infeasible
                    ? fmt::format(
                          "No plan in the graph's order of ops fits {}: that is proven. The smallest peak seen is {}.",
                          budget, peak)
                    : fmt::format("The solve ended before a plan within {} was found or ruled out; the smallest peak "
                                  "so far is {}.",
                                  budget, peak);
            return outcome;
        }
        Plan plan;
        plan.steps = withEarliestFrees(*m_request.graph, m_incumbent.best());
        outcome.plan = std::move(plan);
        const bool stopped = m_context.stop && m_context.stop->stopRequested();
        outcome.status = proven() ? SolveStatus::Optimal : stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
        return outcome;
    }

    const SolveRequest &m_request;
    const SolveContext &m_context;
    const ExactSettings &m_exact;
    const FlatGraph &m_flat;
    SequenceEvaluator m_evaluator;
    Incumbent m_incumbent;
    const search::StopCheck m_stop;
    ProgramStory m_story;
    ModelSettings m_settings;
    int m_passes = 1; ///< passes over slots that are fine
    int m_rounds = 0;
    double m_stepUs = 0; ///< added times are multiples of it; 0: of nothing
    double m_keepAllUs = 0;
    double m_boundUs = 0; ///< on the added time, proven
    bool m_infeasible = false;
};

} // namespace

SolveOutcome planExactly(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
                         const ExactSettings &settings)
{
    return Exact(request, context, flat, settings).run();
}

} // namespace remat::checkmate
