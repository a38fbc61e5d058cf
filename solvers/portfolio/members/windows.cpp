#include "solvers/portfolio/members.h"
#include "solvers/portfolio/window.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// Windows are around slots that hold so much of the budget; each has so many slots, half of them new.
constexpr double kTight = 0.95;
constexpr int kSlots = 6;
/// Of the simplex method, for each window.
constexpr std::int64_t kIterations = 20'000;
/// Of the work that is left, for all of them.
constexpr double kWindowsShare = 0.5;

} // namespace

void runWindows(Board &board, Line &line)
{
    const double usPerWindow = kIterationUs * static_cast<double>(kIterations);
    std::int64_t windows = board.work().fitting(1000, usPerWindow, kWindowsShare);
    WindowSettings settings;
    settings.budgetBytes = board.request().budgetBytes;
    settings.iterations = kIterations;
    settings.stop = board.context().stop;
    settings.deadline = board.context().deadline;
    int solved = 0, proven = 0, next = 0;
    for (const int slot : tightSlots(line.flat, line.best.set, settings.budgetBytes, kTight)) {
        if (slot < next || board.stopped() || windows-- <= 0) continue;
        next = slot + kSlots / 2;
        settings.first = std::max(1, slot - kSlots / 4);
        settings.last = std::min(line.flat.ops - 1, settings.first + kSlots - 1);
        const WindowResult result = solveWindow(line.flat, line.best.set, settings);
        board.work().charge(usPerWindow);
        ++solved;
        proven += result.proven ? 1 : 0;
        if (result.better)
            board.offer(line, search::greedyPlan(line.flat, settings.budgetBytes, *result.better, board.stopCheck()));
    }
    board.note(std::to_string(solved) + " windows of " + std::to_string(kSlots) + " slots were solved exactly, " +
               std::to_string(proven) + " of them to the end.");
}

} // namespace remat::portfolio
