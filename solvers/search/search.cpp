// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/search.h"

#include "solvers/search/cut_start.h"
#include "solvers/search/peak.h"
#include "solvers/tools/parallel.h"

#include <array>

namespace remat::search {

namespace {

/// Each seed of each round draws its own numbers.
std::uint64_t seedOf(std::uint64_t base, std::uint64_t round, std::uint64_t chain)
{
    return (base * 1'000'003 + round) * 1'009 + chain;
}

/// Temperatures of the re-heats, as shares of the first cooling's.
constexpr std::array<double, 3> kReheats = {0.15, 0.4, 0.8};
/// Moves of one attempt at a lower peak, as a part of the first cooling's.
constexpr std::int64_t kPeakShare = 6;
/// Moves of a re-heat, as a share of the first cooling's.
constexpr double kReheatShare = 0.4;

/// What a plan for a budget nearby becomes, in a part of the time that one made anew takes. May end over the budget.
Found continuedPlan(const FlatGraph &flat, std::int64_t budgetBytes, const std::vector<Recompute> &start,
                    const StopCheck &stop)
{
    State state(flat, budgetBytes);
    state.assign(start);
    greedy(state, stop);
    prune(state, stop);
    return foundIn(state);
}

} // namespace

Found annealSideBySide(const FlatGraph &flat, const Found &from, const SearchSettings &settings,
                       const AnnealSettings &cooling, const StopCheck &stop)
{
    std::vector<Found> results(static_cast<std::size_t>(std::max(settings.seeds, 1)), nothingFound());
    parallelFor(settings.threads, results.size(), [&](std::size_t chain) {
        if (stop()) return;
        AnnealSettings own = cooling;
        own.seed = seedOf(settings.seed, cooling.seed, chain);
        if (chain > 0) own.story = nullptr;
        State state(flat, settings.budgetBytes);
        state.assign(from.set);
        results[chain] = anneal(state, own, stop);
    });
    Found best = from;
    for (Found &found : results)
        if (isBetter(found, best)) best = std::move(found);
    return best;
}

Found searchPlan(const FlatGraph &flat, const std::vector<Recompute> &start, const SearchSettings &settings,
                 const StopCheck &stop, const SearchListener &tell)
{
    const auto report = [&](const char *activity, double done, const Found *better) {
        if (tell) tell({activity, done, better});
    };
    report("Greedy", 0, nullptr);
    if (settings.moves <= 0 && !start.empty())
        if (Found found = continuedPlan(flat, settings.budgetBytes, start, stop); found.fits) return found;
    Found best = greedyPlan(flat, settings.budgetBytes, {}, stop, settings.story);
    if (!start.empty() && settings.moves > 0) {
        const Found other = greedyPlan(flat, settings.budgetBytes, start, stop);
        if (isBetter(other, best)) best = other;
    }
    if (best.fits) report("Greedy", 1, &best);
    if (settings.moves > 0 && best.extraUs > settings.enoughUs && !stop()) {
        report("Cut", 0, nullptr);
        Found other = cutPlan(flat, settings.budgetBytes, stop);
        if (isBetter(other, best)) {
            best = std::move(other);
            if (best.fits) report("Cut", 1, &best);
        }
    }
    if (!best.fits) {
        report("Lower the peak", 0, nullptr);
        PeakSettings lower;
        lower.targetBytes = settings.budgetBytes;
        lower.moves = settings.moves / kPeakShare;
        lower.seed = seedOf(settings.seed, 0, 999);
        best = lowerPeakSideBySide(flat, best, lower, settings.seeds, settings.threads, stop);
        if (!best.fits) return best;
        report("Lower the peak", 1, &best);
    }
    if (settings.moves <= 0) return best;
    const double rounds = 1 + settings.reheats * kReheatShare;
    double done = 0;
    for (int round = 0; round <= settings.reheats && best.extraUs > settings.enoughUs && !stop(); ++round) {
        report("Annealing", done / rounds, nullptr);
        AnnealSettings cooling;
        cooling.enoughUs = settings.enoughUs;
        cooling.seed = static_cast<std::uint64_t>(round);
        cooling.moves = settings.moves;
        cooling.story = round == 0 ? settings.story : nullptr;
        if (round > 0) {
            cooling.moves = static_cast<std::int64_t>(static_cast<double>(settings.moves) * kReheatShare);
            cooling.hot *= kReheats[static_cast<std::size_t>(round - 1) % kReheats.size()];
        }
        Found found = annealSideBySide(flat, best, settings, cooling, stop);
        done += round == 0 ? 1 : kReheatShare;
        if (!isBetter(found, best)) continue;
        best = std::move(found);
        report("Annealing", done / rounds, &best);
    }
    return best;
}

} // namespace remat::search
