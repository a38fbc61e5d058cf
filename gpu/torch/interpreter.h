// SPDX-License-Identifier: Apache-2.0
// Holds the tensors of one run and computes, frees and moves them as a plan says.
#pragma once

#include "core/graph/model.h"
#include "gpu/run_messages.h"
#include "gpu/torch/host_copies.h"
#include "gpu/torch/operator_calls.h"
#include "gpu/torch/value_table.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace remat {

/// Bytes as the rule of storages counts them.
constexpr std::int64_t roundedTo512(std::int64_t bytes)
{
    return (bytes + 511) / 512 * 512;
}

/// Runs the nodes of a trace one by one. Values live in slots: what an op makes stays until its storage is freed; views
/// are made from the storage they share when they are read, and go with it. One thread.
class Interpreter
{
public:
    /// Looks every operator up. `model` (with a program) must outlive the interpreter.
    static Expected<Interpreter> create(const Model &model, c10::Device device, std::uint64_t seed);

    /// From now on the page says which node runs.
    void tellTo(RunPage *page) { m_page = page; }
    /// Where an input's tensor belongs: optimizer states of updates on the host, and the count of steps, never leave
    /// it.
    c10::Device inputDevice(std::size_t input) const;
    /// Puts an input's tensor in its slot; it stays over all runs.
    void setInput(std::size_t input, at::Tensor tensor);
    /// From now on these inputs may be freed and prefetched: keeps a copy of each in host memory for good.
    void planParameters(const std::vector<StorageId> &parameters);
    const std::vector<StorageId> &plannedParameters() const { return m_plannedParameters; }
    /// Drops everything but the inputs, and puts inputs back that a run has written to or freed.
    void reset();

    /// What one computation did to memory, as far as tensors show it.
    struct Made {
        std::int64_t bytes = 0; ///< bytes of the storages made, second copies included, as LibTorch asked for them
        std::int64_t roundedBytes = 0; ///< the same, each storage rounded up to 512
        std::vector<StorageId> storages;
    };
    /// Makes the tensors that the op reads ready (views), so that `compute` measures nothing but the op.
    Expected<void> prepareInputs(OpId op);
    /// Runs the op; call `dropSecondCopies` after what is to be measured.
    Expected<Made> compute(OpId op);
    /// Lets go of what `compute` made for storages that were still there.
    void dropSecondCopies() { m_secondCopies.clear(); }
    void free(StorageId storage) { m_values.free(storage); }
    void offload(StorageId storage);
    void prefetch(StorageId storage);

    /// Where the bytes of a storage lie that is there; empty when it is not.
    std::span<std::byte> bytesOf(StorageId storage);
    /// A copy of them in host memory; undefined when it is not there.
    at::Tensor hostBytesOf(StorageId storage) const;
    /// From now on the storage is what lies in `memory`; it was there once before, or is a planned parameter.
    void adopt(StorageId storage, c10::DataPtr memory, std::size_t bytes);
    /// On a GPU: whether the storage is a tensor of the CPU's, or its copy is one's.
    bool livesOnHost(StorageId storage) const;
    /// The host copy that a planned parameter always has.
    std::span<const std::byte> homeOf(StorageId storage) const;
    /// From now on it is these bytes.
    void bringHome(StorageId storage, std::span<const std::byte> bytes) { m_copies.bringHome(storage, bytes); }
    /// An op on the host, on the copies there of what it reads: one for each of its inputs, empty for what stays where
    /// it is. Any thread, beside all others; what it reads must have been offloaded once before, by `offload`.
    Expected<void> computeOnHost(OpId op, const std::vector<std::span<std::byte>> &copies) const;
    /// An op on the host, on the interpreter's own copies.
    Expected<void> computeOnHost(OpId op);

    /// What is left of a parameter or state after its update: on the device, and in host memory. Undefined where there
    /// is none, or a stale one.
    struct Updated {
        at::Tensor onDevice, onHost;
    };
    Updated updated(ValueId value) const;
    /// A value, its views made when needed. Undefined when its storage is not there or the operator left it out.
    Expected<at::Tensor> tensor(ValueId value);
    /// Bytes that LibTorch asked for, for a storage that is held; 0 when it is not.
    std::int64_t heldBytes(StorageId storage) const { return m_values.heldBytes(storage); }
    /// Called after every node with the values it made, for checks; none by default.
    std::function<void(const Node &)> afterNode;
    /// Called right before and after the operator of a computation, for clocks; none by default.
    std::function<void(OpId)> beforeCompute, afterCompute;
    /// Called with what an operator returned before anybody sees it, for faults on purpose; none by default.
    std::function<void(const Node &, std::vector<c10::IValue> &)> afterCall;
    /// Turns dropout off and on again: probabilities that decide what is dropped are 0 meanwhile.
    void dropNothing(bool on) { m_calls.dropNothing(on); }
    /// An op that draws numbers for something else than dropout, which dropNothing() leaves as it is; empty without
    /// one.
    std::string drawingOp() const { return m_calls.drawingOp(); }
    /// Per node whether LibTorch has warned that it has no deterministic kernel for it.
    const std::vector<char> &warned() const { return m_warned; }
    /// The slot as it stands; undefined when there is no tensor.
    const at::Tensor &slot(ValueId value) const { return m_values.tensor(value); }

    const Model &model() const { return *m_model; }
    c10::Device device() const { return m_device; }

private:
    Interpreter(const Model &model, c10::Device device, OperatorCalls calls);
    const Program &program() const { return *m_model->program; }
    Expected<void> makeReady(ValueId value);
    Expected<std::vector<c10::IValue>> call(NodeId node);
    /// Puts what an operator made into its slot; a new value of a buffer into the old one, the first time.
    void hold(ValueId output, c10::IValue result);
    Expected<at::Tensor> hostTensor(ValueId value, std::span<std::byte> copy) const;
    tl::unexpected<Error> notMade(const Node &reader, ValueId value) const;
    Expected<void> checkSize(const Node &node, ValueId output, const c10::IValue &result) const;
    Expected<void> checkStrides(const Node &node, ValueId output, const c10::IValue &result) const;

    const Model *m_model;
    c10::Device m_device;
    RunPage *m_page = nullptr;
    OperatorCalls m_calls;
    ValueTable m_values;
    HostCopies m_copies;
    std::vector<HostCopy> m_shapes;                 // per storage, without bytes: of those that `bytesOf` has seen
    std::vector<std::vector<ValueId>> m_readOnHost; // per storage: its values that ops on the host read
    std::vector<char> m_readByNumbers;              // per storage: some view of it is made by as_strided
    std::vector<StorageId> m_plannedParameters;
    std::set<StorageId> m_written;
    std::vector<char> m_writtenBack; // per value: a new one of a buffer that lies in the old one
    std::vector<char> m_warned;      // per node
    std::vector<c10::IValue> m_secondCopies;
    std::vector<std::pair<ValueId, at::Tensor>> m_pristine; // copies of inputs that some op writes to
};

} // namespace remat
