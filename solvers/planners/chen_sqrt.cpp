// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/plan/sequence_evaluator.h"
#include "solvers/blocks/cut_points.h"
#include "solvers/interface/solver.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat::planner {

namespace {

/// Every `spacing`-th point.
std::vector<int> everyNth(const std::vector<int> &points, std::size_t spacing)
{
    std::vector<int> chosen;
    for (std::size_t next = spacing - 1; next < points.size(); next += spacing)
        chosen.push_back(points[next]);
    return chosen;
}

/// One spacing, translated and replayed.
struct TriedSpacing {
    std::vector<OpId> sequence;
    SequenceCost cost;
    std::size_t spacing = 0;
};

/// The family of plans over one set of points.
class Family
{
public:
    Family(const FlatGraph &flat, SequenceEvaluator &evaluator, std::vector<int> points, std::int64_t budgetBytes,
           const SolveContext &context)
        : m_flat(flat), m_evaluator(evaluator), m_points(std::move(points)), m_budget(budgetBytes), m_context(context)
    {
    }

    /// √n, or the nearest spacing that fits; with `segments`, that many and nothing else. What fits is put into `fits`
    /// when it is faster, what has the smallest peak into `smallest`.
    void search(int segments, std::optional<TriedSpacing> &fits, std::optional<TriedSpacing> &smallest) const
    {
        const auto count = m_points.size();
        if (count == 0) return;
        std::size_t first = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
        if (segments > 0) first = (count + 1) / static_cast<std::size_t>(segments);
        first = std::clamp<std::size_t>(first, 1, count);
        const std::size_t reach = segments > 0 ? 1 : count;
        for (std::size_t away = 0; away < reach; ++away)
            for (const bool shorter : {true, false}) {
                if ((away == 0 && !shorter) || (shorter && away >= first) || (!shorter && first + away > count))
                    continue;
                if (m_context.shouldStop()) return;
                TriedSpacing tried;
                try {
                    tried = attempt(shorter ? first - away : first + away);
                } catch (const TimeUp &) {
                    continue;
                }
                if (!smallest || tried.cost.peakBytes < smallest->cost.peakBytes) smallest = tried;
                if (tried.cost.peakBytes > m_budget) continue;
                if (!fits || tried.cost.timeUs < fits->cost.timeUs) fits = std::move(tried);
                return;
            }
    }

private:
    TriedSpacing attempt(std::size_t spacing) const
    {
        TriedSpacing tried;
        tried.spacing = spacing;
        tried.sequence =
            toSequence(m_flat, translate(m_flat, chain::keepBorders(m_flat, everyNth(m_points, spacing)), m_context));
        tried.cost = m_evaluator(tried.sequence);
        return tried;
    }

    const FlatGraph &m_flat;
    SequenceEvaluator &m_evaluator;
    const std::vector<int> m_points;
    const std::int64_t m_budget;
    const SolveContext &m_context;
};

using chain::CutPoints;

struct ChenSqrtOptions {
    CutPoints points = CutPoints::Best;
    int segments = 0;
};

const OptionTable<ChenSqrtOptions> &chenSqrtOptions()
{
    using Options = ChenSqrtOptions;
    static const OptionTable<Options> table = {
        choiceOption(
            &Options::points, "points", "Border points",
            {{"best", CutPoints::Best}, {"articulation", CutPoints::Articulation}, {"all", CutPoints::Anywhere}},
            "Where a segment may end: at ops that everything passes (articulation), after any op in graph order (all), "
            "or whichever of the two gives the faster plan (best)."),
        numberOption(&Options::segments, "segments", "Segments", 0, 1000, "",
                     "How many segments; 0 takes √n, and the nearest number that fits when that does not."),
    };
    return table;
}

Expected<SolveOutcome> planChenSqrt(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    if (flat.forwardOps == flat.ops)
        return fail("Chen √n needs a graph with a forward and a backward part; this one has no backward ops.");
    SequenceEvaluator evaluator(*request.graph, *request.costs);
    const ChenSqrtOptions options = chenSqrtOptions().read(request.options);
    std::optional<TriedSpacing> fits, smallest;
    if (options.points != CutPoints::Anywhere)
        Family(flat, evaluator, chain::articulationPoints(flat), request.budgetBytes, context)
            .search(options.segments, fits, smallest);
    if (options.points != CutPoints::Articulation)
        Family(flat, evaluator, chain::allPoints(flat), request.budgetBytes, context)
            .search(options.segments, fits, smallest);

    SolveOutcome outcome;
    if (!fits) {
        outcome.status = context.shouldStop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.smallestPeakBytes = smallest ? smallest->cost.peakBytes : 0;
        outcome.message = smallest ? fmt::format("No spacing of checkpoints fits {}; the smallest peak of this family "
                                                 "is {}. Take hiremate, or raise the budget.",
                                                 formatMemory(request.budgetBytes, smallest->cost.peakBytes),
                                                 formatMemory(smallest->cost.peakBytes))
                          : context.shouldStop() ? "Stopped before the first spacing of checkpoints was known."
                                                 : "This graph has no articulation points. Set points to all.";
        return outcome;
    }
    outcome.status = SolveStatus::Feasible;
    Plan plan;
    plan.steps = withEarliestFrees(*request.graph, fits->sequence);
    outcome.plan = std::move(plan);
    return outcome;
}

} // namespace

const Planner &chen_sqrt()
{
    static const Planner planner = {
        .info =
            {
                .name = "chen-sqrt",
                .title = "Chen √n",
                .kind = "checkpointing",
                .text = "Cuts the forward pass into about √n segments, keeps what crosses their borders, and computes "
                        "each segment again once when its backward pass needs it. Knows no budget: when √n segments do "
                        "not fit, the nearest number that does is taken.",
                .source = "Chen, Xu, Zhang, Guestrin: Training Deep Nets with Sublinear Memory Cost, 2016",
                .options = chenSqrtOptions().records(),
            },
        .plan = planChenSqrt,
    };
    return planner;
}

} // namespace remat::planner
