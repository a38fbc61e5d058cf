// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/cut_points.h"
#include "solvers/chain/plan_chain.h"

#include <algorithm>

namespace remat::planner {

namespace {

/// Points after which a segment ends: the first point at which more than `segmentBytes` were made since the last end.
std::vector<int> greedyPoints(const FlatGraph &flat, const std::vector<int> &points, double segmentBytes)
{
    std::vector<int> chosen;
    double bytes = 0;
    std::size_t next = 0;
    for (int i = 0; i < flat.forwardOps && next < points.size(); ++i) {
        for (const int s : flat.outputs[i])
            bytes += static_cast<double>(flat.bytes[s]);
        if (points[next] != i) continue;
        ++next;
        if (bytes <= segmentBytes) continue;
        chosen.push_back(i);
        bytes = 0;
    }
    return chosen;
}

double forwardBytes(const FlatGraph &flat)
{
    double sum = 0;
    for (int i = 0; i < flat.forwardOps; ++i)
        for (const int s : flat.outputs[i])
            sum += static_cast<double>(flat.bytes[s]);
    return sum;
}

using chain::CutPoints;

struct ChenGreedyOptions {
    CutPoints points = CutPoints::Best;
    int levels = 200;
};

const OptionTable<ChenGreedyOptions> &chenGreedyOptions()
{
    using Options = ChenGreedyOptions;
    static const OptionTable<Options> table = {
        choiceOption(
            &Options::points, "points", "Border points",
            {{"best", CutPoints::Best}, {"articulation", CutPoints::Articulation}, {"all", CutPoints::Anywhere}},
            "Where a segment may end: at ops that everything passes (articulation), after any op in graph order "
            "(all), or whichever of the two gives the faster plan (best)."),
        numberOption(
            &Options::levels, "levels", "Segment sizes", 1, 10000, "",
            "How many sizes of a segment are tried: all bytes that the forward pass makes, divided by 1, by 2, and so "
            "on.",
            true),
    };
    return table;
}

Expected<SolveOutcome> planChenGreedy(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (const Expected<void> usable = chain::needBackward(flat, "Chen greedy"); !usable)
        return tl::unexpected(usable.error());
    const ChenGreedyOptions options = chenGreedyOptions().read(request.options);
    const double all = forwardBytes(flat);
    Incumbent incumbent(flat, context, request.budgetBytes);
    std::vector<std::vector<int>> families;
    if (options.points != CutPoints::Anywhere) families.push_back(chain::articulationPoints(flat));
    if (options.points == CutPoints::Articulation && families.front().empty()) return chain::notAChain(flat, "all");
    if (options.points != CutPoints::Articulation) families.push_back(chain::allPoints(flat));
    for (const std::vector<int> &family : families) {
        std::vector<int> last;
        for (int k = 1; k <= options.levels && !context.shouldStop(); ++k) {
            std::vector<int> chosen = greedyPoints(flat, family, all / k);
            if (k > 1 && chosen == last) continue;
            incumbent.offer(translate(flat, chain::keepBorders(flat, chosen), context));
            last = std::move(chosen);
        }
    }
    return chain::outcomeOf(incumbent, request, context, "size of segments");
}

} // namespace

const Planner &chen_greedy()
{
    static const Planner planner = {
        .info =
            {
                .name = "chen-greedy",
                .title = "Chen greedy",
                .kind = "checkpointing",
                .text = "Walks the forward pass and ends a segment as soon as it has made more than a given number of "
                        "bytes; keeps what crosses the ends and computes each segment again once when its backward "
                        "pass needs it. Tries many sizes of a segment and takes the fastest plan that fits.",
                .source = "Chen, Xu, Zhang, Guestrin: Training Deep Nets with Sublinear Memory Cost, 2016, algorithm 3",
                .options = chenGreedyOptions().records(),
            },
        .plan = planChenGreedy,
    };
    return planner;
}

} // namespace remat::planner
