// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/line.h"

namespace remat::portfolio {

std::unique_ptr<Line> givenLine(const Graph &graph, const CostTable &costs)
{
    auto line = std::make_unique<Line>();
    line->flat = flatten(graph, costs);
    line->best = search::nothingFound();
    return line;
}

std::unique_ptr<Line> otherLine(const Graph &graph, const CostTable &costs, const std::vector<OpId> &order)
{
    Expected<ReorderedGraph> reordered = reorderGraph(graph, costs, order);
    if (!reordered) return nullptr;
    auto line = std::make_unique<Line>();
    line->reordered = *std::move(reordered);
    line->flat = flatten(line->reordered->graph, line->reordered->costs);
    line->best = search::nothingFound();
    return line;
}

} // namespace remat::portfolio
