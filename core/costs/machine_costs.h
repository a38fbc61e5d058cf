// SPDX-License-Identifier: Apache-2.0
// What ops took on one machine, remembered from run to run and from model to model.
#pragma once

#include "core/costs/profile.h"
#include "core/graph/model.h"

#include <map>
#include <string>

namespace remat {

/// One step of a run that computed an op: what `learnRun` takes in.
struct MeasuredCompute {
    OpId op;
    std::int64_t workspaceBytes = 0;
    double timeUs = 0; ///< 0: not timed
};

/// Measured ops of a device with its versions, by what decides their cost (`costIdentities`).
struct MachineCosts {
    std::string device;      ///< `cpu` or `cuda`
    std::string deviceTitle; ///< with the number of threads of a CPU
    std::string torchVersion;
    std::map<std::string, OpMeasurement> ops; ///< by identity
};

/// Takes in a profile of the model. Of two times the one with more samples stays; of two workspaces the larger one,
/// since a budget has to hold each time.
void learnProfile(MachineCosts &costs, const Model &model, const Profile &profile);

/// Takes in a run of a plan of the model: workspaces, and times of ops that have none yet.
void learnRun(MachineCosts &costs, const Model &model, const std::vector<MeasuredCompute> &run);

/// Distinct ops of the model that were never measured. All of them for graphs as JSON, which cannot be.
std::size_t unknownOps(const MachineCosts &costs, const Model &model);

/// The model's profile as remembered; only where no op is unknown.
Profile rememberedProfile(const MachineCosts &costs, const Model &model);

} // namespace remat
