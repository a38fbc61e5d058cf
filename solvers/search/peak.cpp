#include "solvers/search/peak.h"

#include <algorithm>
#include <limits>

namespace remat::search {

namespace {

constexpr double kFirstStep = 0.02, kLastStep = 0.002; ///< shares of the peak

} // namespace

Found lowerPeak(State &state, const PeakSettings &settings, const StopCheck &stop)
{
    Found best = foundIn(state);
    AnnealSettings attempt;
    attempt.moves = settings.moves;
    attempt.seed = settings.seed;
    attempt.hot = 1;
    attempt.enoughUs = std::numeric_limits<double>::infinity();
    for (double step = kFirstStep; best.peakBytes > settings.targetBytes && step >= kLastStep && !stop();) {
        const auto lower = static_cast<std::int64_t>(static_cast<double>(best.peakBytes) * (1 - step));
        state.setBudget(std::max(settings.targetBytes, lower));
        state.assign(best.set);
        greedy(state, stop);
        prune(state, stop);
        Found found = foundIn(state);
        if (!found.fits) found = anneal(state, attempt, stop);
        ++attempt.seed;
        if (found.peakBytes < best.peakBytes)
            best = std::move(found);
        else
            step /= 2;
    }
    state.setBudget(settings.targetBytes);
    state.assign(best.set);
    best.fits = state.fits();
    return best;
}

} // namespace remat::search
