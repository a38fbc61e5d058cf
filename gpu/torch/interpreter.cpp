// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/interpreter.h"

#include "core/base/units.h"
#include "gpu/torch/memory_meter.h"
#include "gpu/written_back.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <fmt/core.h>

namespace remat {
namespace {

/// While it lives, the page says that this node runs.
class Announcement
{
public:
    Announcement(RunPage *page, NodeId node) : m_page(page) { tell(node.value); }
    ~Announcement() { tell(-1); }
    Announcement(const Announcement &) = delete;
    Announcement &operator=(const Announcement &) = delete;

private:
    void tell(std::int32_t node)
    {
        if (m_page) m_page->node.store(node, std::memory_order_relaxed);
    }
    RunPage *m_page;
};

} // namespace

Interpreter::Interpreter(const Model &model, c10::Device device, OperatorCalls calls)
    : m_model(&model),
      m_device(device),
      m_calls(std::move(calls)),
      m_values(model),
      m_copies(model.graph.storages.size(), model.program->values.size()),
      m_shapes(model.graph.storages.size()),
      m_readOnHost(model.graph.storages.size()),
      m_readByNumbers(model.graph.storages.size(), 0),
      m_written(writtenStorages(*model.program)),
      m_writtenBack(model.program->values.size(), 0),
      m_warned(model.program->nodes.size(), 0)
{
    for (const ValueId value : writtenBack(*model.program))
        m_writtenBack[value.index()] = 1;
}

Expected<Interpreter> Interpreter::create(const Model &model, c10::Device device, std::uint64_t seed)
{
    Expected<OperatorCalls> calls = OperatorCalls::create(model, device, seed);
    if (!calls) return tl::unexpected(calls.error());
    Interpreter result(model, device, std::move(*calls));
    const Program &program = *model.program;
    for (std::size_t index = 0; index < program.nodes.size(); ++index) {
        const Node &node = program.nodes[index];
        if (node.opName == "aten::as_strided")
            for (const ValueId value : node.outputs)
                if (value && program.value(value).storage)
                    result.m_readByNumbers[program.value(value).storage.index()] = 1;
        if (!node.op || !model.graph.op(node.op).onHost) continue;
        for (const PreparedNode::ListSlot &list : result.m_calls.prepared(NodeId(index)).lists)
            for (const ValueId value : list.values)
                if (const StorageId storage = program.value(value).storage; storage)
                    result.m_readOnHost[storage.index()].push_back(value);
    }
    return result;
}

c10::Device Interpreter::inputDevice(std::size_t input) const
{
    const bool onHost =
        std::any_of(m_model->graph.ops.begin(), m_model->graph.ops.end(), [](const Op &op) { return op.onHost; });
    const ProgramInput &of = program().inputs[input];
    const bool ofUpdates = of.kind == StorageKind::State || !program().value(of.value).storage;
    return onHost && ofUpdates ? c10::Device(c10::DeviceType::CPU) : m_device;
}

void Interpreter::setInput(std::size_t input, at::Tensor tensor)
{
    const ValueId value = program().inputs[input].value;
    if (m_written.contains(program().value(value).storage)) {
        const UncountedScope hostCopy;
        m_pristine.emplace_back(value, tensor.to(at::kCPU, /*non_blocking=*/false, /*copy=*/true));
    }
    m_values.put(value, std::move(tensor));
}

void Interpreter::planParameters(const std::vector<StorageId> &parameters)
{
    m_plannedParameters = parameters;
    for (const StorageId parameter : parameters)
        m_copies.plan(parameter, m_values.base(parameter));
}

void Interpreter::reset()
{
    m_secondCopies.clear();
    for (std::size_t index = 0; index < m_values.size(); ++index) {
        const ValueId value(index);
        const StorageId storage = program().value(value).storage;
        // An input that is in no storage of the graph stays: the count of an optimizer's steps.
        const bool stays = storage ? isResident(m_model->graph.storage(storage).kind)
                                   : !m_values.producer(value) && m_values.has(value);
        if (!stays || m_writtenBack[index] != 0) m_values.put(value, {});
    }
    m_copies.dropOffloaded();
    for (const StorageId parameter : m_plannedParameters)
        if (!m_values.base(parameter).defined()) prefetch(parameter);
    const c10::NoGradGuard noGrad;
    for (auto &[value, tensor] : m_pristine) {
        at::Tensor held = slot(value);
        held.copy_(tensor);
        const StorageId storage = program().value(value).storage;
        if (storage && m_copies.hasHome(storage)) m_copies.refresh(storage, held);
    }
}

Expected<void> Interpreter::makeReady(ValueId value)
{
    // What is missing waits on this stack for what it is made of: no recursion, chains of views may be long.
    std::vector<ValueId> missing;
    const auto need = [&](ValueId needed) {
        if (needed && !m_values.has(needed)) missing.push_back(needed);
    };
    need(value);
    while (!missing.empty()) {
        const ValueId at = missing.back();
        if (m_values.has(at)) {
            missing.pop_back();
            continue;
        }
        const NodeId producer = m_values.producer(at);
        const ValueId base = program().value(at).aliasOf;
        if (!producer || (program().nodes[producer.index()].op && !base))
            return fail(program().value(at).name + " is read but is not in memory. Check the plan with `remat check`.");
        const Node &node = program().nodes[producer.index()];
        const std::size_t waiting = missing.size();
        need(base);
        if (!node.op) {
            for (const auto &slot : m_calls.prepared(producer).tensors)
                need(slot.value);
            for (const PreparedNode::ListSlot &list : m_calls.prepared(producer).lists)
                for (const ValueId item : list.values)
                    need(item);
        }
        if (missing.size() > waiting) continue;
        if (node.op) {
            // An operator that writes in place returns the tensor it wrote to.
            m_values.put(at, m_values[base]);
            continue;
        }
        Expected<std::vector<c10::IValue>> made = call(producer);
        if (!made) return tl::unexpected(made.error());
        for (std::size_t index = 0; index < node.outputs.size() && index < made->size(); ++index) {
            const ValueId output = node.outputs[index];
            if (!output) continue;
            if (auto fits = checkSize(node, output, (*made)[index]); !fits) return fits;
            hold(output, std::move((*made)[index]));
        }
        if (afterNode) afterNode(node);
        if (!m_values.has(at))
            return fail(
                fmt::format("Op {} did not return {}. Trace the model again.", node.name, program().value(at).name));
    }
    return {};
}

Expected<std::vector<c10::IValue>> Interpreter::call(NodeId id)
{
    const Node &node = program().nodes[id.index()];
    auto stack = m_calls.arguments(id, [&](ValueId value) -> Expected<at::Tensor> {
        if (!slot(value).defined()) return notMade(node, value);
        return slot(value);
    });
    if (!stack) return tl::unexpected(stack.error());
    const Announcement announcement(m_page, id);
    bool warned = false;
    if (auto called = m_calls.call(id, *stack, m_device, warned); !called) return tl::unexpected(called.error());
    if (warned) m_warned[id.index()] = 1;
    if (afterCall) afterCall(node, *stack);
    return flattened(std::move(*stack), node.outputs.size());
}

Expected<void> Interpreter::checkSize(const Node &node, ValueId output, const c10::IValue &result) const
{
    // Kernels pad what they make, by their own rules on each device; the trace cannot know.
    const std::int64_t padding = m_device.is_cuda() ? 16 << 20 : 64 << 10;
    const Value &value = program().value(output);
    if (value.aliasOf && storageOf(result) == storageOf(m_values[value.aliasOf])) return {};
    // A storage of its own may go on behind the value, as in a copy of a slice.
    const bool isOwn = value.storage && !value.aliasOf;
    const std::int64_t recorded =
        std::max(extentBytes(value), isOwn ? m_model->graph.storage(value.storage).bytes : std::int64_t(0));
    const std::int64_t made = storageBytes(result);
    if (made - recorded / 4 - padding <= recorded) return {};
    return fail("Op {} ({}) made {} for {} where the trace says {}, so no figure of this plan holds. The "
                "file was changed, or is from another PyTorch; trace the model again.",
                node.name, node.opName, formatBytes(made), value.name, formatBytes(recorded, Rounding::Up));
}

/// Views by numbers read what lies at those numbers: another device's strides would give other values without a word.
Expected<void> Interpreter::checkStrides(const Node &node, ValueId output, const c10::IValue &result) const
{
    const Value &value = program().value(output);
    if (!value.storage || !m_readByNumbers[value.storage.index()] || !result.isTensor()) return {};
    const at::Tensor &made = result.toTensor();
    if (!made.defined()) return {};
    bool same = made.sizes() == at::IntArrayRef(value.sizes) && made.scalar_type() == scalarType(value.dtype);
    for (std::size_t d = 0; d < value.sizes.size() && same; ++d)
        same = value.sizes[d] == 1 || made.stride(static_cast<std::int64_t>(d)) == value.strides[d];
    if (same || made.numel() == 0) return {};
    return fail("Op {} ({}) lays {} out in another way on {} than the trace says, and the model views it "
                "by strides (as_strided), so it would read other values. Trace the model with --device {}.",
                node.name, node.opName, value.name, m_device.str(), m_device.is_cuda() ? "cuda" : "cpu");
}

tl::unexpected<Error> Interpreter::notMade(const Node &reader, ValueId value) const
{
    const NodeId producer = m_values.producer(value);
    const std::string maker = producer ? program().nodes[producer.index()].name : "its producer";
    return fail(
        "Op {} ({}) reads {}, which op {} did not make: one of its arguments turns it off. Trace the model again.",
        reader.name, reader.opName, program().value(value).name, maker);
}

Expected<void> Interpreter::prepareInputs(OpId op)
{
    if (m_model->graph.op(op).onHost) return {};
    const NodeId id = m_model->graph.op(op).node;
    const PreparedNode &prepared = m_calls.prepared(id);
    for (const auto &slot : prepared.tensors)
        if (slot.value)
            if (auto ready = makeReady(slot.value); !ready) return ready;
    for (const PreparedNode::ListSlot &slot : prepared.lists)
        for (const ValueId value : slot.values)
            if (value)
                if (auto ready = makeReady(value); !ready) return ready;
    return {};
}

Expected<Interpreter::Made> Interpreter::compute(OpId op)
{
    if (m_model->graph.op(op).onHost) {
        if (auto computed = computeOnHost(op); !computed) return tl::unexpected(computed.error());
        return Made();
    }
    for (const StorageId updated : m_model->graph.op(op).updates)
        m_copies.setStale(updated, true);
    const NodeId id = m_model->graph.op(op).node;
    const Node &node = program().nodes[id.index()];
    if (beforeCompute) beforeCompute(op);
    Expected<std::vector<c10::IValue>> returned = call(id);
    if (afterCompute) afterCompute(op);
    if (!returned) return tl::unexpected(returned.error());
    Made made;
    for (std::size_t index = 0; index < node.outputs.size() && index < returned->size(); ++index) {
        const ValueId output = node.outputs[index];
        if (!output) continue;
        c10::IValue &result = (*returned)[index];
        if (auto fits = checkSize(node, output, result); !fits) return tl::unexpected(fits.error());
        if (auto same = checkStrides(node, output, result); !same) return tl::unexpected(same.error());
        const Value &value = program().value(output);
        if (!value.aliasOf && value.storage && m_model->graph.planned(value.storage)) {
            made.storages.push_back(value.storage);
            const std::int64_t bytes = storageBytes(result);
            made.bytes += bytes;
            made.roundedBytes += roundedTo512(bytes);
            if (m_values.has(output)) {
                m_secondCopies.push_back(std::move(result));
                continue;
            }
        }
        hold(output, std::move(result));
    }
    // What lies beyond the outputs of the node is dropped with what is to be measured, not before.
    for (c10::IValue &rest : *returned)
        if (!rest.isNone()) m_secondCopies.push_back(std::move(rest));
    if (afterNode) afterNode(node);
    return made;
}

void Interpreter::hold(ValueId output, c10::IValue result)
{
    const ValueId base = program().value(output).aliasOf;
    if (m_writtenBack[output.index()] == 0 || storageOf(result) == storageOf(m_values[base])) {
        m_values.put(output, std::move(result));
        return;
    }
    if (!m_values.has(output)) {
        const c10::NoGradGuard noGrad;
        at::Tensor old = slot(base);
        old.copy_(result.toTensor());
        m_values.put(output, std::move(old));
    }
    m_secondCopies.push_back(std::move(result)); // it is dropped with what is to be measured
}

Expected<at::Tensor> Interpreter::hostTensor(ValueId value, std::span<std::byte> copy) const
{
    const StorageId storage = program().value(value).storage;
    const bool home = storage && m_copies.hasHome(storage);
    if (!storage || (!home && isResident(m_model->graph.storage(storage).kind))) {
        if (slot(value).defined() && slot(value).is_cpu()) return slot(value);
        return fail("The host updates {}, which the device holds alone: plan with --set parameters=on, so "
                    "that it has a copy there.",
                    program().value(value).name);
    }
    const HostCopy &shape = home ? m_copies.home(storage) : m_copies.shape(value);
    const auto itemBytes = static_cast<std::int64_t>(c10::elementSize(shape.dtype));
    std::int64_t last = shape.offset;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d)
        last += (shape.sizes[d] - 1) * shape.strides[d];
    if (!shape.known || (last + 1) * itemBytes > static_cast<std::int64_t>(copy.size()))
        return fail("The host updates with {}, of which it has no copy. Check the plan with `remat check`.",
                    program().value(value).name);
    return at::from_blob(copy.data() + shape.offset * itemBytes, shape.sizes, shape.strides,
                         at::TensorOptions(shape.dtype));
}

Expected<void> Interpreter::computeOnHost(OpId id, const std::vector<std::span<std::byte>> &copies) const
{
    const Op &op = m_model->graph.op(id);
    const UncountedScope onHost;
    auto stack = m_calls.arguments(op.node, [&](ValueId value) -> Expected<at::Tensor> {
        const auto input = std::find(op.inputs.begin(), op.inputs.end(), program().value(value).storage);
        return hostTensor(value, input == op.inputs.end()
                                     ? std::span<std::byte>()
                                     : copies[static_cast<std::size_t>(input - op.inputs.begin())]);
    });
    if (!stack) return tl::unexpected(stack.error());
    bool warned = false;
    return m_calls.call(op.node, *stack, at::kCPU, warned);
}

Expected<void> Interpreter::computeOnHost(OpId id)
{
    const Op &op = m_model->graph.op(id);
    std::vector<std::span<std::byte>> copies(op.inputs.size());
    for (std::size_t i = 0; i < copies.size(); ++i)
        copies[i] = m_copies.bytes(op.inputs[i]);
    for (const StorageId updated : op.updates)
        m_copies.setStale(updated, false);
    return computeOnHost(id, copies);
}

void Interpreter::offload(StorageId storage)
{
    for (const ValueId value : m_readOnHost[storage.index()])
        if (makeReady(value) && slot(value).defined()) m_copies.setShape(value, slot(value));
    if (const at::Tensor &base = m_values.base(storage); base.defined()) m_copies.offload(storage, base);
}

void Interpreter::prefetch(StorageId storage)
{
    const HostCopy &offloaded = m_copies.offloaded(storage);
    const HostCopy &copy = offloaded.bytes.defined() ? offloaded : m_copies.home(storage);
    if (!copy.bytes.defined()) return;
    const c10::NoGradGuard noGrad;
    const at::Tensor bytes = at::empty(copy.bytes.sizes(), at::TensorOptions(at::kByte).device(copy.device));
    bytes.copy_(copy.bytes);
    m_values.putBase(storage, tensorOver(bytes.storage(), copy, copy.device));
}

at::Tensor Interpreter::hostBytesOf(StorageId storage) const
{
    const at::Tensor &base = m_values.base(storage);
    return base.defined() && base.has_storage() ? hostCopyOf(base).bytes : at::Tensor();
}

std::span<std::byte> Interpreter::bytesOf(StorageId storage)
{
    const at::Tensor &base = m_values.base(storage);
    if (!base.defined() || !base.has_storage()) return {};
    HostCopy &shape = m_shapes[storage.index()];
    if (shape.sizes.empty()) shape = shapeOf(base);
    return {static_cast<std::byte *>(base.storage().mutable_data()), base.storage().nbytes()};
}

void Interpreter::adopt(StorageId storage, c10::DataPtr memory, std::size_t bytes)
{
    const c10::NoGradGuard noGrad;
    const HostCopy &shape = m_copies.hasHome(storage) ? m_copies.home(storage) : m_shapes[storage.index()];
    const c10::Storage held(c10::Storage::use_byte_size_t(), bytes, std::move(memory), nullptr, /*resizable=*/false);
    m_values.putBase(storage, tensorOver(held, shape, m_device));
}

bool Interpreter::livesOnHost(StorageId storage) const
{
    if (!m_device.is_cuda()) return false;
    const at::Tensor &base = m_values.base(storage);
    const HostCopy &copy = m_copies.offloaded(storage);
    return base.defined() ? base.is_cpu() : copy.bytes.defined() && copy.device.is_cpu();
}

Interpreter::Updated Interpreter::updated(ValueId value) const
{
    const StorageId storage = program().value(value).storage;
    Updated result{slot(value), {}};
    if (!m_copies.hasHome(storage) || m_copies.isStale(storage)) return result;
    const UncountedScope onHost;
    const HostCopy &home = m_copies.home(storage);
    result.onHost = tensorOver(home.bytes.storage(), home, at::kCPU);
    return result;
}

std::span<const std::byte> Interpreter::homeOf(StorageId storage) const
{
    return m_copies.hasHome(storage) ? m_copies.bytes(storage) : std::span<std::byte>();
}

Expected<at::Tensor> Interpreter::tensor(ValueId value)
{
    if (auto ready = makeReady(value); !ready) return tl::unexpected(ready.error());
    if (slot(value).defined()) return slot(value);
    // Two runs that both lack an output would be equal.
    const NodeId producer = m_values.producer(value);
    return fail(
        "The trace gives {} back, which op {} did not make: one of its arguments turns it off. Trace the model again.",
        program().value(value).name, producer ? program().nodes[producer.index()].name : std::string("none"));
}

} // namespace remat
