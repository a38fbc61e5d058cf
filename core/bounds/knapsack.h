// SPDX-License-Identifier: Apache-2.0
// The 0/1 knapsack, as the cut bound needs it: what must be given up at least.
#pragma once

#include "core/base/stop_token.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace remat {

/// Something that may be kept: `bytes` > 0, and `us` > 0 lost when it is not.
struct KnapsackItem {
    std::int64_t bytes = 0;
    double us = 0;

    double usPerByte() const { return us / static_cast<double>(bytes); }
};

/// Loss in µs when `capacityBytes` may be filled with parts of items: at most the true loss. `items` by falling
/// usPerByte(). O(items).
double fractionalLoss(const std::vector<KnapsackItem> &items, std::int64_t capacityBytes);

/// The smallest loss with whole items, or a lower bound on it: exact unless more than `maxStates` partial solutions
/// stay in play at once, or time is up. Stops early, with a value of at most `enough`, once the loss is known to be at
/// most `enough`. `items` by falling usPerByte(). Pisinger 1997, "A minimal algorithm for the 0-1 knapsack problem":
/// dynamic programming over partial solutions that grows from the break item outwards.
double smallestLoss(const std::vector<KnapsackItem> &items, std::int64_t capacityBytes, double enough,
                    std::size_t maxStates, const StopCheck &stop = {});

} // namespace remat
