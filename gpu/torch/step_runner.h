// SPDX-License-Identifier: Apache-2.0
// Between the engine and the interpreter: ops computed with memory that the engine gives.
#pragma once

#include "gpu/engine/engine.h"
#include "gpu/torch/interpreter.h"
#include "gpu/torch/replay.h"

#include <utility>

namespace remat {

/// Computes with an interpreter, whose tensors lie in the engine's memory while they are planned.
class TorchStepRunner final : public StepRunner
{
public:
    explicit TorchStepRunner(Interpreter &interpreter) : m_interpreter(interpreter) {}

    Expected<void> compute(OpId op, RunMemory &memory) override;
    Expected<void> drop(StorageId storage, RunMemory &memory) override;
    std::span<std::byte> bytesOf(StorageId storage) override { return m_interpreter.bytesOf(storage); }
    Expected<void> adopt(StorageId storage, std::span<std::byte> bytes) override;
    bool onHost(StorageId storage) const override { return m_interpreter.livesOnHost(storage); }
    Expected<void> moveOnHost(const Step &step) override
    {
        return moveStep(m_interpreter, m_interpreter.model().graph, step);
    }
    std::span<const std::byte> homeOf(StorageId storage) override { return m_interpreter.homeOf(storage); }
    void bringHome(StorageId storage, std::span<const std::byte> bytes) override
    {
        m_interpreter.bringHome(storage, bytes);
    }
    Expected<void> computeOnHost(OpId op, const std::vector<std::span<std::byte>> &copies) override
    {
        return std::as_const(m_interpreter).computeOnHost(op, copies);
    }

    /// Allocations that had no place in the engine's memory, and the most bytes of one.
    std::int64_t strayBytes() const { return m_strayBytes; }

private:
    Interpreter &m_interpreter;
    std::int64_t m_strayBytes = 0;
};

/// What each op allocated when it was first computed, in order, with the workspace laid out: watch a run of every op.
class AllocationRecorder
{
public:
    AllocationRecorder(Interpreter &interpreter, std::size_t ops)
        : m_interpreter(interpreter), m_allocations(ops), m_workspaceBytes(ops, 0), m_seen(ops, 0)
    {
    }
    /// Computes and watches.
    Expected<void> compute(OpId op);

    const OpAllocations &allocations() const { return m_allocations; }
    const std::vector<std::int64_t> &workspaceBytes() const { return m_workspaceBytes; }

private:
    Interpreter &m_interpreter;
    OpAllocations m_allocations;
    std::vector<std::int64_t> m_workspaceBytes; ///< per op, as laid out
    std::vector<char> m_seen;                   ///< per op
};

} // namespace remat
