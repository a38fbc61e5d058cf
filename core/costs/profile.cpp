#include "core/costs/profile.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace remat {

double sumOfOpsUs(const Profile &profile)
{
    double sumUs = 0;
    for (const OpMeasurement &op : profile.ops)
        sumUs += op.timeUs;
    return sumUs;
}

StepCorrection stepCorrection(const Profile &profile)
{
    const StepTimes &step = profile.step;
    const double sumUs = sumOfOpsUs(profile);
    if (step.timeUs <= 0 || sumUs <= 0 || std::abs(step.timeUs - sumUs) <= step.spreadUs) return {};
    constexpr double kMostScale = 2;
    const double betweenUs = std::min(step.betweenUs, step.timeUs);
    return {std::clamp((step.timeUs - betweenUs) / sumUs, 1 / kMostScale, kMostScale),
            betweenUs / static_cast<double>(profile.ops.size())};
}

Expected<CostTable> profileCosts(const Graph &graph, const Profile &profile, const Device &link)
{
    if (profile.fingerprint != graph.fingerprint || profile.ops.size() != graph.ops.size())
        return fail("The profile was measured for another graph (" + quotedName(profile.graphName) + ", " +
                    std::to_string(profile.ops.size()) + " ops) than " + quotedName(graph.name) + " (" +
                    std::to_string(graph.ops.size()) + " ops). Measure this one with `remat profile`.");
    const StepCorrection correction = stepCorrection(profile);
    CostTable costs;
    for (const OpMeasurement &op : profile.ops) {
        costs.timeUs.push_back(op.timeUs * correction.scale + correction.addUs);
        costs.workspaceBytes.push_back(op.workspaceBytes);
    }
    setLink(costs, link);
    setSource(costs, "profile", profile.deviceTitle.empty() ? profile.device : profile.deviceTitle);
    return costs;
}

} // namespace remat
