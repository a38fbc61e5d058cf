// SPDX-License-Identifier: Apache-2.0
#include "core/plan/energy.h"

namespace remat {

double planJoules(const Graph &graph, const CostTable &costs, const std::vector<Step> &steps)
{
    double joules = 0;
    for (const Step &step : steps) {
        if (step.kind == StepKind::Compute)
            joules += costs.watts * costs.time(step.op) * 1e-6;
        else if (step.kind != StepKind::Free)
            joules += costs.linkWatts * copyTimeUs(costs, graph.storage(step.storage).bytes) * 1e-6;
    }
    return joules;
}

} // namespace remat
