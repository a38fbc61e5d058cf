// SPDX-License-Identifier: Apache-2.0
// A sweep whose plans are made by other machines.
#pragma once

#include "solvers/uses/sweep.h"

#include <filesystem>

namespace remat {

/// Where, and the files that say what.
struct SweepElsewhere {
    std::string dask;                             ///< scheduler of a Dask cluster, `tcp://host:8786`
    std::filesystem::path model;                  ///< that the request's graph was read from
    std::string device;                           ///< that the request's costs come from; empty: the graph has its own
    std::optional<std::filesystem::path> profile; ///< measured costs, where the request has such
};

/// Calls `remat sweep --dask` and tells the listener of each plan as it comes; every one is read against the request's
/// graph and passes the checker here, whoever made it. Planners plan with their default options. Ends soon after `stop`
/// says so. Fails with the sentence of that program, where there is no cluster or no Dask.
Expected<void> sweepElsewhere(const SweepElsewhere &where, const SweepRequest &request, const StopToken *stop,
                              const SweepListener &listener);

/// One line of what `remat sweep --lines` prints: `planner`, `budget_bytes`, `status`, `message`, and `plan`, the
/// text of its file, or null. Fails on what is no such line, or is of another sweep.
Expected<SweepPoint> readSweepLine(std::string_view line, const SweepRequest &request);

} // namespace remat
