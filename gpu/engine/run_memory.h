// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a run come from: at planned addresses, or wherever there is room.
#pragma once

#include "core/addresses/address_space.h"
#include "core/addresses/layout.h"
#include "gpu/engine/accelerator.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// What a run holds and held, in bytes as they were asked for, rounded up to the memory's grain.
struct MemoryUse {
    std::int64_t current = 0;
    std::int64_t peak = 0;   ///< since `resetPeak`
    std::int64_t height = 0; ///< end of the highest address that was ever used
};

/// Memory of one run on one accelerator: one block of it. Used by work on the compute stream only.
class RunMemory
{
public:
    RunMemory(const RunMemory &) = delete;
    RunMemory &operator=(const RunMemory &) = delete;
    virtual ~RunMemory() = default;

    /// From now on `take` serves this op, at this step of the plan.
    virtual void beginOp(std::int32_t step, OpId op) = 0;
    /// The next allocation of the op: of something that it makes, or of its workspace. Null when it is none that the
    /// plan has a place for; the caller then takes ordinary memory. Fails when there is no room.
    virtual Expected<std::byte *> take(std::int64_t bytes) = 0;
    /// Room for a storage that is brought back at this step; -1 for what is there before the first.
    virtual Expected<std::byte *> takeStorage(std::int32_t step, StorageId storage, std::int64_t bytes) = 0;
    /// What was taken goes back.
    void give(std::byte *at);

    bool owns(const std::byte *at) const { return at >= m_block.get() && at < m_block.get() + m_bytes; }
    const MemoryUse &use() const { return m_use; }
    void resetPeak() { m_use.peak = m_use.current; }
    std::byte *begin() const { return m_block.get(); }
    /// Bytes of the block.
    std::int64_t blockBytes() const { return m_bytes; }
    std::int64_t rounded(std::int64_t bytes) const { return (bytes + m_grain - 1) / m_grain * m_grain; }

protected:
    RunMemory(Accelerator &accelerator, MemoryBlock block, std::int64_t bytes, std::int64_t grain);
    /// Takes `bytes` at an offset of the block.
    Expected<std::byte *> takeAt(std::int64_t offset, std::int64_t bytes);
    virtual void given(std::int64_t offset) = 0;

private:
    Accelerator &m_accelerator;
    std::int64_t m_bytes, m_grain;
    MemoryUse m_use;
    std::map<std::int64_t, std::int64_t> m_taken; ///< offset to bytes
    MemoryBlock m_block;
};

/// As an allocator without a plan: each time the lowest gap that is large enough.
class FirstFitMemory final : public RunMemory
{
public:
    /// Takes a block of `bytes`; sizes are rounded up to `grain`.
    static Expected<std::unique_ptr<FirstFitMemory>> make(Accelerator &accelerator, std::int64_t bytes,
                                                          std::int64_t grain);

    void beginOp(std::int32_t step, OpId op) override;
    Expected<std::byte *> take(std::int64_t bytes) override;
    Expected<std::byte *> takeStorage(std::int32_t step, StorageId storage, std::int64_t bytes) override;

private:
    FirstFitMemory(Accelerator &accelerator, MemoryBlock block, std::int64_t bytes, std::int64_t grain);
    void given(std::int64_t offset) override;

    AddressSpace m_space;
};

/// One allocation of an op, as it was seen before: ops ask for the same, in the same order, each time.
struct OpAllocation {
    std::int64_t bytes = 0;           ///< as asked for
    int output = -1;                  ///< which of the op's outputs it becomes; -1 for workspace
    std::int64_t workspaceOffset = 0; ///< where in the op's workspace
};
/// Per op of a graph, its allocations in their order.
using OpAllocations = std::vector<std::vector<OpAllocation>>;

/// Every instance of a plan at its planned address.
class Arena final : public RunMemory
{
public:
    /// Takes a block of the layout's height. Instances and layout are those of the steps; all must outlive the arena.
    static Expected<std::unique_ptr<Arena>> make(Accelerator &accelerator, const Graph &graph,
                                                 const std::vector<MemoryInstance> &instances,
                                                 const MemoryLayout &layout, const OpAllocations &allocations,
                                                 std::int64_t grain);

    void beginOp(std::int32_t step, OpId op) override;
    Expected<std::byte *> take(std::int64_t bytes) override;
    Expected<std::byte *> takeStorage(std::int32_t step, StorageId storage, std::int64_t bytes) override;

private:
    Arena(Accelerator &accelerator, MemoryBlock block, const Graph &graph, const std::vector<MemoryInstance> &instances,
          const MemoryLayout &layout, const OpAllocations &allocations, std::int64_t grain);
    void given(std::int64_t offset) override;
    /// Index of the instance of this storage or workspace among those that begin at a step; nothing when there is
    /// none.
    std::optional<std::size_t> instanceOf(std::int32_t step, StorageId storage, OpId workspaceOf) const;

    const Graph &m_graph;
    const std::vector<MemoryInstance> &m_instances;
    const MemoryLayout &m_layout;
    const OpAllocations &m_allocations;
    std::int32_t m_step = 0;
    OpId m_op;
    std::size_t m_next = 0; ///< allocation of the op
};

} // namespace remat
