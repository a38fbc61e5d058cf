#include "solvers/hiremate/pipeline.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "solvers/checkmate/exact.h"
#include "solvers/hiremate/cluster_options.h"
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/exact.h"
#include "solvers/hiremate/hierarchy.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/hiremate/plan_options.h"
#include "solvers/hiremate/rounds.h"
#include "solvers/ilp/cbc.h"
#include "solvers/incumbent.h"
#include "solvers/parallel.h"
#include "solvers/search/peak.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace remat::hiremate {

namespace {

constexpr int kTightenings = 3, kPlaceTightenings = 6;
constexpr int kExactOps = 40;
constexpr std::size_t kExactStates = 1'000'000;
/// Of each step down: enough to see whether there is a plan, not the last per mille.
constexpr std::int64_t kLowerPeakMoves = 4'000;
/// Share of the added time above the proven bound from which more work is worth it.
constexpr double kNearEnough = 0.03;
/// And from which a dynamic program over the chain is: it looks at what programs over blocks do not.
constexpr double kNearEnoughForTables = 0.01;
/// Of the time that is left, for one dynamic program.
constexpr double kTableShare = 0.5;
/// Of the time, for options of clusters: of blocks, and where clusters are made of them, which leave a small program at
/// the top.
constexpr double kOptionsShare = 0.45, kDeepOptionsShare = 0.65;
/// Added time above the bound, as a share of the bound's and of the whole, below which further rounds are not worth it.
constexpr double kGoodEnough = 0.01, kGoodEnoughOfAll = 0.001;
/// Iterations of the simplex method that further rounds may take per second of the time limit, on the low side, so that
/// the clock does not decide; and what every solve counts at least, per op.
constexpr double kIterationsPerSecond = 8000, kIterationsPerOp = 2;
constexpr std::int64_t kIterationsPerPlace = 50; ///< as which a block that is planned in its place counts
/// How often the program over the chain is solved with options from the best plan, while it gives better ones.
constexpr int kTurns = 4;
/// Of the time that is left, for one program over the chain: where it takes longer, other cuts bring more.
constexpr double kChainShare = 0.6, kLooserChainShare = 0.15;
/// Of the iterations that are left, for one more solve.
constexpr double kSolveShare = 0.25;

/// One solve; lives for one call.
class Pipeline
{
public:
    Pipeline(const SolveRequest &request, const SolveContext &context, const FlatGraph &flat,
             const PipelineOptions &options)
        : m_asked(options),
          m_settings(options),
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
            planWhole(keepAll.peakBytes);
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

    /// By the planners over the whole graph that are asked for.
    void planWhole(std::int64_t keepAllPeakBytes)
    {
        const bool best = m_settings.top == "best";
        const bool program = best || m_settings.top == "ilp";
        if (program) planChain(keepAllPeakBytes);
        for (const char *name : {"rotor", "rk-rotor"})
            if (m_settings.top == name || (best && !nearBound(kNearEnoughForTables) && !m_stop())) planByTable(name);
        if (program) planAgain(keepAllPeakBytes);
    }

    /// Rounds of other cuts, block sizes and ever more options, until the plan is near the bound, a whole round brings
    /// nothing, or the work that belongs to the time limit is done; without a limit there would be no end to it. The
    /// table of clusters is in the end that of the solve that gave the best plan.
    void planAgain(std::int64_t keepAllPeakBytes)
    {
        if (!mayGoOn()) return;
        const std::int64_t most = mostIterations();
        std::vector<ClusterProgress> best = m_incumbent.clusters();
        int solves = 0;
        bool gained = true;
        const auto over = [&] { return m_stop() || goodEnough() || m_iterationsDone >= most; };
        for (int round = 1; round <= m_asked.rounds && gained && !over(); ++round) {
            gained = false;
            if (round > 1) m_triedLabels.clear();
            for (const Variation &next : variations(m_asked, round)) {
                if (over()) break;
                const double before = m_incumbent.bestTimeUs();
                solveAgain(next, round, most - m_iterationsDone, keepAllPeakBytes);
                ++solves;
                if (m_incumbent.bestTimeUs() == before) continue;
                gained = true;
                best = m_incumbent.clusters();
            }
        }
        if (solves == 0) return;
        m_incumbent.setClusters(std::move(best));
        m_note = "Solved again with other partitioners, block sizes and more options, " + formatCount(solves) +
                 (solves == 1 ? " time, until " : " times, until ") +
                 (goodEnough()               ? "the plan was within 1 % of the least added time, or 0.1 points of it."
                  : m_iterationsDone >= most ? "the work that belongs to the time limit was done."
                  : gained                   ? "all rounds were done."
                                             : "a whole round gave no better plan.");
    }

    bool mayGoOn() const { return m_asked.rounds > 0 && std::isfinite(m_context.deadline.totalSeconds()); }

    /// That belong to the time limit.
    std::int64_t mostIterations() const
    {
        return static_cast<std::int64_t>(kIterationsPerSecond * m_context.deadline.totalSeconds());
    }

    /// In another way, with a part of the `left` iterations.
    void solveAgain(const Variation &next, int round, std::int64_t left, std::int64_t keepAllPeakBytes)
    {
        m_settings = next.options;
        m_variation = "Round " + std::to_string(round) + ", " + next.name + ": ";
        m_iterationsUntil = m_iterationsDone + static_cast<std::int64_t>(kSolveShare * static_cast<double>(left));
        m_iterationsDone += static_cast<std::int64_t>(kIterationsPerOp * m_flat.ops);
        planChain(keepAllPeakBytes);
    }

    /// So near the bound that more solves are not worth it.
    bool goodEnough() const
    {
        return nearBound(kGoodEnough) || (m_incumbent.found() && m_incumbent.bestTimeUs() - m_context.boundTimeUs <
                                                                     kGoodEnoughOfAll * m_keepAllTimeUs);
    }

    /// The dynamic program of that name, where the graph is a chain: at low budgets, where a chain is run forward many
    /// times over, programs over blocks are behind it.
    void planByTable(const std::string &name)
    {
        m_incumbent.setActivity("Dynamic program");
        const Planner &planner = **findPlanner(name);
        SolveRequest request = m_request;
        request.options = *makeOptions(planner.info().options, {});
        SolveContext context = m_context;
        context.progress = nullptr;
        context.story = nullptr;
        context.deadline = Deadline(std::min(kTableShare * m_context.deadline.secondsLeft(), kNoLimitSeconds));
        try {
            const Expected<SolveOutcome> outcome = planner.plan(request, context);
            if (outcome && outcome->plan) m_incumbent.offer(computeSequence(*outcome->plan));
        } catch (const TimeUp &) {
            m_timeWasUp = true;
        }
        m_timeWasUp = m_timeWasUp || context.deadline.passed();
    }

    /// Clusters, their options, the chain, replay.
    void planChain(std::int64_t keepAllPeakBytes)
    {
        setActivity("Blocks");
        const PartitionSizes sizes{m_settings.blockMin, std::max(m_settings.blockMin, m_settings.blockMax)};
        const std::vector<int> labels = partitionLabels(m_flat, m_settings.partitioner, sizes);
        if (!m_triedLabels.insert(labels).second) return;
        m_hierarchy = makeHierarchy(m_flat, labels, keepAllPeakBytes, m_settings.depth);
        findOptions();
        if (m_stop()) return;
        const bool again = !m_variation.empty();
        double before = 0;
        for (int turn = 0; turn < (again ? kTurns : 1) && m_incumbent.bestTimeUs() != before; ++turn) {
            if (again) planBlocksAnew(chain());
            before = m_incumbent.bestTimeUs();
            if (again) addOptionsOfBest();
            if (m_stop()) return;
            m_choices = choicesOf(m_flat, chain(), optionsOf(m_hierarchy.children));
            solveChain();
        }
        if (mayGoOn() && !again) descend(keepAllPeakBytes);
        if (!nearBound(kNearEnough)) solveLooserChains();
    }

    /// One block after the other is planned anew in its place in the best plan, while that brings something.
    void planBlocksAnew(const Chain &cut)
    {
        setActivity("Blocks in place");
        for (bool gained = m_incumbent.found(); gained && !m_stop();) {
            const double before = m_incumbent.bestTimeUs();
            for (std::size_t k = 0; k < cut.blocks.size() && !m_stop(); ++k) {
                const std::vector<Recompute> best = toRecomputes(m_flat, m_incumbent.best());
                const PlanOptions plan(m_flat, cut, best);
                m_iterationsDone += kIterationsPerPlace;
                m_incumbent.offer(plan.planAnew(cut.blocks[k], m_budget, m_context.seed, m_stop));
            }
            gained = m_incumbent.bestTimeUs() < before;
        }
    }

    /// The same with the blocks of every other cut, which is a matter of moments: they see what those of this one do
    /// not, such as both ends of a skip.
    void descend(std::int64_t keepAllPeakBytes)
    {
        double before = 0;
        while (!goodEnough() && !m_stop() && m_incumbent.bestTimeUs() != before) {
            before = m_incumbent.bestTimeUs();
            for (const Variation &next : variations(m_asked, 2)) {
                const PartitionSizes sizes{next.options.blockMin, next.options.blockMax};
                if (m_stop() || goodEnough() || m_iterationsDone >= mostIterations() / 2) return;
                planBlocksAnew(
                    makeChain(m_flat, partitionLabels(m_flat, next.options.partitioner, sizes), keepAllPeakBytes));
            }
        }
    }

    /// What the best plan so far does in each of the largest clusters, and could do in its place, are options of it,
    /// too.
    void addOptionsOfBest()
    {
        if (!m_incumbent.found()) return;
        const std::vector<Recompute> best = toRecomputes(m_flat, m_incumbent.best());
        const PlanOptions plan(m_flat, chain(), best);
        for (std::size_t k = 0; k < chain().blocks.size() && !m_stop(); ++k)
            for (Option &option : plan.inPlace(chain().blocks[k], m_budget, m_context.seed, m_stop))
                m_options[m_hierarchy.children[k]].push_back(std::move(option));
    }

    /// Solves each distinct cluster once, on all threads, those that others are made of first.
    void findOptions()
    {
        setActivity("Options of clusters", 0);
        std::vector<ClusterProgress> table;
        for (const ClusterNode &node : m_hierarchy.clusters) {
            ClusterProgress row;
            row.name = m_hierarchy.blockOf(node).name;
            row.level = node.level;
            row.uses = node.uses;
            table.push_back(row);
        }
        m_incumbent.setClusters(table);
        m_options.assign(m_hierarchy.clusters.size(), {});

        ClosureSettings settings;
        settings.levels = m_settings.levels;
        settings.optionLimit = m_settings.optionsPerBlock;
        settings.interfaces = m_settings.interfaceOptions && interfacesAreLarge();
        settings.stop = m_context.stop;
        settings.seed = static_cast<int>(m_context.seed % 1000000);
        settings.iterations = std::min(settings.iterations, iterations());
        std::atomic<bool> timeWasUp = false;
        settings.timeWasUp = &timeWasUp;
        settings.iterationsDone = &m_iterationsDone;
        const double share = m_hierarchy.levels > 1 ? kDeepOptionsShare : kOptionsShare;
        const Deadline all(std::min(share * m_context.deadline.secondsLeft(), kNoLimitSeconds));
        for (int level = m_hierarchy.levels; level > 0; --level) {
            std::vector<std::size_t> here;
            for (std::size_t c = 0; c < m_hierarchy.clusters.size(); ++c)
                if (m_hierarchy.clusters[c].level == level) here.push_back(c);
            settings.deadline = Deadline(std::min(all.secondsLeft() / level, kNoLimitSeconds));
            parallelFor(m_context.threads, here.size(),
                        [&](std::size_t n) { solveCluster(here[n], settings, here.size() - n); });
        }
        m_timeWasUp = m_timeWasUp || timeWasUp || all.passed();
    }

    /// One of `left` clusters that share the time.
    void solveCluster(std::size_t c, const ClosureSettings &settings, std::size_t left)
    {
        const auto start = std::chrono::steady_clock::now();
        const auto tell = [&](int options, bool done) {
            m_incumbent.updateCluster(c, [&](ClusterProgress &row) {
                row.running = !done;
                row.done = done;
                if (done) row.gap = 0;
                row.options = options;
                row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            });
        };
        const auto told = [&](int options) { tell(options, false); };
        const ClusterNode &node = m_hierarchy.clusters[c];
        const Chain &around = m_hierarchy.chainAround(node);
        ClosureSettings own = settings;
        // Planners of whole graphs, and programs over chains, take as long as they may: the others get their share.
        if (m_settings.leaf != "ilp" || !node.leaf()) own.deadline = shareOf(settings.deadline, left);
        if (node.leaf()) {
            m_options[c] = leafOptions(m_settings.leaf, m_flat, around, around.blocks[node.block], own, told);
        } else {
            ClusterSettings cluster;
            cluster.lite = m_settings.lite;
            cluster.limits = own;
            m_options[c] =
                clusterOptions(m_flat, around, node.block, node.inner, optionsOf(node.children), cluster, told);
        }
        tell(static_cast<int>(m_options[c].size()), true);
    }

    const Chain &chain() const { return m_hierarchy.top; }

    std::vector<const std::vector<Option> *> optionsOf(const std::vector<int> &clusters) const
    {
        std::vector<const std::vector<Option> *> options;
        options.reserve(clusters.size());
        for (const int c : clusters)
            options.push_back(&m_options[c]);
        return options;
    }

    Deadline shareOf(const Deadline &whole, std::size_t blocksLeft) const
    {
        const double atOnce = static_cast<double>(std::min<std::size_t>(blocksLeft, std::max(m_context.threads, 1)));
        const double seconds = whole.secondsLeft() * atOnce / static_cast<double>(blocksLeft);
        return Deadline(std::min(seconds, kNoLimitSeconds));
    }

    /// Of the simplex method, for each program.
    std::int64_t iterations() const
    {
        const std::int64_t most = std::int64_t(1000) * m_settings.thousandIterations;
        return std::min(most, std::max<std::int64_t>(m_iterationsUntil - m_iterationsDone, 1));
    }

    /// Of further solves, with what is different in them.
    void setActivity(const char *activity, double fraction = -1)
    {
        m_incumbent.setActivity(m_variation + activity, fraction);
    }

    bool interfacesAreLarge() const
    {
        std::int64_t sum = 0;
        for (const int s : chain().interfaces)
            sum += m_flat.bytes[s];
        return static_cast<double>(sum) > 0.05 * static_cast<double>(chain().keepAllPeakBytes);
    }

    /// Solves the chain; tightens its budget while the composed plan is over the real one. Further solves, and the
    /// first one where that has not helped, take off only where the plan is over.
    void solveChain()
    {
        Composed composed = Composed::Over;
        if (m_variation.empty()) composed = solveTightened(kTightenings, false);
        if (composed == Composed::Over && !m_stop()) composed = solveTightened(kPlaceTightenings, true);
        if (composed == Composed::Fits) return;
        if (!m_incumbent.found() && !m_stop()) repairFromChain();
    }

    /// What has come of a program over the chain: no solution, or a plan within the budget or over it.
    enum class Composed { Nothing, Fits, Over };

    Composed solveTightened(int times, bool inPlace)
    {
        Composed composed = Composed::Nothing;
        std::int64_t budget = m_budget;
        std::vector<std::int64_t> setAside(chain().parts.size(), 0);
        std::vector<double> start;
        for (int round = 0; round <= times && !m_stop(); ++round) {
            setActivity(round == 0 ? "Top chain" : "Top chain, tightened");
            const std::optional<TopModel> top = buildTop(budget, setAside);
            if (!top) return composed;
            if (start.empty()) start = pricedStart(*top, m_choices, m_stop);
            if (!start.empty()) offerChoice(*top, start);
            const ilp::Solution solution = solveTop(*top, start, true);
            if (!solution.found()) return composed;
            setActivity("Replay");
            const std::int64_t peak = offerChoice(*top, solution.x);
            if (peak <= m_budget) {
                tellChosen(readChoice(*top, solution.x));
                return Composed::Fits;
            }
            composed = Composed::Over;
            if (inPlace)
                setAsideOverflow(*top, solution.x, setAside);
            else
                budget -= (peak - m_budget) + (peak - m_budget) / 2000 + 1;
            start.clear();
        }
        return composed;
    }

    /// What the plan of a solution is over the budget in each part: where recomputations of several blocks share ops,
    /// or results of one outlive it, rows do not see it.
    void setAsideOverflow(const TopModel &top, const std::vector<double> &x, std::vector<std::int64_t> &setAside)
    {
        const std::vector<std::int64_t> held =
            heldBySlot(m_flat, m_evaluator, compose(m_flat, chain(), m_choices, readChoice(top, x)));
        for (std::size_t t = 0; t < setAside.size(); ++t) {
            const Part &part = chain().parts[t];
            std::int64_t over = 0;
            for (int slot = part.slot; slot < part.slot + part.end - part.begin; ++slot)
                over = std::max(over, held[slot] - m_budget);
            if (over > 0) setAside[t] += over + over / 2000 + 1;
        }
    }

    /// Which options the largest clusters take, and so those inside them, down to the blocks.
    void tellChosen(const TopChoice &choice)
    {
        std::vector<std::map<int, int>> uses(m_options.size()); // per cluster: by option
        for (std::size_t k = 0; k < choice.option.size(); ++k)
            ++uses[m_hierarchy.children[k]][choice.option[k]];
        for (std::size_t c = 0; c < m_options.size(); ++c) {
            std::vector<ChosenOption> chosen;
            for (const auto &[number, count] : uses[c]) {
                const Option &option = m_options[c][number];
                chosen.push_back({option.keptBytes, option.extraUs, count});
                for (std::size_t b = 0; b < option.inner.size(); ++b)
                    uses[m_hierarchy.clusters[c].children[b]][option.inner[b]] += count;
            }
            m_incumbent.updateCluster(c, [&](ClusterProgress &row) { row.chosen = std::move(chosen); });
        }
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

    std::optional<TopModel> buildTop(std::int64_t budget, const std::vector<std::int64_t> &setAside = {}) const
    {
        TopSettings settings;
        settings.setAsideBytes = setAside;
        settings.stop = m_stop;
        settings.lite = m_settings.lite;
        if (m_settings.closureCut) settings.leastUs = m_context.boundTimeUs - m_keepAllTimeUs;
        return buildTopModel(m_flat, chain(), m_choices, budget, settings);
    }

    /// At low budgets blocks would have to drop a storage between two uses in their own backward part, which no option
    /// does: the chain is solved for somewhat more memory, and its plan repaired on the whole graph.
    void solveLooserChains()
    {
        setActivity("Looser chains");
        for (const int percent : {2, 5, 10, 15, 20, 30}) {
            if (m_stop()) return;
            const std::optional<TopModel> top = buildTop(m_budget + m_budget / 100 * percent);
            if (!top) return;
            const ilp::Solution solution = solveTop(*top, pricedStart(*top, m_choices, m_stop), false);
            if (!solution.found()) continue;
            const std::vector<Recompute> set = compose(m_flat, chain(), m_choices, readChoice(*top, solution.x));
            m_incumbent.offer(search::greedyPlan(m_flat, m_budget, set, m_stop).set);
        }
    }

    ilp::Solution solveTop(const TopModel &top, const std::vector<double> &start, bool tell)
    {
        ilp::Limits limits = chainLimits(mayGoOn() ? (tell ? kChainShare : kLooserChainShare) : 1);
        limits.relativeGap = m_settings.gapPercent / 100;
        limits.absoluteGap = 1e-5 * m_keepAllTimeUs;
        limits.start = start;
        if (tell) limits.progress = [this](const ilp::Progress &progress) { tellFigures(progress); };
        const ilp::Solution solution = ilp::solve(top.model, limits);
        m_iterationsDone += solution.iterations;
        m_timeWasUp = m_timeWasUp || limits.deadline.passed();
        return solution;
    }

    /// That share of what is left of the time, less what replay and undo need afterwards; nothing worse than the best
    /// plan.
    ilp::Limits chainLimits(double share) const
    {
        ilp::Limits limits;
        limits.stop = m_context.stop;
        limits.iterations = iterations();
        const double left = share * m_context.deadline.secondsLeft();
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
        const std::vector<Recompute> set = compose(m_flat, chain(), m_choices, readChoice(top, x));
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
        const std::vector<Recompute> set = compose(m_flat, chain(), m_choices, choice);
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
        outcome.message = m_note;
        if (!optimal && (m_timeWasUp || m_context.deadline.passed())) outcome.message = kTimeWasUp;
        return outcome;
    }

    const PipelineOptions &m_asked;
    PipelineOptions m_settings; ///< of the solve that is under way
    std::string m_variation;    ///< what is different in it, for people; empty in the first one
    const SolveRequest &m_request;
    const SolveContext &m_context;
    const FlatGraph &m_flat;
    const std::int64_t m_budget;
    SequenceEvaluator m_evaluator;
    Incumbent m_incumbent;
    const std::function<bool()> m_stop;
    double m_keepAllTimeUs = 0;
    bool m_timeWasUp = false;                       ///< the clock cut something short
    std::string m_note;                             ///< what came after the first solve, and why it ended
    std::atomic<std::int64_t> m_iterationsDone = 0; ///< of the simplex method, since the start
    std::int64_t m_iterationsUntil = std::numeric_limits<std::int64_t>::max(); ///< the solve under way may go on
    std::set<std::vector<int>> m_triedLabels;                                  ///< in this round
    Hierarchy m_hierarchy;
    std::vector<std::vector<Option>> m_options; ///< per cluster
    std::vector<BlockChoices> m_choices;
};

} // namespace

const std::vector<std::string> &topPlannerNames()
{
    static const std::vector<std::string> names = {"best", "ilp", "rotor", "rk-rotor"};
    return names;
}

Expected<SolveOutcome> planHierarchically(const SolveRequest &request, const SolveContext &context,
                                          const PipelineOptions &options)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> sizes = search::checkSizes(flat); !sizes) return tl::unexpected(sizes.error());
    return Pipeline(request, context, flat, options).run();
}

} // namespace remat::hiremate
