#include "core/costs/profile.h"

#include "core/base/text.h"

namespace remat {

Expected<CostTable> profileCosts(const Graph &graph, const Profile &profile, const Device &link)
{
    if (profile.fingerprint != graph.fingerprint || profile.ops.size() != graph.ops.size())
        return fail("The profile was measured for another graph (" + quotedName(profile.graphName) + ", " +
                    std::to_string(profile.ops.size()) + " ops) than " + quotedName(graph.name) + " (" +
                    std::to_string(graph.ops.size()) + " ops). Measure this one with `remat profile`.");
    CostTable costs;
    for (const OpMeasurement &op : profile.ops) {
        costs.timeUs.push_back(op.timeUs);
        costs.workspaceBytes.push_back(op.workspaceBytes);
    }
    setLink(costs, link);
    setSource(costs, "profile", profile.deviceTitle.empty() ? profile.device : profile.deviceTitle);
    return costs;
}

} // namespace remat
