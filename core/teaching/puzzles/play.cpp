// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/play.h"

#include "core/addresses/layout.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr double kTimeTolerance = 1e-6; // share of the base time: sums of doubles in another order

} // namespace

std::string PuzzlePlay::move(const PuzzleMove &move, const Words &words)
{
    if (std::string why = whyNot(*m_puzzle, position(), move, words); !why.empty()) return why;
    PuzzlePosition next = position();
    applyMove(*m_puzzle, next, move);
    m_positions.push_back(std::move(next));
    m_moves.push_back(move);
    m_undone.clear();
    return {};
}

bool PuzzlePlay::undo()
{
    if (m_moves.empty()) return false;
    m_undone.push_back(m_moves.back());
    m_moves.pop_back();
    m_positions.pop_back();
    return true;
}

bool PuzzlePlay::redo()
{
    if (m_undone.empty()) return false;
    const PuzzleMove again = m_undone.back();
    std::vector<PuzzleMove> rest = std::move(m_undone);
    rest.pop_back();
    move(again);
    m_undone = std::move(rest);
    return true;
}

void PuzzlePlay::restart()
{
    m_positions.resize(1, startPosition(*m_puzzle));
    m_moves.clear();
    m_undone.clear();
}

Plan PuzzlePlay::plan() const
{
    Plan plan;
    for (const PuzzleMove &each : m_moves)
        plan.steps.push_back(each.step);
    plan.budgetBytes = m_puzzle->budgetBytes;
    plan.origin.solver = "by hand";
    plan.costSource = m_puzzle->costs.source;
    return plan;
}

std::string PuzzlePlay::fault() const
{
    if (!m_puzzle->rules.addresses) return {};
    const Plan played = plan();
    const auto instances = memoryInstances(m_puzzle->graph, m_puzzle->costs, played.steps);
    MemoryLayout layout;
    layout.loadBytes = largestLoad(instances);
    for (const MemoryInstance &each : instances) {
        const PuzzlePosition &after = m_positions[static_cast<std::size_t>(each.firstStep) + 1];
        layout.offsets.push_back(after.storages[each.storage.index()].offsetBytes);
        layout.heightBytes = std::max(layout.heightBytes, layout.offsets.back() + each.bytes);
    }
    if (layout.heightBytes > m_puzzle->budgetBytes) return "An address is over the budget.";
    return layoutFault(instances, layout).value_or(std::string());
}

PuzzleScore PuzzlePlay::score() const
{
    PuzzleScore score;
    if (!finished()) {
        score.sentence = "The play has not reached every result.";
        return score;
    }
    const Plan played = plan();
    const Verdict verdict = checkPlan(m_puzzle->graph, m_puzzle->costs, played);
    const auto simulated = simulate(m_puzzle->graph, m_puzzle->costs, played.steps);
    const double baseUs = puzzleBaseUs(*m_puzzle);
    score.sentence = !verdict.ok ? verdict.sentence : !simulated ? simulated.error().message : fault();
    if (!score.sentence.empty()) return score;
    if (simulated->peakBytes != verdict.peakBytes || simulated->peakBytes != position().peakBytes ||
        std::abs(simulated->timeUs - verdict.timeUs) > kTimeTolerance * baseUs) {
        score.sentence = "Simulator and checker do not agree about this play.";
        return score;
    }
    score.sound = true;
    score.figures = {simulated->peakBytes, simulated->timeUs - baseUs, position().copiedBytes};
    score.stars = starsOf(*m_puzzle, score.figures);
    return score;
}

PuzzleScore scoreOf(const Puzzle &puzzle, const std::vector<PuzzleMove> &moves)
{
    PuzzlePlay play(puzzle);
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (const std::string why = play.move(moves[i]); !why.empty()) {
            PuzzleScore score;
            score.sentence = fmt::format("Move {} is not legal: {}", i + 1, why);
            return score;
        }
    return play.score();
}

int starsOf(const Puzzle &puzzle, const PuzzleFigures &figures)
{
    const double slackUs = kTimeTolerance * puzzleBaseUs(puzzle);
    const bool best = puzzle.optimum && figures.extraUs <= puzzle.optimum->extraUs + slackUs &&
                      figures.copiedBytes <= puzzle.optimum->copiedBytes;
    if (best) return 3;
    return figures.extraUs <= puzzle.parUs + slackUs ? 2 : 1;
}

} // namespace remat
