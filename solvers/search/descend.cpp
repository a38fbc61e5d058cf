// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/descend.h"

#include <algorithm>

namespace remat::search {

namespace {

constexpr double kFirstStep = 0.025, kLastStep = 0.005; ///< shares of the peak at the start

} // namespace

Found descend(State &state, std::int64_t targetBytes, const StopCheck &stop)
{
    Found best = foundIn(state), lowest = best;
    const auto from = static_cast<double>(best.peakBytes);
    for (double step = kFirstStep; best.peakBytes > targetBytes && step >= kLastStep && !stop();) {
        const auto lower = std::max<std::int64_t>(1, static_cast<std::int64_t>(step * from));
        state.setBudget(std::max(targetBytes, best.peakBytes - lower));
        greedy(state, stop);
        prune(state, stop);
        Found found = foundIn(state);
        if (found.peakBytes < lowest.peakBytes) lowest = found;
        if (found.fits) {
            best = std::move(found);
            continue;
        }
        state.assign(best.set);
        step /= 2;
    }
    state.setBudget(targetBytes);
    state.assign(lowest.set);
    lowest.fits = state.fits();
    return lowest;
}

} // namespace remat::search
