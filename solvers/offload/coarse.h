// SPDX-License-Identifier: Apache-2.0
// A graph with runs of ops taken together, small enough for one program over all of it.
#pragma once

#include "solvers/tools/flat.h"

namespace remat::offload {

/// Storages made by one run that the same runs read: they are held, copied and made again together.
struct Bundle {
    std::vector<int> storages;
    std::int64_t bytes = 0;
    double copyUs = 0;        ///< one way
    int maker = -1;           ///< run
    std::vector<int> readers; ///< runs, ascending; the maker is not among them
    bool output = false;      ///< held at the end
    bool again = true;        ///< a further computation of its run makes it again; false: made by ops that run once
};

/// Consecutive ops, computed together.
struct Run {
    int firstOp = 0, endOp = 0;
    double timeUs = 0;
    double againUs = 0;              ///< time of a further computation, which leaves out ops that run once
    std::int64_t workspaceBytes = 0; ///< beside what it reads and makes for others, all of that held throughout
    std::vector<int> reads, makes;   ///< bundles
    std::vector<int> againReads;     ///< bundles that a further computation reads; own ones of ops that run once too
};

struct Coarse {
    std::vector<Run> runs;
    std::vector<Bundle> bundles;
    int forwardRuns = 0;

    std::int64_t keepAllPeakBytes() const;
};

/// Runs of ops with the same label, forward and backward apart. Planned parameters appear in no bundle.
/// O(graph × degree).
Coarse coarsen(const FlatGraph &flat, const std::vector<int> &labelOfOp);

/// Labels for at most about `runs` runs: every op its own when that is few enough, otherwise the blocks of a chain.
std::vector<int> runLabels(const FlatGraph &flat, int runs);

} // namespace remat::offload
