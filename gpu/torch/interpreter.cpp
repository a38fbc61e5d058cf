#include "gpu/torch/interpreter.h"

#include "core/base/units.h"
#include "gpu/torch/attention.h"
#include "gpu/torch/attention_on_cpu.h"
#include "gpu/torch/failure.h"
#include "gpu/torch/fit_gradients.h"
#include "gpu/torch/memory_meter.h"

#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

namespace remat {
namespace {

/// Spreads (seed, number) over 64 bits; splitmix64.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t number)
{
    std::uint64_t z = seed + (number + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// A flat tensor over all bytes of a tensor's storage.
at::Tensor allBytes(const at::Tensor &tensor)
{
    const auto bytes = static_cast<std::int64_t>(tensor.storage().nbytes());
    at::Tensor flat = at::empty({0}, tensor.options().dtype(at::kByte).memory_format(std::nullopt));
    return flat.set_(tensor.storage(), 0, {bytes}, {1});
}

const at::Tensor &undefined()
{
    static const at::Tensor kUndefined;
    return kUndefined;
}

std::int64_t storageBytes(const c10::IValue &value)
{
    if (!value.isTensor() || !value.toTensor().defined() || !value.toTensor().has_storage()) return 0;
    return static_cast<std::int64_t>(value.toTensor().storage().nbytes());
}

const void *storageOf(const c10::IValue &value)
{
    return value.isTensor() && value.toTensor().defined() && value.toTensor().has_storage()
               ? value.toTensor().storage().unsafeGetStorageImpl()
               : nullptr;
}

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

/// While it lives, kernels that have a deterministic form take it: attention's gradients only do when asked strictly.
class StrictScope
{
public:
    explicit StrictScope(bool on) : m_on(on && at::globalContext().deterministicAlgorithms())
    {
        if (m_on) at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
    }
    ~StrictScope()
    {
        if (m_on) at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    }
    StrictScope(const StrictScope &) = delete;
    StrictScope &operator=(const StrictScope &) = delete;

private:
    bool m_on;
};

/// Hears what LibTorch has to say of one operator, and prints nothing.
class Listener final : public c10::WarningHandler
{
public:
    void process(const c10::Warning &warning) override
    {
        if (warning.msg().find("deterministic") != std::string::npos) heard = true;
    }
    bool heard = false;
};

bool isAttentionGradient(const std::string &opName)
{
    return opName.find("attention") != std::string::npos && opName.ends_with("_backward");
}

/// Flattens what an operator returned to the outputs of its node: lists of tensors are taken apart.
std::vector<c10::IValue> flattened(std::vector<c10::IValue> returned, std::size_t outputs)
{
    if (returned.size() == outputs &&
        std::none_of(returned.begin(), returned.end(), [](const c10::IValue &value) { return value.isTensorList(); }))
        return returned;
    std::vector<c10::IValue> result;
    for (c10::IValue &value : returned) {
        if (value.isTensorList()) {
            for (const at::Tensor &item : value.toTensorVector())
                result.emplace_back(item);
        } else {
            result.push_back(std::move(value));
        }
    }
    return result;
}

} // namespace

Interpreter::Interpreter(const Model &model, c10::Device device, std::uint64_t seed)
    : m_model(&model),
      m_device(device),
      m_seed(seed),
      m_slots(program().values.size()),
      m_producer(program().values.size()),
      m_base(model.graph.storages.size()),
      m_valuesOf(model.graph.storages.size()),
      m_hostCopies(model.graph.storages.size()),
      m_shapes(model.graph.storages.size()),
      m_homes(model.graph.storages.size()),
      m_staleHomes(model.graph.storages.size(), 0),
      m_hostShapes(program().values.size()),
      m_readOnHost(model.graph.storages.size()),
      m_readByNumbers(model.graph.storages.size(), 0),
      m_warned(program().nodes.size(), 0)
{
}

Expected<Interpreter> Interpreter::create(const Model &model, c10::Device device, std::uint64_t seed)
{
    Interpreter result(model, device, seed);
    const Program &program = *model.program;
    result.m_nodes.reserve(program.nodes.size());
    for (std::size_t index = 0; index < program.nodes.size(); ++index) {
        const Node &node = program.nodes[index];
        Expected<PreparedNode> prepared = prepareNode(program, node, device);
        if (!prepared) return tl::unexpected(prepared.error());
        result.m_nodes.push_back(std::move(*prepared));
        for (const ValueId value : node.outputs) {
            if (!value) continue;
            result.m_producer[value.index()] = NodeId(index);
            const StorageId storage = program.value(value).storage;
            if (node.opName == "aten::as_strided" && storage) result.m_readByNumbers[storage.index()] = 1;
        }
        if (!node.op || !model.graph.op(node.op).onHost) continue;
        for (const PreparedNode::ListSlot &list : result.m_nodes.back().lists)
            for (const ValueId value : list.values)
                if (const StorageId storage = program.value(value).storage; storage)
                    result.m_readOnHost[storage.index()].push_back(value);
    }
    for (std::size_t index = 0; index < program.values.size(); ++index) {
        const Value &value = program.values[index];
        if (!value.storage) continue;
        result.m_valuesOf[value.storage.index()].push_back(ValueId(index));
        if (!value.aliasOf) result.m_base[value.storage.index()] = ValueId(index);
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
    const StorageId storage = program().value(value).storage;
    const auto reads = [&](const NamedArgument &argument) {
        const auto ofInput = [&](ValueId read) { return read && program().value(read).storage == storage; };
        if (const auto *one = std::get_if<ValueId>(&argument.value)) return ofInput(*one);
        const auto *list = std::get_if<std::vector<ValueId>>(&argument.value);
        return list && std::any_of(list->begin(), list->end(), ofInput);
    };
    const bool written = std::any_of(program().nodes.begin(), program().nodes.end(), [&](const Node &node) {
        return std::any_of(node.arguments.begin(), node.arguments.end(), [&](const NamedArgument &argument) {
            return std::find(node.mutates.begin(), node.mutates.end(), argument.name) != node.mutates.end() &&
                   reads(argument);
        });
    });
    if (written) {
        const UncountedScope hostCopy;
        m_pristine.emplace_back(value, tensor.to(at::kCPU, /*non_blocking=*/false, /*copy=*/true));
    }
    m_slots[value.index()] = std::move(tensor);
}

void Interpreter::planParameters(const std::vector<StorageId> &parameters)
{
    m_plannedParameters = parameters;
    for (const StorageId parameter : parameters)
        m_homes[parameter.index()] = hostCopyOf(slot(m_base[parameter.index()]));
}

void Interpreter::reset()
{
    m_secondCopies.clear();
    for (std::size_t index = 0; index < m_slots.size(); ++index) {
        const StorageId storage = program().values[index].storage;
        // An input that is in no storage of the graph stays: the count of an optimizer's steps.
        const bool stays =
            storage ? isResident(m_model->graph.storage(storage).kind) : !m_producer[index] && !m_slots[index].isNone();
        if (!stays) m_slots[index] = c10::IValue();
    }
    for (HostCopy &copy : m_hostCopies)
        copy = HostCopy();
    for (const StorageId parameter : m_plannedParameters)
        if (!slot(m_base[parameter.index()]).defined()) prefetch(parameter);
    const c10::NoGradGuard noGrad;
    for (auto &[value, tensor] : m_pristine) {
        at::Tensor held = m_slots[value.index()].toTensor();
        held.copy_(tensor);
        const StorageId storage = program().value(value).storage;
        if (!storage || !m_homes[storage.index()].bytes.defined()) continue;
        const UncountedScope hostCopy;
        m_homes[storage.index()].bytes.copy_(allBytes(held));
        m_staleHomes[storage.index()] = 0;
    }
}

Expected<void> Interpreter::makeReady(ValueId value)
{
    // What is missing waits on this stack for what it is made of: no recursion, chains of views may be long.
    std::vector<ValueId> missing;
    const auto need = [&](ValueId needed) {
        if (needed && m_slots[needed.index()].isNone()) missing.push_back(needed);
    };
    need(value);
    while (!missing.empty()) {
        const ValueId at = missing.back();
        if (!m_slots[at.index()].isNone()) {
            missing.pop_back();
            continue;
        }
        const NodeId producer = m_producer[at.index()];
        const ValueId base = program().value(at).aliasOf;
        if (!producer || (program().nodes[producer.index()].op && !base))
            return fail(program().value(at).name + " is read but is not in memory. Check the plan with `remat check`.");
        const Node &node = program().nodes[producer.index()];
        const std::size_t waiting = missing.size();
        need(base);
        if (!node.op) {
            for (const auto &slot : m_nodes[producer.index()].tensors)
                need(slot.value);
            for (const PreparedNode::ListSlot &list : m_nodes[producer.index()].lists)
                for (const ValueId item : list.values)
                    need(item);
        }
        if (missing.size() > waiting) continue;
        if (node.op) {
            // An operator that writes in place returns the tensor it wrote to.
            m_slots[at.index()] = m_slots[base.index()];
            continue;
        }
        Expected<std::vector<c10::IValue>> made = call(producer);
        if (!made) return tl::unexpected(made.error());
        for (std::size_t index = 0; index < node.outputs.size() && index < made->size(); ++index) {
            const ValueId output = node.outputs[index];
            if (!output) continue;
            if (auto fits = checkSize(node, output, (*made)[index]); !fits) return fits;
            m_slots[output.index()] = std::move((*made)[index]);
        }
        if (afterNode) afterNode(node);
        if (m_slots[at.index()].isNone())
            return fail("Op " + node.name + " did not return " + program().value(at).name + ". Trace the model again.");
    }
    return {};
}

/// The arguments of a node, its tensors filled in by `tensorOf`.
template <class TensorOf>
Expected<std::vector<c10::IValue>> Interpreter::stackOf(NodeId id, const TensorOf &tensorOf) const
{
    const PreparedNode &prepared = m_nodes[id.index()];
    std::vector<c10::IValue> stack = prepared.arguments;
    for (const auto &[position, value] : prepared.tensors) {
        if (!value) continue;
        Expected<at::Tensor> tensor = tensorOf(value);
        if (!tensor) return tl::unexpected(tensor.error());
        stack[position] = std::move(*tensor);
    }
    for (const PreparedNode::ListSlot &list : prepared.lists) {
        c10::List<std::optional<at::Tensor>> optionals;
        c10::List<at::Tensor> tensors;
        for (const ValueId value : list.values) {
            if (!value) {
                optionals.push_back(std::nullopt);
                continue;
            }
            Expected<at::Tensor> tensor = tensorOf(value);
            if (!tensor) return tl::unexpected(tensor.error());
            if (list.optionalItems)
                optionals.push_back(std::move(*tensor));
            else
                tensors.push_back(std::move(*tensor));
        }
        if (list.optionalItems)
            stack[list.position] = std::move(optionals);
        else
            stack[list.position] = std::move(tensors);
    }
    if (m_dropsNothing && prepared.dropPosition) stack[*prepared.dropPosition] = prepared.dropNothing;
    return stack;
}

/// Leaves what the operator returns on the stack.
Expected<void> Interpreter::callOperator(NodeId id, std::vector<c10::IValue> &stack, c10::Device device,
                                         bool &warned) const
{
    const Node &node = program().nodes[id.index()];
    const PreparedNode &prepared = m_nodes[id.index()];
    Listener listener;
    try {
        const c10::WarningUtils::WarningHandlerGuard warnings(&listener);
        const at::AutoDispatchBelowADInplaceOrView belowAutograd;
        const c10::NoGradGuard noGrad;
        if (node.op && !m_model->graph.op(node.op).updates.empty())
            if (auto fits = fitGradients(node, stack); !fits) return fits;
        // Each random op starts from its own state, so that it draws the same bits whenever and as often as it runs.
        if (prepared.random) {
            at::Generator generator = at::globalContext().defaultGenerator(device);
            generator.set_current_seed(mixed(m_seed, id.index()));
        }
        const StrictScope strict(device.is_cuda() && isAttentionGradient(node.opName));
        const bool ofOtherDevice =
            device.is_cuda() ? callAttentionOnCuda(node.opName, stack) : callGpuAttentionOnCpu(node.opName, stack);
        if (!ofOtherDevice) prepared.op.callBoxed(stack);
    } catch (const std::exception &error) {
        return fail(operatorFailure(node, device, error));
    }
    warned = listener.heard;
    return {};
}

Expected<std::vector<c10::IValue>> Interpreter::call(NodeId id)
{
    const Node &node = program().nodes[id.index()];
    auto stack = stackOf(id, [&](ValueId value) -> Expected<at::Tensor> {
        if (!slot(value).defined()) return notMade(node, value);
        return slot(value);
    });
    if (!stack) return tl::unexpected(stack.error());
    const Announcement announcement(m_page, id);
    bool warned = false;
    if (auto called = callOperator(id, *stack, m_device, warned); !called) return tl::unexpected(called.error());
    if (warned) m_warned[id.index()] = 1;
    if (afterCall) afterCall(node, *stack);
    return flattened(std::move(*stack), node.outputs.size());
}

std::string Interpreter::drawingOp() const
{
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
        if (m_nodes[node].random && !m_nodes[node].dropPosition)
            return program().nodes[node].name + " (" + program().nodes[node].opName + ")";
    return {};
}

Expected<void> Interpreter::checkSize(const Node &node, ValueId output, const c10::IValue &result) const
{
    // Kernels pad what they make, by their own rules on each device; the trace cannot know.
    const std::int64_t padding = m_device.is_cuda() ? 16 << 20 : 64 << 10;
    const Value &value = program().value(output);
    if (value.aliasOf && storageOf(result) == storageOf(m_slots[value.aliasOf.index()])) return {};
    const std::int64_t recorded = extentBytes(value), made = storageBytes(result);
    if (made - recorded / 4 - padding <= recorded) return {};
    return fail("Op " + node.name + " (" + node.opName + ") made " + formatBytes(made) + " for " + value.name +
                " where the trace says " + formatBytes(recorded, Rounding::Up) +
                ", so no figure of this plan holds. The file was changed, or is from another PyTorch; trace the model "
                "again.");
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
    return fail("Op " + node.name + " (" + node.opName + ") lays " + value.name + " out in another way on " +
                m_device.str() +
                " than the trace says, and the model views it by strides (as_strided), so it would "
                "read other values. Trace the model with --device " +
                (m_device.is_cuda() ? "cuda" : "cpu") + ".");
}

tl::unexpected<Error> Interpreter::notMade(const Node &reader, ValueId value) const
{
    const NodeId producer = m_producer[value.index()];
    const std::string maker = producer ? program().nodes[producer.index()].name : "its producer";
    return fail("Op " + reader.name + " (" + reader.opName + ") reads " + program().value(value).name + ", which op " +
                maker + " did not make: one of its arguments turns it off. Trace the model again.");
}

Expected<void> Interpreter::prepareInputs(OpId op)
{
    if (m_model->graph.op(op).onHost) return {};
    const NodeId id = m_model->graph.op(op).node;
    const PreparedNode &prepared = m_nodes[id.index()];
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
        m_staleHomes[updated.index()] = 1;
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
            if (!m_slots[output.index()].isNone()) {
                m_secondCopies.push_back(std::move(result));
                continue;
            }
        }
        m_slots[output.index()] = std::move(result);
    }
    // What lies beyond the outputs of the node is dropped with what is to be measured, not before.
    for (c10::IValue &rest : *returned)
        if (!rest.isNone()) m_secondCopies.push_back(std::move(rest));
    if (afterNode) afterNode(node);
    return made;
}

Expected<at::Tensor> Interpreter::hostTensor(ValueId value, std::span<std::byte> copy) const
{
    const StorageId storage = program().value(value).storage;
    const bool home = storage && m_homes[storage.index()].bytes.defined();
    if (!storage || (!home && isResident(m_model->graph.storage(storage).kind))) {
        if (slot(value).defined() && slot(value).is_cpu()) return slot(value);
        return fail("The host updates " + program().value(value).name +
                    ", which the device holds alone: plan with --set parameters=on, so that it has a copy there.");
    }
    const HostCopy &shape = home ? m_homes[storage.index()] : m_hostShapes[value.index()];
    const auto itemBytes = static_cast<std::int64_t>(c10::elementSize(shape.dtype));
    std::int64_t last = shape.offset;
    for (std::size_t d = 0; d < shape.sizes.size(); ++d)
        last += (shape.sizes[d] - 1) * shape.strides[d];
    if (!shape.known || (last + 1) * itemBytes > static_cast<std::int64_t>(copy.size()))
        return fail("The host updates with " + program().value(value).name +
                    ", of which it has no copy. Check the plan with `remat check`.");
    return at::from_blob(copy.data() + shape.offset * itemBytes, shape.sizes, shape.strides,
                         at::TensorOptions(shape.dtype));
}

Expected<void> Interpreter::computeOnHost(OpId id, const std::vector<std::span<std::byte>> &copies) const
{
    const Op &op = m_model->graph.op(id);
    const UncountedScope onHost;
    auto stack = stackOf(op.node, [&](ValueId value) -> Expected<at::Tensor> {
        const auto input = std::find(op.inputs.begin(), op.inputs.end(), program().value(value).storage);
        return hostTensor(value, input == op.inputs.end()
                                     ? std::span<std::byte>()
                                     : copies[static_cast<std::size_t>(input - op.inputs.begin())]);
    });
    if (!stack) return tl::unexpected(stack.error());
    bool warned = false;
    return callOperator(op.node, *stack, at::kCPU, warned);
}

Expected<void> Interpreter::computeOnHost(OpId id)
{
    const Op &op = m_model->graph.op(id);
    std::vector<std::span<std::byte>> copies(op.inputs.size());
    for (std::size_t i = 0; i < copies.size(); ++i) {
        const std::size_t storage = op.inputs[i].index();
        const at::Tensor &bytes = (m_homes[storage].bytes.defined() ? m_homes : m_hostCopies)[storage].bytes;
        if (bytes.defined()) copies[i] = {static_cast<std::byte *>(bytes.mutable_data_ptr()), bytes.nbytes()};
    }
    for (const StorageId updated : op.updates)
        m_staleHomes[updated.index()] = 0;
    return computeOnHost(id, copies);
}

void Interpreter::free(StorageId storage)
{
    for (const ValueId value : m_valuesOf[storage.index()])
        m_slots[value.index()] = c10::IValue();
}

Interpreter::HostCopy Interpreter::hostCopyOf(const at::Tensor &base) const
{
    const c10::NoGradGuard noGrad;
    const UncountedScope hostCopy;
    const at::Tensor bytes = allBytes(base);
    HostCopy copy = shapeOf(base);
    copy.bytes = at::empty(bytes.sizes(), at::kByte);
    copy.bytes.copy_(bytes);
    return copy;
}

Interpreter::HostCopy Interpreter::shapeOf(const at::Tensor &base)
{
    HostCopy copy;
    copy.sizes = base.sizes().vec();
    copy.strides = base.strides().vec();
    copy.offset = base.storage_offset();
    copy.dtype = base.scalar_type();
    copy.device = base.device();
    copy.known = true;
    return copy;
}

void Interpreter::offload(StorageId storage)
{
    for (const ValueId value : m_readOnHost[storage.index()])
        if (makeReady(value) && slot(value).defined()) m_hostShapes[value.index()] = shapeOf(slot(value));
    const at::Tensor &base = slot(m_base[storage.index()]);
    if (!base.defined()) return;
    const bool home = m_homes[storage.index()].bytes.defined();
    (home ? m_homes : m_hostCopies)[storage.index()] = hostCopyOf(base);
    if (home) m_staleHomes[storage.index()] = 0;
}

void Interpreter::prefetch(StorageId storage)
{
    const HostCopy &offloaded = m_hostCopies[storage.index()];
    const HostCopy &copy = offloaded.bytes.defined() ? offloaded : m_homes[storage.index()];
    if (!copy.bytes.defined()) return;
    const c10::NoGradGuard noGrad;
    const at::Tensor bytes = at::empty(copy.bytes.sizes(), at::TensorOptions(at::kByte).device(copy.device));
    bytes.copy_(copy.bytes);
    at::Tensor base = at::empty({0}, at::TensorOptions(copy.dtype).device(copy.device));
    base.set_(bytes.storage(), copy.offset, copy.sizes, copy.strides);
    free(storage);
    m_slots[m_base[storage.index()].index()] = std::move(base);
}

at::Tensor Interpreter::hostBytesOf(StorageId storage) const
{
    const at::Tensor &base = slot(m_base[storage.index()]);
    return base.defined() && base.has_storage() ? hostCopyOf(base).bytes : at::Tensor();
}

std::span<std::byte> Interpreter::bytesOf(StorageId storage)
{
    const at::Tensor &base = slot(m_base[storage.index()]);
    if (!base.defined() || !base.has_storage()) return {};
    HostCopy &shape = m_shapes[storage.index()];
    if (shape.sizes.empty()) shape = shapeOf(base);
    return {static_cast<std::byte *>(base.storage().mutable_data()), base.storage().nbytes()};
}

void Interpreter::adopt(StorageId storage, c10::DataPtr memory, std::size_t bytes)
{
    const c10::NoGradGuard noGrad;
    const HostCopy &home = m_homes[storage.index()];
    const HostCopy &shape = home.bytes.defined() ? home : m_shapes[storage.index()];
    at::Tensor base = at::empty({0}, at::TensorOptions(shape.dtype).device(m_device));
    const c10::Storage held(c10::Storage::use_byte_size_t(), bytes, std::move(memory), nullptr, /*resizable=*/false);
    base.set_(held, shape.offset, shape.sizes, shape.strides);
    free(storage);
    m_slots[m_base[storage.index()].index()] = std::move(base);
}

bool Interpreter::livesOnHost(StorageId storage) const
{
    if (!m_device.is_cuda()) return false;
    const at::Tensor &base = slot(m_base[storage.index()]);
    const HostCopy &copy = m_hostCopies[storage.index()];
    return base.defined() ? base.is_cpu() : copy.bytes.defined() && copy.device.is_cpu();
}

void Interpreter::bringHome(StorageId storage, std::span<const std::byte> bytes)
{
    const at::Tensor &home = m_homes[storage.index()].bytes;
    if (!home.defined() || home.nbytes() != bytes.size()) return;
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte *>(home.mutable_data_ptr()));
    m_staleHomes[storage.index()] = 0;
}

Interpreter::Updated Interpreter::updated(ValueId value) const
{
    const StorageId storage = program().value(value).storage;
    const HostCopy &home = m_homes[storage.index()];
    Updated result{slot(value), {}};
    if (!home.bytes.defined() || m_staleHomes[storage.index()] != 0) return result;
    const UncountedScope onHost;
    result.onHost = at::empty({0}, at::TensorOptions(home.dtype));
    result.onHost.set_(home.bytes.storage(), home.offset, home.sizes, home.strides);
    return result;
}

std::span<const std::byte> Interpreter::homeOf(StorageId storage) const
{
    const at::Tensor &bytes = m_homes[storage.index()].bytes;
    if (!bytes.defined()) return {};
    return {static_cast<const std::byte *>(bytes.const_data_ptr()), static_cast<std::size_t>(bytes.numel())};
}

Expected<at::Tensor> Interpreter::tensor(ValueId value)
{
    if (auto ready = makeReady(value); !ready) return tl::unexpected(ready.error());
    if (slot(value).defined()) return slot(value);
    // Two runs that both lack an output would be equal.
    const NodeId producer = m_producer[value.index()];
    return fail("The trace gives " + program().value(value).name + " back, which op " +
                (producer ? program().nodes[producer.index()].name : std::string("none")) +
                " did not make: one of its arguments turns it off. Trace the model again.");
}

const at::Tensor &Interpreter::slot(ValueId value) const
{
    if (!value) return undefined();
    const c10::IValue &held = m_slots[value.index()];
    return held.isTensor() ? held.toTensor() : undefined();
}

std::int64_t Interpreter::heldBytes(StorageId storage) const
{
    const ValueId base = m_base[storage.index()];
    return base ? storageBytes(m_slots[base.index()]) : 0;
}

} // namespace remat
