// SPDX-License-Identifier: Apache-2.0
// Eviction scores: the storage with the lowest one goes first.
#pragma once

#include "solvers/online/runtime.h"

#include <cstdint>
#include <memory>

namespace remat::online {

/// How dear it is to evict a storage, with all that the score keeps about a run.
class Score
{
public:
    virtual ~Score() = default;
    /// The numerator: time at stake in µs. What the address policies divide by their own measure of size.
    virtual double costUs(int storage) = 0;
    /// The whole score of a storage by itself.
    virtual double operator()(int storage) = 0;
};

enum class ScoreKind { Dtr, DtrEq, Coop, Local, Msps, Lru, Size, Random };

/// `dtr`: (c + e*) / (bytes · staleness); `dtr-eq`: the same with classes for e*; `coop`: the same,
/// but classes join and count only inputs and twins (code of Coop's authors); `local`: c / (bytes · staleness);
/// `msps`: (c + evicted ancestors) / bytes (Peng et al. 2020, Capuchin); `lru`: last access; `size`: 1 / bytes;
/// `random`. Kirisame et al. 2021, §4.1. The runtime must outlive the score.
std::unique_ptr<Score> makeScore(ScoreKind kind, Runtime &runtime, std::uint64_t seed);

} // namespace remat::online
