// The graph cut into a chain of blocks, and what each storage is to its block.
#pragma once

#include "core/clusters/cluster_tree.h"
#include "solvers/flat.h"

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

/// A block: forward ops [forwardBegin, forwardEnd) and backward ops [backwardBegin, backwardEnd) of the graph.
struct Block {
    std::string name;
    int forwardBegin = 0, forwardEnd = 0, backwardBegin = 0, backwardEnd = 0;
    std::vector<LocalOp> ops;
    std::vector<LocalStorage> storages;
    std::string signature;  ///< all that its options and their memory depend on: equal, same options
    int representative = 0; ///< first block with the same signature; itself when it is the first
    int copies = 1;         ///< blocks that this one represents, itself included

    int forwardOps() const { return forwardEnd - forwardBegin; }
    int backwardOps() const { return backwardEnd - backwardBegin; }
    int globalOp(int local) const
    {
        return local < forwardOps() ? forwardBegin + local : backwardBegin + local - forwardOps();
    }
};

/// A chain of blocks: the whole graph, or one block of another chain cut into blocks of its own. Numbers of ops and
/// storages are those of the whole graph either way.
struct Chain {
    std::vector<Block> blocks;
    std::vector<int> blockOfOp;               ///< -1: not in this chain
    std::vector<Role> role;                   ///< per storage
    std::vector<int> blockOfStorage;          ///< block whose op makes it; -1 for residents, and outside of this chain
    std::vector<int> interfaces;              ///< storages
    std::vector<std::int64_t> constantAt;     ///< per op: constant bytes while it is computed first
    std::vector<std::int64_t> constantBefore; ///< per op: constant bytes just before its first computation; both are
                                              ///< relative to where a part begins, in a chain that is a block
    std::int64_t keepAllPeakBytes = 0;
};

/// Cuts the graph into the blocks that `blockOfOp` gives (ascending along the forward part, descending along the
/// backward part), as `partitionLabels` makes them, and classifies every storage. O(graph).
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
