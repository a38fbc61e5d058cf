// SPDX-License-Identifier: Apache-2.0
// What the portfolio's pieces of work take: the figures that solvers/portfolio/work.cpp charges for. fit_work.py fits
// them.
#include "solvers/portfolio/work.h"
#include "core/bounds/bounds.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/order/slide.h"
#include "solvers/search/anneal.h"
#include "solvers/search/cut_start.h"
#include "tests/benchmarks/machine.h"
#include "tests/benchmarks/measures.h"

namespace remat::bench {

namespace {

constexpr std::int64_t kMoves = 20'000, kSlides = 2'000;

bool never()
{
    return false;
}

} // namespace

Expected<std::vector<Row>> measureWork(const Instance &instance)
{
    const Graph &graph = instance.graph();
    const FlatGraph flat = flatten(graph, instance.costs);
    const int ops = flat.ops;
    const std::int64_t budget = instance.keepAllPeakBytes / 2;
    std::vector<Row> rows;
    const auto add = [&](const std::string &what, double per, double seconds, double charged) {
        rows.push_back({"work", instance.name, graph.ops.size(), "", "50", what + "_us", 1e6 * seconds / per, ""});
        rows.push_back({"work", instance.name, graph.ops.size(), "", "50", what + "_charged_us", charged, ""});
    };
    search::Found found;
    const double greedy = fastest([&] { found = search::greedyPlan(flat, budget, {}, never); });
    const double bound = fastest([&] { (void)bestTimeBound(graph, instance.costs, budget); });
    const double cut = fastest([&] { (void)search::cutPlan(flat, budget, never); });
    add("start", 1, bound + greedy, portfolio::startUs(ops));
    add("greedy", 1, greedy, portfolio::greedyUs(ops));
    add("cut", 1, cut, portfolio::cutUs(ops));

    rows.push_back({"work", instance.name, graph.ops.size(), "", "50", "recomputations", double(found.set.size()), ""});
    search::AnnealSettings settings;
    settings.moves = kMoves;
    const double moves = fastest([&] {
        search::State state(flat, budget);
        state.assign(found.set);
        (void)search::anneal(state, settings, never);
    });
    add("move", kMoves, moves, portfolio::moveUs(ops, found.set.size(), 1));

    const std::vector<OpId> sequence = toSequence(flat, found.set);
    rows.push_back({"work", instance.name, graph.ops.size(), "", "50", "computations", double(sequence.size()), ""});
    SlideLimits limits;
    limits.slides = kSlides;
    const double slides = fastest([&] {
        Schedule schedule(graph, instance.costs, sequence);
        (void)slideBelow(schedule, budget / 2, limits); // out of reach: all slides are made
    });
    add("slide", kSlides, slides, portfolio::slideUs(sequence.size()));
    return rows;
}

} // namespace remat::bench
