// SPDX-License-Identifier: Apache-2.0
// Which internal storages a block keeps: one 0/1 program per block and amount kept.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/blocks/block_options.h"

#include <atomic>
#include <functional>

namespace remat::hiremate {

/// For a Deadline that is a share of another, which may never pass: four months.
constexpr double kNoLimitSeconds = 1e7;

struct ClosureSettings {
    int levels = 60; ///< amounts kept that are tried, from everything to nothing
    int optionLimit = 60;
    bool interfaces = false; ///< a second front that also keeps what makes interfaces cheap to compute again
    const StopToken *stop = nullptr;
    Deadline deadline;
    /// Limit of the simplex method, for each amount kept: some ten times what such programs take.
    std::int64_t iterations = 30'000;
    int seed = 0;
    std::atomic<bool> *timeWasUp = nullptr;              ///< set when the clock cut something short; may be none
    std::atomic<std::int64_t> *iterationsDone = nullptr; ///< those of all programs are added to it; may be none
};

/// All options of one block, undominated. For each amount of memory m, from everything downwards, the closure ILP
///     min Σ c_i r_i    x_s + r_producer(s) ≥ 1       s read by the backward part
///                      x_s + r_producer(s) ≥ r_i     s internal input of forward op i
///                      Σ bytes_s x_s ≤ m
/// (x: kept, r: computed again) says what to keep; the just-in-time program and its replay make the option. Each
/// program starts from the best of `searchedOptions`, which are options themselves too.
/// `told(options so far)` is called after each level; may be empty. Stops early with what it has: always at least the
/// options that keep everything and the least. Any thread.
std::vector<Option> closureOptions(const FlatGraph &flat, const Chain &chain, const Block &block,
                                   const ClosureSettings &settings, const std::function<void(int)> &told);

} // namespace remat::hiremate
