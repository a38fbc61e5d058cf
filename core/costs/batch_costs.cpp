// SPDX-License-Identifier: Apache-2.0
#include "core/costs/batch_costs.h"

#include <algorithm>
#include <cmath>

namespace remat {

CostTable costsOfBatch(const CostTable &costs, const CostTable &other, const BatchLine &line, std::int64_t batch)
{
    CostTable result = costs;
    const double steps = static_cast<double>(batch - line.batch) / static_cast<double>(line.otherBatch - line.batch);
    for (std::size_t op = 0; op < result.timeUs.size(); ++op) {
        result.timeUs[op] = std::max(costs.timeUs[op] + steps * (other.timeUs[op] - costs.timeUs[op]), 0.0);
        const auto here = static_cast<double>(costs.workspaceBytes[op]);
        const auto there = static_cast<double>(other.workspaceBytes[op]);
        result.workspaceBytes[op] =
            static_cast<std::int64_t>(std::clamp(std::ceil(here + steps * (there - here)), 0.0, 0x1p60));
    }
    setSource(result, costs.source.kind, costs.source.device);
    return result;
}

} // namespace remat
