// SPDX-License-Identifier: Apache-2.0
// Options of a block: what it keeps from forward to backward, what its backward part computes again, and the exact
// memory of both.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/blocks/blocks.h"

#include <utility>
#include <vector>

namespace remat::hiremate {

/// One step of a block's backward part: a backward op, or a forward op computed again for the next backward op.
struct ProgramStep {
    int op = 0;     ///< local
    int before = 0; ///< local backward op in whose slot it stands; `op` itself for a backward op
    bool recompute() const { return op != before; }
};

/// One schedule of a block (the *option* of Rockmate and HiRemate). Memory counts what is internal to the block, and
/// the workspace of its ops; interfaces and constants are the chain's.
struct Option {
    std::vector<char> kept; ///< per local storage: held from forward to backward
    std::vector<ProgramStep> program;
    /// What the forward part computes again, before the local op `before`, or at its end when that is the number of
    /// forward ops; in order. Only the planners of `rockmate/` make such options.
    std::vector<ProgramStep> forwardAgain;
    double extraUs = 0;
    std::int64_t keptBytes = 0;              ///< what is held between forward and backward part
    std::vector<std::int64_t> heldAfter;     ///< per part of the block: what is held from there to the next
    std::vector<std::int64_t> forwardBytes;  ///< per forward op, while it runs
    std::vector<std::int64_t> backwardBytes; ///< per step of the program, while it runs
    std::int64_t forwardPeakBytes = 0;
    std::int64_t backwardPeakBytes = 0; ///< constants included, relative to those before the backward part
    std::vector<int> inner;      ///< option of each block inside a cluster of clusters; empty when found otherwise
    std::vector<double> chainUs; ///< per interface the block makes, cheapest way to make it again from what is kept
};

/// Forward storages that the backward part reads: with these kept nothing is computed again. Per local storage.
std::vector<char> readByBackward(const Block &block);
/// Only what cannot be computed again: the least any program of the block can hold. Per local storage.
std::vector<char> leastKept(const Block &block);

/// The just-in-time program: each backward op's missing inputs are computed again in its slot, each op once in the
/// whole program when `keepRecomputed`, else once per slot that reads it (less memory, more time). Throws TimeUp when
/// `stop` says so.
std::vector<ProgramStep> justInTime(const Block &block, const std::vector<char> &kept, bool keepRecomputed,
                                    const StopCheck &stop = {});

/// An option from what is kept and a program, its memory by exact replay with earliest frees. Kept storages are held
/// until the backward part starts even when nobody reads them there: recomputations of interfaces may.
Option makeOption(const Chain &chain, const Block &block, std::vector<char> kept, std::vector<ProgramStep> program,
                  std::vector<ProgramStep> forwardAgain = {});

/// Removes options that another beats or equals in bytes kept, time, both peaks and every `chainUs`, then thins to
/// `limit`, evenly along the bytes kept, both ends and the smallest peak kept. Sorted by bytes kept, largest first.
void dropDominated(std::vector<Option> &options, int limit);

} // namespace remat::hiremate
