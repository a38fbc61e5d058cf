// SPDX-License-Identifier: Apache-2.0
// Schedules of a chain in which some of what is held waits in host memory.
#pragma once

#include "solvers/chain/chain_model.h"

namespace remat::offload {

/// A schedule and which of its holds leave the device.
struct PagedSchedule {
    chain::ChainSchedule schedule;
    std::vector<char> leaves; ///< per hold
    bool operator==(const PagedSchedule &) const = default;

    /// Holds `stage` by `option` (−1: its input) from `at` on, on the device or away from it.
    void add(int at, int stage, int option, bool away);
};

/// Everything is saved; of what stages keep for their backward part, with the next stage's input, that of the first
/// `count` stages leaves the device.
PagedSchedule firstLeave(const chain::ChainModel &model, int count);

} // namespace remat::offload
