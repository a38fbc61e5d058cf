// SPDX-License-Identifier: Apache-2.0
// Computing an interface again from what its own block has kept ("lite"), and from the block's inputs ("fast forward").
#pragma once

#include "solvers/blocks/block_options.h"

namespace remat::hiremate {

/// Forward ops of a block, local and ascending, that make something again.
struct Rebuild {
    std::vector<int> ops;
    double timeUs = 0;
    std::int64_t overheadBytes = 0;   ///< largest internal memory and workspace while it runs, its results left out
    std::vector<int> readsInterfaces; ///< global storages
    std::vector<int> makesInterfaces; ///< global storages
    bool possible = false;            ///< false when it would need an op that may be computed only once
};

/// The ops that make the given interfaces (global storages of this block) again when `kept` (per local storage) is
/// there, with exact memory.
Rebuild rebuild(const FlatGraph &flat, const Block &block, const std::vector<char> &kept,
                const std::vector<int> &interfaces);

/// Time to rebuild each interface the block makes, in order of making; infinite where it is not possible.
std::vector<double> interfaceChainUs(const FlatGraph &flat, const Chain &chain, const Block &block,
                                     const Option &option);

/// One way to rebuild an interface, and the options under which its inputs are kept.
struct Lite {
    int interface = -1; ///< global storage
    Rebuild rebuild;    ///< for the block asked for
    std::vector<int> options;
};

struct LiteSettings {
    std::size_t longestChain = 8; ///< ops
    std::size_t alternatives = 3; ///< per interface
    double smallestShare = 1e-3;  ///< share of the keep-all peak
};

/// The alternatives per interface of `block`, those valid for most options first.
std::vector<Lite> liteAlternatives(const FlatGraph &flat, const Chain &chain, const Block &block,
                                   const std::vector<Option> &options, const LiteSettings &settings);

} // namespace remat::hiremate
