#include "solvers/hiremate/pipeline.h"

#include "core/base/memory_units.h"
#include "solvers/checkmate/exact.h"
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/exact.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/ilp/cbc.h"
#include "solvers/incumbent.h"
#include "solvers/parallel.h"
#include "solvers/search/peak.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>

namespace remat::hiremate {

namespace {

constexpr int kTightenings = 3;
constexpr int kExactOps = 40;
constexpr std::size_t kExactStates = 1'000'000;
/// Of each step down: enough to see whether there is a plan, not the last per mille.
constexpr std::int64_t kLowerPeakMoves = 4'000;
/// Share of the added time above the proven bound from which more work is worth it.
constexpr double kNearEnough = 0.03;

/// One solve; lives for one call.
class Pipeline
{
public:
    Pipeline(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
             const PipelineOptions &options)
        : m_settings(options),
          m_request(request),
          m_context(context),
          m_flat(flat),
          m_budget(request.budgetBytes),
          m_evaluator(*request.graph, *request.costs),
          m_incumbent(flat, context, request.budgetBytes),
          m_stop([this] { return m_context.shouldStop(); })
    {
    }

    SolveOutcome run()
    {
        const SequenceCost keepAll = replay(m_flat, m_evaluator, {});
        m_keepAllTimeUs = keepAll.timeUs;
        if (m_incumbent.offer(std::vector<Recompute>{}).peakBytes <= m_budget) return finish(true);
        m_incumbent.setActivity("First plan");
        if (m_request.start) m_incumbent.offer(search::startSet(m_flat, m_request.start.get()));
        m_incumbent.offer(search::greedyPlan(m_flat, m_budget, {}, m_stop).set);
        if (nearBound(0)) return finish(true);
        if (m_flat.ops <= kExactOps && solveExactly()) return finish(true);
        if (m_flat.ops <= kExactOps && !m_stop())
            solveLeaf();
        else if (m_flat.forwardOps < m_flat.ops && !m_stop())
            planChain(keepAll.peakBytes);
        if (!m_incumbent.found() && !m_stop()) searchLowerPeaks();
        polishBest();
        return finish(false);
    }

private:
    /// Within `share` of the least added time of any plan (and what rounding makes of 0).
    bool nearBound(double share) const
    {
        if (!m_incumbent.found()) return false;
        const double over = m_incumbent.bestTimeUs() - m_context.boundTimeUs;
        return over < std::max(1e-6 * m_keepAllTimeUs, share * (m_context.boundTimeUs - m_keepAllTimeUs));
    }

    /// True when the graph is small enough for the answer to be exact, one way or the other.
    bool solveExactly()
    {
        m_incumbent.setActivity("All states");
        const ExactResult exact = searchStates(m_flat, m_budget, kExactStates, m_stop);
        if (exact.sequence) m_incumbent.offer(*exact.sequence);
        return exact.finished;
    }

    /// The whole graph as one integer program.
    void solveLeaf()
    {
        m_incumbent.setActivity("Whole graph");
        checkmate::ExactSettings exact;
        exact.iterations = iterations();
        const SolveOutcome outcome = checkmate::planExactly(m_request, m_context, m_flat, exact);
        if (outcome.plan) m_incumbent.offer(computeSequence(*outcome.plan));
    }

    /// Blocks, options, the chain, replay.
    void planChain(std::int64_t keepAllPeakBytes)
    {
        m_incumbent.setActivity("Blocks");
        const PartitionSizes sizes{m_settings.blockMin, std::max(m_settings.blockMin, m_settings.blockMax)};
        m_chain = makeChain(m_flat, partitionLabels(m_flat, m_settings.partitioner, sizes), keepAllPeakBytes);
        findOptions();
        if (m_stop()) return;
        makeChoices();
        solveChain();
        if (!nearBound(kNearEnough)) solveLooserChains();
    }

    /// Solves each distinct block once, on all threads.
    void findOptions()
    {
        m_incumbent.setActivity("Options of clusters", 0);
        std::vector<int> distinct;
        std::vector<ClusterProgress> table;
        for (int k = 0; k < static_cast<int>(m_chain.blocks.size()); ++k) {
            if (m_chain.blocks[k].representative != k) continue;
            distinct.push_back(k);
            ClusterProgress row;
            row.name = m_chain.blocks[k].name;
            row.uses = m_chain.blocks[k].copies;
            table.push_back(row);
        }
        m_incumbent.setClusters(table);
        m_options.assign(m_chain.blocks.size(), {});

        ClosureSettings settings;
        settings.levels = m_settings.levels;
        settings.optionLimit = m_settings.optionsPerBlock;
        settings.interfaces = m_settings.interfaceOptions && interfacesAreLarge();
        settings.stop = m_context.stop;
        settings.deadline = Deadline(std::min(0.45 * m_context.deadline.secondsLeft(), kNoLimitSeconds));
        settings.seed = static_cast<int>(m_context.seed % 1000000);
        settings.iterations = std::min(settings.iterations, iterations());
        std::atomic<bool> timeWasUp = false;
        settings.timeWasUp = &timeWasUp;
        parallelFor(m_context.threads, distinct.size(), [&](std::size_t d) {
            const auto start = std::chrono::steady_clock::now();
            const auto seconds = [&] {
                return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            };
            const auto told = [&](int options) {
                m_incumbent.updateCluster(d, [&](ClusterProgress &row) {
                    row.running = true;
                    row.options = options;
                    row.seconds = seconds();
                });
            };
            const int k = distinct[d];
            ClosureSettings own = settings;
            // Planners of whole graphs take as long as they may: the blocks to come get their share.
            if (m_settings.leaf != "ilp") own.deadline = shareOf(settings.deadline, distinct.size() - d);
            m_options[k] = leafOptions(m_settings.leaf, m_flat, m_chain, m_chain.blocks[k], own, told);
            m_incumbent.updateCluster(d, [&](ClusterProgress &row) {
                row.running = false;
                row.done = true;
                row.gap = 0;
                row.options = static_cast<int>(m_options[k].size());
                row.seconds = seconds();
            });
        });
        m_timeWasUp = m_timeWasUp || timeWasUp || settings.deadline.passed();
    }

    Deadline shareOf(const Deadline &whole, std::size_t blocksLeft) const
    {
        const double atOnce = static_cast<double>(std::min<std::size_t>(blocksLeft, std::max(m_context.threads, 1)));
        const double seconds = whole.secondsLeft() * atOnce / static_cast<double>(blocksLeft);
        return Deadline(std::min(seconds, kNoLimitSeconds));
    }

    /// Of the simplex method, for each program.
    std::int64_t iterations() const { return std::int64_t(1000) * m_settings.thousandIterations; }

    bool interfacesAreLarge() const
    {
        std::int64_t sum = 0;
        for (const int s : m_chain.interfaces)
            sum += m_flat.bytes[s];
        return static_cast<double>(sum) > 0.05 * static_cast<double>(m_chain.keepAllPeakBytes);
    }

    void makeChoices()
    {
        m_choices.resize(m_chain.blocks.size());
        for (std::size_t k = 0; k < m_choices.size(); ++k) {
            const Block &block = m_chain.blocks[k];
            m_choices[k].options = &m_options[block.representative];
            m_choices[k].lites = liteAlternatives(m_flat, m_chain, block, *m_choices[k].options, {});
            std::vector<int> made;
            for (const LocalOp &op : block.ops)
                made.insert(made.end(), op.madeInterfaces.begin(), op.madeInterfaces.end());
            m_choices[k].fastForward = rebuild(m_flat, block, std::vector<char>(block.storages.size(), 0), made);
            if (made.empty()) m_choices[k].fastForward.possible = false;
        }
    }

    /// Solves the chain; tightens its budget while the composed plan is over the real one.
    void solveChain()
    {
        std::int64_t budget = m_budget;
        std::vector<double> start;
        for (int round = 0; round <= kTightenings && !m_stop(); ++round) {
            m_incumbent.setActivity(round == 0 ? "Top chain" : "Top chain, tightened");
            const std::optional<TopModel> top = buildTop(budget);
            if (!top) break;
            if (start.empty()) start = pricedStart(*top, m_choices, m_stop);
            if (!start.empty()) offerChoice(*top, start);
            const ilp::Solution solution = solveTop(*top, start, true);
            if (!solution.found()) break;
            m_incumbent.setActivity("Replay");
            const std::int64_t peak = offerChoice(*top, solution.x);
            if (peak <= m_budget) return;
            budget -= (peak - m_budget) + (peak - m_budget) / 2000 + 1;
            start.clear();
        }
        if (!m_incumbent.found() && !m_stop()) repairFromChain();
    }

    /// Annealing on the whole graph, from the plan that the blocks gave.
    void polishBest()
    {
        if (m_settings.polishThousandMoves == 0 || m_stop() || !m_incumbent.found() || nearBound(0)) return;
        m_incumbent.setActivity("Polish", 0);
        search::SearchSettings settings;
        settings.budgetBytes = m_budget;
        settings.moves = std::int64_t(1000) * m_settings.polishThousandMoves;
        settings.seed = m_context.seed;
        settings.threads = m_context.threads;
        settings.enoughUs = search::enoughUs(m_keepAllTimeUs, m_context);
        search::searchPlan(m_flat, toRecomputes(m_flat, m_incumbent.best()), settings, m_stop,
                           [&](const search::SearchReport &report) {
                               if (report.better && report.better->fits) m_incumbent.offer(report.better->set);
                               m_incumbent.setActivity("Polish", report.done);
                           });
    }

    std::optional<TopModel> buildTop(std::int64_t budget) const
    {
        TopSettings settings;
        settings.stop = m_stop;
        settings.lite = m_settings.lite;
        if (m_settings.closureCut) settings.leastUs = m_context.boundTimeUs - m_keepAllTimeUs;
        return buildTopModel(m_flat, m_chain, m_choices, budget, settings);
    }

    /// At low budgets blocks would have to drop a storage between two uses in their own backward part, which no option
    /// does: the chain is solved for somewhat more memory, and its plan repaired on the whole graph.
    void solveLooserChains()
    {
        m_incumbent.setActivity("Looser chains");
        for (const int percent : {2, 5, 10, 15, 20, 30}) {
            if (m_stop()) return;
            const std::optional<TopModel> top = buildTop(m_budget + m_budget / 100 * percent);
            if (!top) return;
            const ilp::Solution solution = solveTop(*top, pricedStart(*top, m_choices, m_stop), false);
            if (!solution.found()) continue;
            const std::vector<Recompute> set = compose(m_flat, m_chain, m_choices, readChoice(*top, solution.x));
            m_incumbent.offer(search::greedyPlan(m_flat, m_budget, set, m_stop).set);
        }
    }

    ilp::Solution solveTop(const TopModel &top, const std::vector<double> &start, bool tell)
    {
        ilp::Limits limits = chainLimits();
        limits.relativeGap = m_settings.gapPercent / 100;
        limits.absoluteGap = 1e-5 * m_keepAllTimeUs;
        limits.start = start;
        if (tell) limits.progress = [this](const ilp::Progress &progress) { tellFigures(progress); };
        const ilp::Solution solution = ilp::solve(top.model, limits);
        m_timeWasUp = m_timeWasUp || limits.deadline.passed();
        return solution;
    }

    /// What is left of the time, less what replay and undo need afterwards; nothing worse than the best plan.
    ilp::Limits chainLimits() const
    {
        ilp::Limits limits;
        limits.stop = m_context.stop;
        limits.iterations = iterations();
        const double left = m_context.deadline.secondsLeft();
        if (std::isfinite(left)) limits.deadline = Deadline(std::max(0.0, left - std::clamp(0.05 * left, 0.1, 1.0)));
        limits.seed = static_cast<int>(m_context.seed % 1000000);
        if (m_incumbent.found()) limits.known = m_incumbent.bestTimeUs() - m_keepAllTimeUs;
        return limits;
    }

    /// Figures of a model whose objective is the added time.
    void tellFigures(const ilp::Progress &progress)
    {
        const bool some = std::isfinite(progress.incumbent), bounded = std::isfinite(progress.bound);
        const double incumbentUs = some ? m_keepAllTimeUs + progress.incumbent : -1;
        const double boundUs = bounded ? std::max(m_keepAllTimeUs, m_keepAllTimeUs + progress.bound) : -1;
        m_incumbent.setModelFigures(incumbentUs, boundUs, m_keepAllTimeUs);
    }

    /// Composes, undoes what is not needed, and offers; the peak is that of the composition itself.
    std::int64_t offerChoice(const TopModel &top, const std::vector<double> &x)
    {
        const std::vector<Recompute> set = compose(m_flat, m_chain, m_choices, readChoice(top, x));
        const SequenceCost cost = m_incumbent.offer(set);
        if (m_settings.undo) {
            search::State state(m_flat, m_budget);
            state.assign(set);
            search::prune(state, m_stop);
            m_incumbent.offer(state.recomputes());
        }
        return cost.peakBytes;
    }

    /// When the chain has no solution: the options of smallest peak everywhere, repaired on the whole graph.
    void repairFromChain()
    {
        m_incumbent.setActivity("Repair");
        TopChoice choice;
        for (const BlockChoices &block : m_choices) {
            const auto smallest =
                std::min_element(block.options->begin(), block.options->end(), [](const Option &a, const Option &b) {
                    return a.backwardPeakBytes + a.keptBytes < b.backwardPeakBytes + b.keptBytes;
                });
            choice.option.push_back(static_cast<int>(smallest - block.options->begin()));
        }
        const std::vector<Recompute> set = compose(m_flat, m_chain, m_choices, choice);
        m_incumbent.offer(set);
        m_incumbent.offer(search::greedyPlan(m_flat, m_budget, set, m_stop).set);
    }

    /// Nothing fits yet: lowers the peak as far as it goes.
    void searchLowerPeaks()
    {
        m_incumbent.setActivity("Lower peaks");
        search::State state(m_flat, m_budget);
        search::PeakSettings settings;
        settings.targetBytes = m_budget;
        settings.moves = kLowerPeakMoves;
        settings.seed = m_context.seed;
        m_incumbent.offer(search::lowerPeak(state, settings, m_stop).set);
    }

    SolveOutcome finish(bool optimal)
    {
        SolveOutcome outcome;
        const bool stopped = m_context.stop && m_context.stop->stopRequested();
        if (!m_incumbent.found()) {
            const bool cut = m_stop();
            outcome.status = cut ? SolveStatus::Stopped : SolveStatus::Infeasible;
            outcome.smallestPeakBytes = m_incumbent.smallestPeakBytes();
            const std::string peak = formatMemory(outcome.smallestPeakBytes);
            outcome.message = (cut ? "The solve ended before a plan within " : "No plan within ") +
                              formatMemory(m_budget, outcome.smallestPeakBytes) +
                              (cut ? " was found; the smallest peak so far is " + peak + "."
                                   : " was found for the order of ops in the graph; the smallest peak reached is " +
                                         peak + ". Raise the budget to that.");
            return outcome;
        }
        Plan plan;
        plan.steps = withEarliestFrees(*m_request.graph, m_incumbent.best());
        outcome.plan = std::move(plan);
        outcome.status = optimal ? SolveStatus::Optimal : stopped ? SolveStatus::Stopped : SolveStatus::Feasible;
        if (!optimal && (m_timeWasUp || m_context.deadline.passed())) outcome.message = kTimeWasUp;
        return outcome;
    }

    const PipelineOptions &m_settings;
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const FlatGraph &m_flat;
    const std::int64_t m_budget;
    SequenceEvaluator m_evaluator;
    Incumbent m_incumbent;
    const std::function<bool()> m_stop;
    double m_keepAllTimeUs = 0;
    bool m_timeWasUp = false; ///< the clock cut something short
    Chain m_chain;
    std::vector<std::vector<Option>> m_options; ///< per block; only representatives have any
    std::vector<BlockChoices> m_choices;
};

} // namespace

Expected<SolveOutcome> planHierarchically(const SolveRequest &request, const SolveContext &context,
                                          const PipelineOptions &options)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> sizes = search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    return Pipeline(request, context, flat, options).run();
}

} // namespace remat::hiremate
