// SPDX-License-Identifier: Apache-2.0
// Where a cost table came from: setSource, deviceOf, sameOpCosts.
#include "core/base/digest.h"
#include "core/costs/cost_table.h"

namespace remat {

void setSource(CostTable &costs, std::string kind, std::string device)
{
    costs.source.kind = std::move(kind);
    costs.source.device = std::move(device);
    Digest digest;
    for (const double time : costs.timeUs)
        digest.addBits(time);
    for (const std::int64_t workspace : costs.workspaceBytes)
        digest.add(static_cast<std::uint64_t>(workspace));
    if (costs.linkMeasured) {
        digest.addBits(costs.linkBytesPerSecond);
        digest.addBits(costs.linkLatencyUs);
    }
    costs.source.digest = digest.hex();
}

std::string deviceOf(const CostSource &source)
{
    if (!source.link.empty()) return source.link;
    return source.kind == "profile" ? std::string() : source.device; // a profile's device is what it was measured on
}

bool sameOpCosts(const CostSource &a, const CostSource &b)
{
    const bool digestsAgree = a.digest.empty() || b.digest.empty() || a.digest == b.digest;
    return a.kind == b.kind && a.device == b.device && digestsAgree;
}

} // namespace remat
