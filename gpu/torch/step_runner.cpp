// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/step_runner.h"

#include "core/addresses/layout.h"
#include "gpu/torch/memory_meter.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <utility>

namespace remat {
namespace {

/// Hands the engine's memory to LibTorch.
class EnginePlace final : public AllocationPlace
{
public:
    explicit EnginePlace(RunMemory &memory) : m_memory(memory) {}

    void *take(std::size_t bytes) override
    {
        if (m_failure) return nullptr;
        Expected<std::byte *> at = m_memory.take(static_cast<std::int64_t>(bytes));
        if (!at) m_failure = std::move(at.error());
        return at ? *at : nullptr;
    }
    void elsewhere(void * /*data*/, std::size_t bytes) override { strayBytes += static_cast<std::int64_t>(bytes); }

    const std::optional<Error> &failure() const { return m_failure; }
    std::int64_t strayBytes = 0;

private:
    RunMemory &m_memory;
    std::optional<Error> m_failure;
};

/// Notes what goes through ordinary memory.
class Watch final : public AllocationPlace
{
public:
    struct Seen {
        void *data = nullptr;
        std::int64_t bytes = 0;
        std::int32_t begin = 0, end = -1; ///< in events; -1: still there
    };

    void *take(std::size_t /*bytes*/) override { return nullptr; }
    bool watches() const override { return true; }
    void elsewhere(void *data, std::size_t bytes) override
    {
        seen.push_back({data, static_cast<std::int64_t>(bytes), events++, -1});
    }
    void gone(void *data) override
    {
        const auto found = std::find_if(seen.rbegin(), seen.rend(),
                                        [&](const Seen &item) { return item.data == data && item.end < 0; });
        if (found != seen.rend()) found->end = events++;
    }

    std::vector<Seen> seen;
    std::int32_t events = 0;
};

} // namespace

Expected<void> TorchStepRunner::compute(OpId op, RunMemory &memory)
{
    if (auto ready = m_interpreter.prepareInputs(op); !ready) return ready;
    EnginePlace place(memory);
    const AllocationScope scope(place, m_interpreter.device().type());
    const Expected<Interpreter::Made> made = m_interpreter.compute(op);
    m_interpreter.dropSecondCopies();
    m_strayBytes = std::max(m_strayBytes, place.strayBytes);
    if (place.failure()) return tl::unexpected(*place.failure());
    if (!made) return tl::unexpected(made.error());
    return {};
}

Expected<void> TorchStepRunner::drop(StorageId storage, RunMemory &memory)
{
    const std::span<std::byte> held = m_interpreter.bytesOf(storage);
    const bool placed = !held.empty() && memory.owns(held.data());
    const std::int64_t before = memory.use().current;
    m_interpreter.free(storage);
    if (placed && memory.use().current == before)
        return fail(m_interpreter.model().graph.storage(storage).name +
                    " was freed, but a tensor still lies in its memory: an operator keeps what it was given. Trace the "
                    "model again.");
    return {};
}

Expected<void> TorchStepRunner::adopt(StorageId storage, std::span<std::byte> bytes)
{
    m_interpreter.adopt(storage, placedData(bytes.data(), m_interpreter.device()), bytes.size());
    return {};
}

Expected<void> AllocationRecorder::compute(OpId op)
{
    // The engine gives no memory to what runs on the host.
    if (m_interpreter.model().graph.op(op).onHost) return m_interpreter.computeOnHost(op);
    if (auto ready = m_interpreter.prepareInputs(op); !ready) return ready;
    Watch watch;
    {
        const AllocationScope scope(watch, m_interpreter.device().type());
        const Expected<Interpreter::Made> made = m_interpreter.compute(op);
        m_interpreter.dropSecondCopies();
        if (!made) return tl::unexpected(made.error());
    }
    // Later on some of what it makes may be there already.
    if (std::exchange(m_seen[op.index()], 1) != 0) return {};
    const std::vector<StorageId> &outputs = m_interpreter.model().graph.op(op).outputs;
    std::vector<OpAllocation> &allocations = m_allocations[op.index()];
    allocations.clear();
    std::vector<MemoryInstance> workspace;
    std::vector<std::size_t> which; // allocation of each instance
    for (const Watch::Seen &seen : watch.seen) {
        OpAllocation allocation{seen.bytes, -1, 0};
        for (std::size_t i = 0; i < outputs.size() && seen.end < 0; ++i)
            if (m_interpreter.bytesOf(outputs[i]).data() == seen.data) allocation.output = static_cast<int>(i);
        if (allocation.output < 0) {
            workspace.push_back({{}, op, seen.begin, seen.end < 0 ? watch.events : seen.end, roundedTo512(seen.bytes)});
            which.push_back(allocations.size());
        }
        allocations.push_back(allocation);
    }
    const MemoryLayout layout = layOut(workspace);
    for (std::size_t i = 0; i < which.size(); ++i)
        allocations[which[i]].workspaceOffset = layout.offsets[i];
    m_workspaceBytes[op.index()] = layout.heightBytes;
    return {};
}

} // namespace remat
