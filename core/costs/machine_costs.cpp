// SPDX-License-Identifier: Apache-2.0
#include "core/costs/machine_costs.h"

#include <algorithm>
#include <set>

namespace remat {

void learnProfile(MachineCosts &costs, const Model &model, const Profile &profile)
{
    const std::vector<std::string> identities = costIdentities(model);
    for (std::size_t op = 0; op < std::min(identities.size(), profile.ops.size()); ++op) {
        if (identities[op].empty()) continue;
        OpMeasurement &known = costs.ops[identities[op]];
        const std::int64_t workspace = std::max(known.workspaceBytes, profile.ops[op].workspaceBytes);
        if (profile.ops[op].samples >= known.samples) known = profile.ops[op];
        known.workspaceBytes = workspace;
    }
}

void learnRun(MachineCosts &costs, const Model &model, const std::vector<MeasuredCompute> &run)
{
    const std::vector<std::string> identities = costIdentities(model);
    for (const MeasuredCompute &step : run) {
        if (step.op.index() >= identities.size() || identities[step.op.index()].empty()) continue;
        const auto [at, isNew] = costs.ops.try_emplace(identities[step.op.index()]);
        OpMeasurement &known = at->second;
        known.workspaceBytes = std::max(known.workspaceBytes, step.workspaceBytes);
        if (!isNew) continue;
        known.timeUs = step.timeUs;
        known.samples = step.timeUs > 0 ? 1 : 0;
    }
}

std::size_t unknownOps(const MachineCosts &costs, const Model &model)
{
    std::set<std::string> unknown;
    std::size_t withoutIdentity = 0;
    for (const std::string &identity : costIdentities(model)) {
        if (identity.empty())
            ++withoutIdentity;
        else if (!costs.ops.contains(identity))
            unknown.insert(identity);
    }
    return unknown.size() + withoutIdentity;
}

Profile rememberedProfile(const MachineCosts &costs, const Model &model)
{
    Profile profile;
    profile.fingerprint = model.graph.fingerprint;
    profile.graphName = model.graph.name;
    profile.device = costs.device;
    profile.deviceTitle = costs.deviceTitle;
    profile.torchVersion = costs.torchVersion;
    for (const std::string &identity : costIdentities(model)) {
        const auto known = costs.ops.find(identity);
        profile.ops.push_back(known == costs.ops.end() ? OpMeasurement() : known->second);
    }
    return profile;
}

} // namespace remat
