// SPDX-License-Identifier: Apache-2.0
// Flags of the commands that call planners.
#pragma once

#include "core/graph/optimizer.h"
#include "core/plan/pin_names.h"
#include "solvers/interface/solver.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace remat::cli {

/// A planner and what `--set` makes of its options.
struct ChosenPlanner {
    const Planner *planner = nullptr;
    OptionSet options;
};

/// Adds `parameters=on` where updates run on the host and nothing else was asked for: weights leave for their update
/// and come back then.
void setForUpdates(const Planner &planner, const Updates &updates, std::map<std::string, std::string> &settings);

struct SolveFlags {
    std::vector<std::string> set;
    PinNames pins;
    double timeLimitSeconds = 60; ///< limit for each plan
    int threads = 0;              ///< 0: all cores
    std::uint64_t seed = 0;

    /// `setText` and `limitText` say what `--set` and `--time-limit` are for.
    void add(CLI::App &command, const std::string &setText, const std::string &limitText);
    /// Stops on Ctrl+C, with threads and seed as the flags say and without a deadline.
    SolveContext context() const;
    /// The planner of that name with the options of `set` and those that the updates ask for. Fails with a sentence on
    /// what is not there or not readable.
    Expected<ChosenPlanner> choose(const std::string &solver, const Updates &updates = {}) const;
};

} // namespace remat::cli
