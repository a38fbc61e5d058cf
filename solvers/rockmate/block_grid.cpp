// SPDX-License-Identifier: Apache-2.0
#include "solvers/rockmate/block_grid.h"

#include "core/plan/sequence_evaluator.h"
#include "solvers/blocks/block_graph.h"
#include "solvers/checkmate/exact.h"
#include "solvers/search/to_plan.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace remat::rockmate {

using hiremate::Block;
using hiremate::Chain;
using hiremate::Option;

namespace {

/// Blocks are small, and there mostly is a schedule to start from: of the whole search before a program this is enough.
constexpr std::int64_t kSearchMoves = 500;
constexpr double kSameUs = 1e-7; ///< share of the block's time
constexpr double kLongestCell = 1e7;
/// A shorter share proves nothing: rather some cells are solved, the loosest first, than none.
constexpr double kShortestCell = 0.1;
constexpr int kMoreRounds = 3;

/// A schedule of the block's graph.
struct GridSchedule {
    std::vector<Recompute> set;
    std::int64_t peakBytes = 0, savedBytes = 0;
    double extraUs = 0;
    int option = -1;
};

class GridSolver
{
public:
    GridSolver(const FlatGraph &flat, const Chain &chain, const Block &block, const GridSettings &settings)
        : m_chain(chain),
          m_block(block),
          m_settings(settings),
          m_alone(hiremate::blockGraph(flat, chain, block)),
          m_own(flatten(m_alone.graph, m_alone.costs)),
          m_evaluator(m_alone.graph, m_alone.costs)
    {
        for (const double us : m_own.timeUs)
            m_allUs += us;
        add({});
        for (int i = 0; i < m_own.ops; ++i) {
            std::int64_t bytes = m_own.workspaceBytes[i];
            for (const std::vector<int> *list : {&m_own.inputs[i], &m_own.outputs[i]})
                for (const int s : *list)
                    bytes += m_own.bytes[s];
            m_leastPeak = std::max(m_leastPeak, bytes);
            m_unit = std::gcd(m_unit, m_own.workspaceBytes[i]);
        }
        for (const std::int64_t bytes : m_own.bytes)
            m_unit = std::gcd(m_unit, bytes);
        m_unit = std::max<std::int64_t>(m_unit, 1);
    }

    void start(const std::vector<Option> &known)
    {
        for (const Option &option : known) {
            if (!option.forwardAgain.empty()) continue;
            std::vector<Recompute> set;
            for (const hiremate::ProgramStep &step : option.program)
                if (step.recompute()) set.push_back({step.before + 1, step.op});
            add(std::move(set));
        }
    }

    BlockGrid solve(const std::function<void(int)> &told)
    {
        makeCells();
        const int count = static_cast<int>(m_grid.cells.size());
        int unproven = 0;
        for (int c = 0; c < count; ++c) {
            inherit(c);
            GridCell &cell = m_grid.cells[c];
            const bool limited = std::isfinite(m_settings.deadline.secondsLeft());
            if (cell.state == CellState::Open && !stopped() && (limited || unproven < m_settings.mostUnproven)) {
                solveCell(cell, count - c);
                if (cell.state == CellState::Open) ++unproven;
            }
            if (told) told(c + 1);
        }
        // What easy cells left of the time goes to the hard ones.
        for (int round = 0; round < kMoreRounds && std::isfinite(m_settings.deadline.secondsLeft()); ++round) {
            int open = m_grid.open();
            for (int c = 0; c < count && open > 0 && !stopped(); ++c) {
                GridCell &cell = m_grid.cells[c];
                if (cell.state != CellState::Open) continue;
                inherit(c);
                if (cell.state == CellState::Open) solveCell(cell, open);
                --open;
            }
        }
        for (int c = 0; c < count; ++c)
            if (m_grid.cells[c].state == CellState::Open) inherit(c);
        for (GridCell &cell : m_grid.cells)
            if (cell.option >= 0) cell.option = optionOf(cell.option);
        return std::move(m_grid);
    }

private:
    bool stopped() const
    {
        return (m_settings.stop && m_settings.stop->stopRequested()) || m_settings.deadline.passed();
    }

    void add(std::vector<Recompute> set)
    {
        tidyRecomputes(m_own, set);
        const std::vector<OpId> sequence = toSequence(m_own, set);
        const SequenceCost cost = m_evaluator.profile(sequence, m_held);
        GridSchedule schedule;
        schedule.peakBytes = cost.peakBytes;
        schedule.extraUs = extraTimeUs(m_own, set);
        const auto between = std::find(sequence.begin(), sequence.end(), OpId(m_alone.between));
        schedule.savedBytes = m_held[static_cast<std::size_t>(between - sequence.begin())];
        schedule.set = std::move(set);
        m_schedules.push_back(std::move(schedule));
    }

    /// `count` amounts from `most` down to `least`, in whole units, each once.
    std::vector<std::int64_t> amounts(std::int64_t most, std::int64_t least, int count) const
    {
        std::vector<std::int64_t> made{most};
        for (int i = 1; i < count; ++i) {
            const double share = static_cast<double>(i) / (count - 1);
            std::int64_t bytes = most - static_cast<std::int64_t>(share * static_cast<double>(most - least));
            if (i + 1 == count) bytes = least;
            bytes -= bytes % m_unit;
            if (bytes < made.back() && bytes >= least) made.push_back(bytes);
        }
        return made;
    }

    void makeCells()
    {
        const GridSchedule &all = m_schedules.front();
        std::int64_t once = 0;
        for (int s = 0; s < m_own.storages(); ++s)
            if (m_own.producer[s] < m_alone.between && m_own.lastUse[s] > m_alone.between &&
                m_own.once[m_own.producer[s]])
                once += m_own.bytes[s];
        const std::vector<std::int64_t> peaks = amounts(all.peakBytes, m_leastPeak, m_settings.peaks),
                                        saves = amounts(all.savedBytes, once, m_settings.saves);
        m_grid.peaks = static_cast<int>(peaks.size());
        m_grid.saves = static_cast<int>(saves.size());
        for (const std::int64_t saved : saves)
            for (const std::int64_t peak : peaks) {
                GridCell cell;
                cell.peakBytes = peak;
                cell.savedBytes = std::min(saved, peak);
                m_grid.cells.push_back(cell);
            }
    }

    void takeBest(GridCell &cell) const
    {
        for (std::size_t i = 0; i < m_schedules.size(); ++i) {
            const GridSchedule &schedule = m_schedules[i];
            if (schedule.peakBytes > cell.peakBytes || schedule.savedBytes > cell.savedBytes ||
                schedule.extraUs >= cell.extraUs)
                continue;
            cell.extraUs = schedule.extraUs;
            cell.option = static_cast<int>(i);
        }
        if (cell.option >= 0 && cell.extraUs <= cell.boundUs + kSameUs * m_allUs) cell.state = CellState::Proven;
    }

    /// What looser cells prove, and what is known already.
    void inherit(int c)
    {
        GridCell &cell = m_grid.cells[c];
        for (const int looser : {c % m_grid.peaks > 0 ? c - 1 : -1, c - m_grid.peaks}) {
            if (looser < 0) continue;
            cell.boundUs = std::max(cell.boundUs, m_grid.cells[looser].boundUs);
            if (m_grid.cells[looser].state == CellState::Infeasible) cell.state = CellState::Infeasible;
        }
        if (cell.state != CellState::Infeasible) takeBest(cell);
    }

    void solveCell(GridCell &cell, int cellsLeft)
    {
        std::int64_t &reserved = m_alone.costs.workspaceBytes[m_alone.between];
        reserved = cell.peakBytes - cell.savedBytes;
        m_own.workspaceBytes[m_alone.between] = reserved;
        SolveRequest request;
        request.graph = &m_alone.graph;
        request.costs = &m_alone.costs;
        request.budgetBytes = cell.peakBytes;
        if (cell.option >= 0)
            request.start = std::make_shared<const Plan>(search::planOf(m_own, m_schedules[cell.option].set));
        SolveContext context;
        context.stop = m_settings.stop;
        const double seconds = m_settings.deadline.secondsLeft();
        if (std::isfinite(seconds))
            context.deadline =
                Deadline(std::min({std::max(seconds / cellsLeft, kShortestCell), seconds, kLongestCell}));
        context.seed = static_cast<std::uint64_t>(m_settings.seed);
        context.boundTimeUs = m_allUs + cell.boundUs;
        checkmate::ExactSettings program;
        program.passes = 1;
        program.searchMoves = kSearchMoves;
        if (!std::isfinite(seconds)) program.iterations = m_settings.iterations;
        const SolveOutcome outcome = checkmate::planExactly(request, context, m_own, program);
        ++m_grid.solves;
        if (outcome.status == SolveStatus::Infeasible) {
            cell.state = CellState::Infeasible;
            return;
        }
        cell.boundUs = std::max(cell.boundUs, outcome.boundTimeUs - m_allUs);
        if (outcome.plan) add(toRecomputes(m_own, computeSequence(*outcome.plan)));
        takeBest(cell);
        if (outcome.status == SolveStatus::Optimal && cell.option >= 0) {
            cell.boundUs = std::max(cell.boundUs, cell.extraUs);
            cell.state = CellState::Proven;
        }
    }

    int optionOf(int schedule)
    {
        GridSchedule &taken = m_schedules[schedule];
        if (taken.option < 0) {
            taken.option = static_cast<int>(m_grid.options.size());
            m_grid.options.push_back(*hiremate::toOption(m_chain, m_block, taken.set, true));
        }
        return taken.option;
    }

    const Chain &m_chain;
    const Block &m_block;
    const GridSettings &m_settings;
    hiremate::BlockGraph m_alone;
    FlatGraph m_own;
    SequenceEvaluator m_evaluator; ///< nothing is reserved between the parts
    BlockGrid m_grid;
    std::vector<GridSchedule> m_schedules; ///< the first keeps everything
    std::vector<std::int64_t> m_held;
    double m_allUs = 0;
    std::int64_t m_leastPeak = 0, m_unit = 0;
};

} // namespace

int BlockGrid::open() const
{
    return static_cast<int>(
        std::count_if(cells.begin(), cells.end(), [](const GridCell &cell) { return cell.state == CellState::Open; }));
}

BlockGrid solveGrid(const FlatGraph &flat, const Chain &chain, const Block &block, const std::vector<Option> &known,
                    const GridSettings &settings, const std::function<void(int)> &told)
{
    BlockGrid grid;
    if (block.backwardOps() == 0 || block.storages.empty()) return grid;
    const int most = std::isfinite(settings.deadline.secondsLeft()) ? kMostBlockOps : settings.mostOps;
    if (static_cast<int>(block.ops.size()) > most) {
        grid.tooLarge = true;
        return grid;
    }
    GridSolver solver(flat, chain, block, settings);
    solver.start(known);
    return solver.solve(told);
}

} // namespace remat::rockmate
