// Ruin and recreate on the whole graph: what blocks cannot see.
#pragma once

#include "solvers/flat.h"

#include <functional>

namespace remat::hiremate {

struct PolishSettings {
    std::int64_t budgetBytes = 0;
    int rounds = 0;
    int threads = 1;
    std::uint64_t seed = 0;
};

/// Takes part of the recomputations out (those of neighbouring stages, of neighbouring ops, or a random share), lets
/// `repair` put others in, and keeps the result when it is faster or, early on, little slower. A round tries a few such
/// parts side by side, always the same number, so that the result does not depend on the threads. `better(set, done)`
/// is called with each new best set that fits and the share of rounds done. The set it starts from must fit.
void polish(const FlatGraph &flat, std::vector<Recompute> start, const PolishSettings &settings,
            const std::function<bool()> &stop,
            const std::function<void(const std::vector<Recompute> &, double)> &better);

} // namespace remat::hiremate
