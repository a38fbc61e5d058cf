#include "solvers/hiremate/polish.h"

#include "solvers/hiremate/repair.h"
#include "solvers/parallel.h"

#include <cmath>
#include <cstdlib>
#include <random>

namespace remat::hiremate {

namespace {

constexpr std::size_t kTrials = 4; ///< side by side in a round
constexpr int kWidestRuin = 40;    ///< stages or ops
/// How much slower than the current set an accepted one typically is at the start, as a share of the added time.
constexpr double kStartTemperature = 0.004;

int below(std::mt19937_64 &random, std::size_t n)
{
    return static_cast<int>(random() % n);
}

std::vector<Recompute> ruin(const std::vector<Recompute> &set, std::mt19937_64 &random)
{
    const Recompute centre = set[static_cast<std::size_t>(below(random, set.size()))];
    const int width = 1 + below(random, kWidestRuin), keptPercent = below(random, 100), mode = below(random, 3);
    std::vector<Recompute> rest;
    for (const Recompute &r : set) {
        const bool near = mode == 0   ? std::abs(r.stage - centre.stage) < width
                          : mode == 1 ? std::abs(r.op - centre.op) < width
                                      : true;
        if (near && below(random, 100) >= keptPercent) continue;
        rest.push_back(r);
    }
    return rest;
}

} // namespace

void polish(const FlatGraph &flat, std::vector<Recompute> start, const PolishSettings &settings,
            const std::function<bool()> &stop,
            const std::function<void(const std::vector<Recompute> &, double)> &better)
{
    std::vector<SequenceEvaluator> evaluators(kTrials, SequenceEvaluator(*flat.graph, *flat.costs));
    std::mt19937_64 accept(settings.seed);
    std::vector<Recompute> current = std::move(start);
    double currentUs = extraTimeUs(flat, current), bestUs = currentUs;
    for (int round = 0; round < settings.rounds && !current.empty(); ++round) {
        std::vector<Repaired> trials(kTrials);
        parallelFor(settings.threads, kTrials, [&](std::size_t i) {
            std::mt19937_64 random(settings.seed * 1'000'003 + static_cast<std::uint64_t>(round) * kTrials + i + 1);
            trials[i] = repair(flat, evaluators[i], settings.budgetBytes, ruin(current, random), stop);
        });
        if (stop()) return;
        const double left = 1 - static_cast<double>(round) / settings.rounds;
        const double temperature = std::max(kStartTemperature * bestUs * left, 1e-9);
        for (Repaired &trial : trials) {
            const double luck = static_cast<double>(accept() >> 11U) / 9007199254740992.0;
            if (!trial.fits) continue;
            const double us = extraTimeUs(flat, trial.recomputes);
            if (us > currentUs && luck >= std::exp((currentUs - us) / temperature)) continue;
            current = std::move(trial.recomputes);
            currentUs = us;
            if (us >= bestUs - 1e-9) continue;
            bestUs = us;
            better(current, 1 - left);
        }
    }
}

} // namespace remat::hiremate
