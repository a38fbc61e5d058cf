// SPDX-License-Identifier: Apache-2.0
#include "solvers/order/orders.h"
#include "solvers/portfolio/members.h"
#include "solvers/search/greedy.h"

#include <algorithm>
#include <array>

namespace remat::portfolio {

namespace {

/// Slides of one order, per op of the graph, and between which numbers.
constexpr std::int64_t kSlidesPerOp = 10, kFewestSlides = 1000, kMostSlides = 20'000;
/// A plan that fits slides towards such a share of the budget: what it gains can be given to fewer recomputations.
constexpr std::array<double, 4> kRoom = {0.96, 0.9, 0.99, 0.8};

bool known(const std::vector<std::unique_ptr<Line>> &lines, const Graph &graph, const std::vector<OpId> &order)
{
    if (order == givenOrder(graph)) return true;
    return std::any_of(lines.begin(), lines.end(), [&](const std::unique_ptr<Line> &line) {
        return line->reordered && line->reordered->given == order;
    });
}

/// Limits of slides over so many computations, charged for.
SlideLimits limitsOf(Board &board, std::size_t round, std::size_t computations)
{
    SlideLimits limits;
    const auto ops = static_cast<std::int64_t>(board.request().graph->ops.size());
    const double usPerSlide = slideUs(computations);
    limits.slides = board.work().fitting(std::clamp(kSlidesPerOp * ops, kFewestSlides, kMostSlides), usPerSlide, 0.5);
    board.work().charge(usPerSlide * static_cast<double>(std::max(limits.slides, kFewestSlides)));
    limits.seed = board.context().seed + round + 1;
    limits.shouldStop = board.stopCheck();
    return limits;
}

} // namespace

void runOrders(Board &board, std::vector<std::unique_ptr<Line>> &lines, const MemberEffort &effort)
{
    const SolveRequest &request = board.request();
    const Graph &graph = *request.graph;
    for (const std::vector<OpId> &order :
         candidateOrders(graph, *request.costs, request.budgetBytes, limitsOf(board, lines.size(), graph.ops.size()))) {
        if (board.stopped() || board.work().leftUs() <= 0) return;
        if (known(lines, graph, order)) continue;
        std::unique_ptr<Line> line = otherLine(graph, *request.costs, order);
        if (!line) continue;
        runGreedy(board, *line);
        runCut(board, *line);
        if (!board.fits()) runLowerPeak(board, *line, effort);
        lines.push_back(std::move(line));
    }
}

void runSlide(Board &board, std::vector<std::unique_ptr<Line>> &lines, const Line &from, int round)
{
    const SolveRequest &request = board.request();
    const Graph &graph = *request.graph;
    const std::vector<OpId> given = from.sequence(from.best.set);
    Schedule schedule(graph, *request.costs, given);
    const double room = from.best.fits ? kRoom[static_cast<std::size_t>(round) % kRoom.size()] : 1;
    const auto target = static_cast<std::int64_t>(room * static_cast<double>(request.budgetBytes));
    slideBelow(schedule, target, limitsOf(board, lines.size() + 100 * static_cast<std::size_t>(round), given.size()));
    const std::vector<OpId> sequence = schedule.sequence();
    const std::vector<OpId> order = firstComputations(precedenceOf(graph), sequence);
    if (known(lines, graph, order)) return;
    std::unique_ptr<Line> line = otherLine(graph, *request.costs, order);
    if (!line) return;
    board.work().charge(greedyUs(line->flat.ops));
    const std::vector<Recompute> start = toRecomputes(line->flat, renamed(sequence, line->reordered->place));
    board.offer(*line, search::greedyPlan(line->flat, request.budgetBytes, start, board.stopCheck()));
    lines.push_back(std::move(line));
}

} // namespace remat::portfolio
