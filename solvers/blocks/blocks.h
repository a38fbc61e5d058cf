// SPDX-License-Identifier: Apache-2.0
// The graph cut into a chain of blocks, and what each storage is to its block.
#pragma once

#include "core/clusters/cluster_tree.h"
#include "solvers/tools/flat.h"

#include <string>
#include <vector>

namespace remat::hiremate {

/// What a storage is to the block whose forward or backward part makes it.
enum class Role : std::uint8_t {
    Resident,
    Internal,  ///< read by its own block only (of stages: by its own too): the block's options decide about it (a
               ///< *phantom* when kept)
    Interface, ///< forward storage that other blocks read too (of stages: and its own does not): the top chain decides
    Constant   ///< lives as in the keep-all plan: outputs, gradients between blocks, and what is too small to matter
};

/// One op of a block; numbers are local to the block (forward ops first, then backward ops).
struct LocalOp {
    double timeUs = 0;
    std::int64_t workspaceBytes = 0;
    bool once = false;
    std::vector<int> inputs;           ///< local internal storages
    std::vector<int> outputs;          ///< local internal storages
    std::vector<int> interfaces;       ///< global storages: interfaces it reads
    std::vector<int> madeInterfaces;   ///< global storages: interfaces it makes
    std::int64_t otherOutputBytes = 0; ///< interfaces and constants it makes: transient when it is computed again
};

struct LocalStorage {
    int global = -1;
    std::int64_t bytes = 0;
    int producer = -1;   ///< local op
    bool forward = true; ///< made in the forward part
};

/// A block: some forward ops and some backward ops of the graph, any of them. Mostly each are neighbours, and the block
/// is an interval; ops of others between them cut it into parts.
struct Block {
    std::string name;
    std::vector<int> members; ///< ops of the graph, ascending: forward ops, then backward ops
    int forwardCount = 0;     ///< how many of them are forward ops
    /// The smallest ranges of ops of the graph that hold them; where it has none, both ends are where they would be.
    int forwardBegin = 0, forwardEnd = 0, backwardBegin = 0, backwardEnd = 0;
    std::vector<int> partEnds; ///< local: where each of its parts ends; see `Part`
    std::vector<LocalOp> ops;
    std::vector<LocalStorage> storages;
    std::string signature;  ///< all that its options and their memory depend on: equal, same options
    int representative = 0; ///< first block with the same signature; itself when it is the first
    int copies = 1;         ///< blocks that this one represents, itself included

    int forwardOps() const { return forwardCount; }
    int backwardOps() const { return static_cast<int>(members.size()) - forwardCount; }
    int globalOp(int local) const { return members[local]; }
    /// −1: not in this block.
    int localOp(int global) const;
};

/// A stretch of the chain's ops, without ops of other blocks between them, that are forward or backward ops of one
/// block. Blocks that are intervals have two: f_0 … f_{J−1}, b_{J−1} … b_0. A block without backward ops has an empty
/// part where they would be.
struct Part {
    int block = 0;
    int ofBlock = 0; ///< its number among the parts of the block
    bool backward = false;
    int begin = 0, end = 0; ///< local ops
    int slot = 0;           ///< its first op in the graph; of an empty part, the one that follows it
};

/// A chain of blocks: the whole graph, or one block of another chain cut into blocks of its own. Numbers of ops and
/// storages are those of the whole graph either way.
struct Chain {
    std::vector<Block> blocks;
    std::vector<Part> parts;                  ///< in the order of ops; forward parts first
    int turn = 0;                             ///< the first backward part
    std::vector<int> blockOfOp;               ///< -1: not in this chain
    std::vector<Role> role;                   ///< per storage
    std::vector<int> blockOfStorage;          ///< block whose op makes it; -1 for residents, and outside of this chain
    std::vector<int> interfaces;              ///< storages
    std::vector<std::int64_t> constantAt;     ///< per op: constant bytes while it is computed first
    std::vector<std::int64_t> constantBefore; ///< per op: constant bytes just before its first computation; both are
                                              ///< relative to where a part begins, in a chain that is a block
    std::int64_t keepAllPeakBytes = 0;
};

/// Cuts the graph into the blocks that `blockOfOp` gives, as `partitionLabels` makes them, and classifies every
/// storage. Any number from 0 on that is given to some forward op is a block, whatever stands between its ops.
/// O(graph).
Chain makeChain(const FlatGraph &flat, std::vector<int> blockOfOp, std::int64_t keepAllPeakBytes);

/// The blocks that `childOfOp` gives (-1 outside) inside one block of another chain. What is internal to the block is
/// classified anew; what crosses its border is there whenever it is read, and memory of the outer chain. O(graph).
Chain makeInnerChain(const FlatGraph &flat, const Chain &outer, int block, std::vector<int> childOfOp);

/// The stages that `stageOfOp` gives (ascending along the forward part, descending along the backward part), for
/// planners that hold or drop the input of a stage as a whole: what a stage makes and its own backward part reads is
/// internal to it even when other stages read it too; what the backward part of an earlier stage reads, and what may be
/// computed only once, is constant.
/// O(graph).
Chain makeStages(const FlatGraph &flat, std::vector<int> stageOfOp, std::int64_t keepAllPeakBytes);

/// The block of each op in the partition of `makeChain`.
std::vector<int> partitionLabels(const FlatGraph &flat, const PartitionSizes &sizes);

} // namespace remat::hiremate
