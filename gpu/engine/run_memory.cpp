// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/run_memory.h"

#include "core/base/units.h"

#include <algorithm>
#include <utility>

namespace remat {

RunMemory::RunMemory(Accelerator &accelerator, MemoryBlock block, std::int64_t bytes, std::int64_t grain)
    : m_accelerator(accelerator), m_bytes(bytes), m_grain(grain), m_block(std::move(block))
{
}

Expected<std::byte *> RunMemory::takeAt(std::int64_t offset, std::int64_t bytes)
{
    const std::int64_t end = offset + bytes;
    const auto next = m_taken.lower_bound(offset);
    const bool overlaps = (next != m_taken.end() && next->first < end) ||
                          (next != m_taken.begin() && std::prev(next)->first + std::prev(next)->second > offset);
    if (overlaps || offset < 0 || end > m_bytes)
        return fail("Address {} was to hold {}{}", offset, formatBytes(bytes, Rounding::Up),
                    overlaps ? ", but is still in use. The layout is not one of this plan."
                             : ", which is not in the block. The layout is not one of this plan.");
    std::byte *at = m_block.get() + offset;
    if (auto opened = m_accelerator.open(at, bytes); !opened) return tl::unexpected(opened.error());
    m_taken.emplace(offset, bytes);
    m_use.current += bytes;
    m_use.peak = std::max(m_use.peak, m_use.current);
    m_use.height = std::max(m_use.height, end);
    return at;
}

void RunMemory::give(std::byte *at)
{
    const auto found = m_taken.find(at - m_block.get());
    if (found == m_taken.end()) return;
    const auto [offset, bytes] = *found;
    m_taken.erase(found);
    m_use.current -= bytes;
    m_accelerator.close(at, bytes);
    given(offset);
}

FirstFitMemory::FirstFitMemory(Accelerator &accelerator, MemoryBlock block, std::int64_t bytes, std::int64_t grain)
    : RunMemory(accelerator, std::move(block), bytes, grain), m_space(bytes)
{
}

Expected<std::unique_ptr<FirstFitMemory>> FirstFitMemory::make(Accelerator &accelerator, std::int64_t bytes,
                                                               std::int64_t grain)
{
    Expected<MemoryBlock> block = accelerator.deviceBlock(bytes);
    if (!block) return tl::unexpected(block.error());
    return std::unique_ptr<FirstFitMemory>(new FirstFitMemory(accelerator, std::move(*block), bytes, grain));
}

void FirstFitMemory::beginOp(std::int32_t /*step*/, OpId /*op*/) {}

Expected<std::byte *> FirstFitMemory::take(std::int64_t bytes)
{
    const std::int64_t size = rounded(bytes);
    const std::int64_t offset = m_space.allocate(size, MemoryPiece::kPinned, AddressEnd::Left);
    if (offset < 0)
        return fail("Memory ran out: {} were asked for, and {} are free, but not in one piece. Plan under "
                    "a smaller budget, or run at planned addresses (--memory arena).",
                    formatBytes(size, Rounding::Up), formatBytes(m_space.freeBytes(), Rounding::Down));
    Expected<std::byte *> at = takeAt(offset, size);
    if (!at) m_space.free(offset);
    return at;
}

Expected<std::byte *> FirstFitMemory::takeStorage(std::int32_t /*step*/, StorageId /*storage*/, std::int64_t bytes)
{
    return take(bytes);
}

void FirstFitMemory::given(std::int64_t offset)
{
    m_space.free(offset);
}

Arena::Arena(Accelerator &accelerator, MemoryBlock block, const Graph &graph,
             const std::vector<MemoryInstance> &instances, const MemoryLayout &layout, const OpAllocations &allocations,
             std::int64_t grain)
    : RunMemory(accelerator, std::move(block), layout.heightBytes, grain),
      m_graph(graph),
      m_instances(instances),
      m_layout(layout),
      m_allocations(allocations)
{
}

Expected<std::unique_ptr<Arena>> Arena::make(Accelerator &accelerator, const Graph &graph,
                                             const std::vector<MemoryInstance> &instances, const MemoryLayout &layout,
                                             const OpAllocations &allocations, std::int64_t grain)
{
    Expected<MemoryBlock> block = accelerator.deviceBlock(layout.heightBytes);
    if (!block) return tl::unexpected(block.error());
    return std::unique_ptr<Arena>(
        new Arena(accelerator, std::move(*block), graph, instances, layout, allocations, grain));
}

void Arena::beginOp(std::int32_t step, OpId op)
{
    m_step = step;
    m_op = op;
    m_next = 0;
}

std::optional<std::size_t> Arena::instanceOf(std::int32_t step, StorageId storage, OpId workspaceOf) const
{
    const auto begin =
        std::lower_bound(m_instances.begin(), m_instances.end(), step,
                         [](const MemoryInstance &instance, std::int32_t at) { return instance.firstStep < at; });
    for (auto it = begin; it != m_instances.end() && it->firstStep == step; ++it)
        if (it->storage == storage && it->workspaceOf == workspaceOf)
            return static_cast<std::size_t>(it - m_instances.begin());
    return std::nullopt;
}

Expected<std::byte *> Arena::take(std::int64_t bytes)
{
    const std::vector<OpAllocation> &known = m_allocations[m_op.index()];
    const std::size_t number = m_next++;
    if (number >= known.size() || known[number].bytes != bytes) return nullptr;
    const OpAllocation &allocation = known[number];
    const bool workspace = allocation.output < 0;
    const auto instance =
        workspace ? instanceOf(m_step, {}, m_op)
                  : instanceOf(m_step, m_graph.op(m_op).outputs[static_cast<std::size_t>(allocation.output)], {});
    if (!instance || allocation.workspaceOffset + rounded(bytes) > m_instances[*instance].bytes) return nullptr;
    return takeAt(m_layout.offsets[*instance] + allocation.workspaceOffset, rounded(bytes));
}

Expected<std::byte *> Arena::takeStorage(std::int32_t step, StorageId storage, std::int64_t bytes)
{
    // What is there before the first step begins with it.
    const auto instance = instanceOf(std::max(step, 0), storage, {});
    if (!instance || rounded(bytes) > m_instances[*instance].bytes)
        return fail("{} has no address of its own at step {}. The layout is not one of this plan.",
                    m_graph.storage(storage).name, step);
    return takeAt(m_layout.offsets[*instance], rounded(bytes));
}

void Arena::given(std::int64_t /*offset*/) {}

} // namespace remat
