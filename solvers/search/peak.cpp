// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/peak.h"

#include "solvers/tools/parallel.h"

#include <algorithm>
#include <limits>

namespace remat::search {

namespace {

constexpr double kFirstPeakStep = 0.02, kLastPeakStep = 0.002; ///< shares of the peak

} // namespace

Found lowerPeak(State &state, const PeakSettings &settings, const StopCheck &stop)
{
    Found best = foundIn(state);
    AnnealSettings attempt;
    attempt.moves = settings.moves;
    attempt.seed = settings.seed;
    attempt.hot = 1;
    attempt.enoughUs = std::numeric_limits<double>::infinity();
    std::int64_t moves = 0;
    for (double step = kFirstPeakStep; best.peakBytes > settings.targetBytes && step >= kLastPeakStep && !stop();) {
        if (moves >= settings.mostMoves) break;
        const auto lower = static_cast<std::int64_t>(static_cast<double>(best.peakBytes) * (1 - step));
        state.setBudget(std::max(settings.targetBytes, lower));
        state.assign(best.set);
        greedy(state, stop);
        prune(state, stop);
        Found found = foundIn(state);
        if (!found.fits) found = anneal(state, attempt, stop);
        moves += found.moves;
        ++attempt.seed;
        if (found.peakBytes < best.peakBytes)
            best = std::move(found);
        else
            step /= 2;
    }
    state.setBudget(settings.targetBytes);
    state.assign(best.set);
    best.fits = state.fits();
    best.moves = moves;
    return best;
}

Found lowerPeakSideBySide(const FlatGraph &flat, const Found &from, const PeakSettings &settings, int seeds,
                          int threads, const StopCheck &stop)
{
    constexpr std::uint64_t kApart = 1'000'003; // attempts count their seeds up
    std::vector<Found> results(static_cast<std::size_t>(std::max(seeds, 1)), nothingFound());
    parallelFor(threads, results.size(), [&](std::size_t chain) {
        if (stop()) return;
        PeakSettings own = settings;
        own.seed += chain * kApart;
        State state(flat, settings.targetBytes);
        state.assign(from.set);
        results[chain] = lowerPeak(state, own, stop);
    });
    Found best = from;
    std::int64_t moves = 0;
    for (Found &found : results) {
        moves = std::max(moves, found.moves);
        if (isBetter(found, best)) best = std::move(found);
    }
    best.moves = moves;
    return best;
}

} // namespace remat::search
