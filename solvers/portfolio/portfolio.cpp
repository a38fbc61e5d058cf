#include "solvers/portfolio/portfolio.h"

#include <algorithm>

namespace remat::portfolio {

namespace {

/// The hierarchical planner has a chance where annealing stays this far above the bound, on graphs up to this size.
constexpr double kHiremateGap = 0.05;
constexpr int kHiremateOps = 4000;

/// The line to anneal next: of those that still gain, the one that was annealed least; none when all rest.
Line *nextLine(const std::vector<std::unique_ptr<Line>> &lines, const Effort &effort)
{
    Line *next = nullptr;
    for (const std::unique_ptr<Line> &line : lines)
        if (line->best.fits && line->gainless < effort.patience && (!next || line->rounds < next->rounds))
            next = line.get();
    return next;
}

} // namespace

SolveOutcome run(const SolveRequest &request, const SolveContext &context, const Settings &settings)
{
    const Effort &effort = settings.effort;
    Board board(request, context);
    std::vector<std::unique_ptr<Line>> lines;
    lines.push_back(givenLine(*request.graph, *request.costs));
    Line &given = *lines.front();

    board.begin("greedy");
    greedyStage(board, given, effort);
    if (!board.done() && given.best.fits) {
        board.begin("annealing");
        annealStage(board, given, effort);
    }
    if (settings.hiremate && !board.done() && board.gap() > kHiremateGap && given.flat.ops <= kHiremateOps &&
        given.flat.forwardOps < given.flat.ops) {
        board.begin("hiremate");
        hiremateStage(board, given);
    }
    board.begin("re-heats");
    for (int round = 0; round < effort.rounds && !board.done(); ++round) {
        Line *line = nextLine(lines, effort);
        if (!line) break;
        annealStage(board, *line, effort);
    }
    return board.outcome();
}

} // namespace remat::portfolio
