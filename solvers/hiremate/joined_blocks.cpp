// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/joined_blocks.h"

#include "solvers/blocks/blocks.h"
#include "solvers/search/anneal.h"
#include "solvers/tools/parallel.h"

#include <algorithm>
#include <array>
#include <set>

namespace remat::hiremate {

namespace {

constexpr std::size_t kMostSets = 4;            ///< sets of one size: each pass takes another
constexpr std::int64_t kMovesPerOp = 120;       ///< moves for each seed
constexpr std::size_t kSeeds = 2;               ///< side by side; the number decides the result, threads do not
constexpr std::int64_t kMovesPerIteration = 20; ///< that take as long as an iteration of the simplex method
constexpr double kGain = 1e-4;                  ///< share of the added time: less is no reason for another pass
/// Start temperatures, as shares of that of a search from nothing: the best plan is not to be lost.
constexpr std::array<double, 3> kHeat = {0.15, 0.4, 0.8};

/// Bytes that pass between each two blocks, either way; symmetric.
std::vector<std::vector<std::int64_t>> bytesBetween(const FlatGraph &flat, const Chain &chain)
{
    std::vector<std::vector<std::int64_t>> bytes(chain.blocks.size(),
                                                 std::vector<std::int64_t>(chain.blocks.size(), 0));
    for (const int s : chain.interfaces) {
        const int maker = chain.blockOfStorage[s];
        std::set<int> readers;
        for (const int reader : flat.readers[s])
            readers.insert(chain.blockOfOp[reader]);
        readers.erase(maker);
        for (const int reader : readers) {
            bytes[maker][reader] += flat.bytes[s];
            bytes[reader][maker] += flat.bytes[s];
        }
    }
    return bytes;
}

/// The plan with what the `free` ops make computed again in other places.
search::Found plannedAnew(const SolveState &solve, const std::vector<Recompute> &plan, const std::vector<char> &free,
                          const search::AnnealSettings &cooling)
{
    FlatGraph flat = solve.flat;
    search::State state(flat, solve.budgetBytes);
    state.assign(plan);
    // Only now: the plan computes those of others again, too.
    for (int op = 0; op < flat.ops; ++op)
        if (free[op] == 0) flat.once[op] = 1;
    return search::anneal(state, cooling, solve.stop);
}

/// Whether that gave a plan that is better by more than next to nothing.
bool planSetAnew(SolveState &solve, const Chain &chain, const std::vector<int> &blocks, std::size_t pass)
{
    const double before = solve.incumbent.bestTimeUs();
    const std::vector<Recompute> best = toRecomputes(solve.flat, solve.incumbent.best());
    std::vector<char> free(solve.flat.ops, 0);
    int count = 0;
    for (int op = 0; op < solve.flat.ops; ++op)
        if (std::binary_search(blocks.begin(), blocks.end(), chain.blockOfOp[op])) count += free[op] = 1;
    const std::int64_t moves = kMovesPerOp * count;
    std::array<search::Found, kSeeds> found;
    parallelFor(solve.context.threads, kSeeds, [&](std::size_t n) {
        search::AnnealSettings cooling;
        cooling.moves = moves;
        cooling.seed = (solve.seed * 1'000'003 + pass) * kSeeds + n;
        cooling.hot *= kHeat[(pass + n) % kHeat.size()];
        found[n] = plannedAnew(solve, best, free, cooling);
    });
    for (const search::Found &each : found)
        if (each.fits) solve.incumbent.offer(each.set);
    solve.iterationsDone += static_cast<std::int64_t>(kSeeds) * moves / kMovesPerIteration;
    return solve.incumbent.bestTimeUs() < before - kGain * (before - solve.keepAll.timeUs);
}

} // namespace

std::vector<std::vector<int>> joinedBlocks(const FlatGraph &flat, const Chain &chain, int size, std::size_t most)
{
    const int blocks = static_cast<int>(chain.blocks.size());
    const std::vector<std::vector<std::int64_t>> bytes = bytesBetween(flat, chain);
    std::vector<std::pair<int, int>> pairs;
    for (int a = 0; a < blocks; ++a)
        for (int b = a + 1; b < blocks; ++b)
            if (bytes[a][b] > 0) pairs.emplace_back(a, b);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto &x, const auto &y) { return bytes[x.first][x.second] > bytes[y.first][y.second]; });
    std::vector<std::vector<int>> sets;
    for (const auto &[a, b] : pairs) {
        if (sets.size() == most) break;
        std::vector<int> set = {a, b};
        std::vector<std::int64_t> exchanged(blocks);
        for (int c = 0; c < blocks; ++c)
            exchanged[c] = bytes[a][c] + bytes[b][c];
        while (static_cast<int>(set.size()) < std::min(size, blocks)) {
            for (const int c : set)
                exchanged[c] = -1;
            const auto next = std::max_element(exchanged.begin(), exchanged.end()) - exchanged.begin();
            set.push_back(static_cast<int>(next));
            for (int c = 0; c < blocks; ++c)
                exchanged[c] += bytes[next][c];
        }
        std::sort(set.begin(), set.end());
        if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(std::move(set));
    }
    return sets;
}

void planJoinedAnew(SolveState &solve, const Chain &chain)
{
    solve.setActivity("Joined blocks in place");
    const int blocks = static_cast<int>(chain.blocks.size());
    bool gained = solve.incumbent.found();
    while (gained) {
        gained = false;
        const std::size_t pass = solve.joinedPasses++;
        for (int size = 2; size < 2 * blocks; size *= 2) {
            const std::vector<std::vector<int>> sets = joinedBlocks(solve.flat, chain, size, kMostSets);
            if (sets.empty() || solve.stop() || solve.goodEnough()) return;
            gained = planSetAnew(solve, chain, sets[pass % sets.size()], pass) || gained;
        }
    }
}

} // namespace remat::hiremate
