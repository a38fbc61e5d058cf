// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/revolve.h"

#include "solvers/tools/translate.h"

namespace remat::chain {

long long revolveExtraSteps(int length, int snapshots)
{
    // reach = C(s + t, s) and below = C(s + t, s + 1), both for the current t.
    long long reach = 1, below = 0;
    int t = 0;
    while (reach < length) {
        ++t;
        below += reach;
        reach = reach * (snapshots + t) / t;
    }
    return static_cast<long long>(t) * length - below;
}

namespace {

/// How far the next snapshot is set.
int bestAdvance(int length, int snapshots)
{
    int best = 1;
    long long least = -1;
    for (int j = 1; j < length; ++j) {
        const long long steps = j + revolveExtraSteps(length - j, snapshots - 1) + revolveExtraSteps(j, snapshots);
        if (least >= 0 && steps > least) continue;
        least = steps;
        best = j;
    }
    return best;
}

} // namespace

void addRevolve(int stages, int partFirst, int partLast, int snapshots, ChainSchedule &schedule)
{
    struct Part {
        int first, last, snapshots;
    };
    const int end = stages - 1;
    std::vector<Part> open{{partFirst, partLast, snapshots}};
    while (!open.empty()) {
        const auto [first, last, free] = open.back();
        open.pop_back();
        if (first == last) continue;
        if (free == 1) {
            open.push_back({first, last - 1, 1});
            continue;
        }
        const int j = first + bestAdvance(last - first + 1, free);
        schedule.holds.push_back({last == end ? kForwardPass : last, j, -1});
        open.push_back({first, j - 1, free});
        open.push_back({j, last, free - 1});
    }
}

ChainSchedule revolveSchedule(const ChainModel &model, int snapshots)
{
    ChainSchedule schedule = inputsOnly(model);
    addRevolve(model.size(), 0, model.size() - 1, snapshots, schedule);
    return schedule;
}

} // namespace remat::chain
