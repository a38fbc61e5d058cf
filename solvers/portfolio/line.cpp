#include "solvers/portfolio/line.h"

#include <limits>

namespace remat::portfolio {

namespace {

/// Worse than any plan.
search::Found nothing()
{
    search::Found found;
    found.extraUs = std::numeric_limits<double>::infinity();
    found.peakBytes = std::numeric_limits<std::int64_t>::max();
    return found;
}

} // namespace

std::unique_ptr<Line> givenLine(const Graph &graph, const CostTable &costs)
{
    auto line = std::make_unique<Line>();
    line->flat = flatten(graph, costs);
    line->best = nothing();
    return line;
}

std::unique_ptr<Line> otherLine(const Graph &graph, const CostTable &costs, const std::vector<OpId> &order)
{
    Expected<ReorderedGraph> reordered = reorderGraph(graph, costs, order);
    if (!reordered) return nullptr;
    auto line = std::make_unique<Line>();
    line->reordered = *std::move(reordered);
    line->flat = flatten(line->reordered->graph, line->reordered->costs);
    line->best = nothing();
    return line;
}

} // namespace remat::portfolio
