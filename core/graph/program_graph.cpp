// SPDX-License-Identifier: Apache-2.0
#include "core/graph/program_graph.h"

#include "core/base/text.h"
#include "core/graph/pairing.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <unordered_map>
#include <utility>

namespace remat {

namespace {

/// CUDA's caching allocator hands out multiples of this.
constexpr std::int64_t kAllocationBytes = 512;

std::int64_t rounded(std::int64_t bytes)
{
    return (bytes + kAllocationBytes - 1) / kAllocationBytes * kAllocationBytes;
}

/// Bytes of a value that has a storage of its own: from the storage's first byte to the value's last.
std::int64_t allocatedBytes(const Value &value)
{
    const std::int64_t extent = extentBytes(value);
    return extent == 0 ? 0 : rounded(value.storageOffset * itemSize(value.dtype) + extent);
}

/// Whether PyTorch writes the result into a copy of the whole storage that the first argument lies in.
bool copiesStorage(std::string_view kind)
{
    constexpr std::array kKinds = {"copy", "slice_scatter", "select_scatter", "diagonal_scatter", "as_strided_scatter"};
    return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// Whether PyTorch leaves the mean or sum of a loss in the storage where the losses of all numbers were.
bool leavesLosses(std::string_view kind)
{
    constexpr std::array kKinds = {"mse_loss", "smooth_l1_loss", "binary_cross_entropy", "soft_margin_loss"};
    return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

/// Whether elements lie on each other, as in what was expanded: PyTorch makes a dense copy of such a tensor.
bool overlapsItself(const Value &value)
{
    for (std::size_t i = 0; i < value.sizes.size(); ++i) {
        if (value.sizes[i] > 1 && value.strides[i] == 0) return true;
    }
    return false;
}

std::string typeOf(const Value &value)
{
    std::string text = shortName(value.dtype);
    text += '[';
    for (std::size_t i = 0; i < value.sizes.size(); ++i)
        text.append(i == 0 ? "" : ",").append(std::to_string(value.sizes[i]));
    return text + "]";
}

std::string kindOf(const Node &node)
{
    constexpr std::string_view kAten = "aten::";
    return node.opName.rfind(kAten, 0) == 0 ? node.opName.substr(kAten.size()) : node.opName;
}

bool isCollective(const Node &node)
{
    return node.opName.rfind("_c10d_functional", 0) == 0 || node.opName.rfind("c10d", 0) == 0;
}

/// The tensors of an argument, "none" among them.
void forEachTensor(const NamedArgument &argument, auto use)
{
    if (const auto *one = std::get_if<ValueId>(&argument.value)) use(*one);
    if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value)) {
        for (const ValueId item : *list)
            use(item);
    }
}

class GraphBuilder
{
public:
    explicit GraphBuilder(Program &program) : m_program(program) {}

    Expected<Graph> build()
    {
        m_graph.name = m_program.name;
        for (Value &value : m_program.values)
            value.storage = StorageId();
        for (const ProgramInput &input : m_program.inputs)
            addStorage(input.value, input.kind);
        for (std::size_t i = 0; i < m_program.nodes.size(); ++i)
            addNode(NodeId(i));
        for (const ProgramOutput &output : m_program.outputs)
            addOutput(output);
        setForwardOps();
        if (!m_failure.empty()) return fail(m_failure);
        auto graph = finishGraph(std::move(m_graph));
        if (graph && !m_program.lacks.empty()) pairByFlow(*graph, gradientsOf(m_program));
        return graph;
    }

private:
    Value &value(ValueId id) { return m_program.values[id.index()]; }

    StorageId addStorage(ValueId id, StorageKind kind)
    {
        Storage storage;
        storage.name = value(id).name;
        storage.bytes = allocatedBytes(value(id));
        storage.kind = kind;
        storage.type = typeOf(value(id));
        value(id).storage = StorageId(m_graph.storages.size());
        m_graph.storages.push_back(std::move(storage));
        m_readBy.emplace_back();
        return value(id).storage;
    }

    void addRead(ValueId id, NodeId node, Op &op)
    {
        if (!id) return;
        const StorageId storage = value(id).storage;
        if (!storage) {
            m_failure =
                fmt::format("The node {} reads {} before it is made.", quotedName(op.name), quotedName(value(id).name));
        } else if (std::exchange(m_readBy[storage.index()], node) != node) {
            op.inputs.push_back(storage);
        }
    }

    /// The storage that a node does nothing but write into, where an op has made that; else none.
    StorageId sumOf(const Node &node, const Op &op) const
    {
        if (node.mutates.size() != 1 || !op.outputs.empty() || isCollective(node)) return {};
        for (const NamedArgument &argument : node.arguments) {
            const auto *written = std::get_if<ValueId>(&argument.value);
            if (argument.name != node.mutates.front() || !written || !*written) continue;
            const StorageId storage = m_program.value(*written).storage;
            if (storage && !isResident(m_graph.storage(storage).kind)) return storage;
        }
        return {};
    }

    void addNode(NodeId id)
    {
        Node &node = m_program.nodes[id.index()];
        node.op = OpId();
        Op op;
        op.name = node.name;
        for (const NamedArgument &argument : node.arguments) {
            forEachTensor(argument, [&](ValueId read) { addRead(read, id, op); });
        }
        for (const ValueId output : node.outputs) {
            if (!output) continue;
            if (const ValueId source = value(output).aliasOf)
                value(output).storage = value(source).storage;
            else
                op.outputs.push_back(addStorage(output, node.phase == Phase::Backward ? StorageKind::Gradient
                                                                                      : StorageKind::Activation));
        }
        if (op.outputs.empty() && node.mutates.empty()) return;
        op.kind = kindOf(node);
        growToStorage(node, op);
        op.phase = node.phase;
        op.module = node.module;
        op.moduleClass = node.moduleClass;
        op.sequence = node.sequence;
        op.random = node.random;
        op.into = sumOf(node, op);
        op.computeOnce = (!node.mutates.empty() && !op.into) || isCollective(node);
        op.source = node.source;
        op.node = id;
        node.op = OpId(m_graph.ops.size());
        m_graph.ops.push_back(std::move(op));
    }

    /// A result lies in a storage that goes on behind its values where that was made for the first argument.
    void growToStorage(const Node &node, const Op &op)
    {
        const auto *base = node.arguments.empty() ? nullptr : std::get_if<ValueId>(&node.arguments.front().value);
        if (!base || !*base || op.outputs.size() != 1 || overlapsItself(value(*base))) return;
        std::int64_t bytes = 0;
        if (copiesStorage(op.kind)) bytes = m_graph.storage(value(*base).storage).bytes;
        if (leavesLosses(op.kind)) bytes = rounded(extentBytes(value(*base)));
        Storage &made = m_graph.storages[op.outputs.front().index()];
        made.bytes = std::max(made.bytes, bytes);
    }

    void addOutput(const ProgramOutput &output)
    {
        const StorageId id = value(output.value).storage;
        Storage &storage = m_graph.storages[id.index()];
        storage.isOutput = true;
        if (output.kind == OutputKind::ParameterGradient && !isResident(storage.kind))
            storage.kind = StorageKind::ParameterGradient;
    }

    /// The op that stands for a forward node. One that only makes views is no op: the op that made what it shows does,
    /// or, for a view of an input, the first op that reads a view made by it.
    OpId opFor(const Node &node, const std::vector<OpId> &producers, const std::vector<OpId> &firstReaders)
    {
        if (node.op) return node.op;
        const auto made = std::find_if(node.outputs.begin(), node.outputs.end(), [](ValueId v) { return bool(v); });
        if (made == node.outputs.end()) return {};
        if (const OpId producer = producers[value(*made).storage.index()]) return producer;
        return firstReaders[made->index()];
    }

    /// Per value the first op that reads it or a view made from it.
    std::vector<OpId> firstReaders() const
    {
        std::vector<OpId> readers(m_program.values.size());
        const auto add = [&](ValueId read, OpId op) {
            if (op && (!readers[read.index()] || op < readers[read.index()])) readers[read.index()] = op;
        };
        for (const Node &node : m_program.nodes) {
            for (const NamedArgument &argument : node.arguments)
                forEachTensor(argument, [&](ValueId read) {
                    if (read) add(read, node.op);
                });
        }
        // A view stands after what it is made from.
        for (std::size_t i = readers.size(); i-- > 0;) {
            if (const ValueId source = m_program.values[i].aliasOf) add(source, readers[i]);
        }
        return readers;
    }

    void setForwardOps()
    {
        const std::vector<OpId> readers = firstReaders();
        std::vector<OpId> producers(m_graph.storages.size());
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
            for (const StorageId made : m_graph.ops[i].outputs)
                producers[made.index()] = OpId(i);
        }
        std::unordered_map<std::string_view, const Node *> nodes;
        for (const Node &node : m_program.nodes)
            nodes.emplace(node.name, &node);
        for (std::size_t i = 0; i < m_graph.ops.size() && m_failure.empty(); ++i) {
            Op &op = m_graph.ops[i];
            const std::string &name = m_program.nodes[op.node.index()].forwardNode;
            if (name.empty()) continue;
            const auto twin = nodes.find(name);
            if (twin == nodes.end()) {
                m_failure = fmt::format("The node {} names {} as its forward node; there is none.", quotedName(op.name),
                                        quotedName(name));
                return;
            }
            const OpId forward = opFor(*twin->second, producers, readers);
            // A view of a gradient's storage, or a reader in the backward pass, stands for no forward op.
            if (forward && forward.index() < i && m_graph.op(forward).phase != Phase::Backward) op.forwardOp = forward;
        }
    }

    Program &m_program;
    Graph m_graph;
    std::vector<NodeId> m_readBy; ///< per storage: the last node that reads it
    std::string m_failure;
};

} // namespace

Expected<Graph> buildGraph(Program &program)
{
    return GraphBuilder(program).build();
}

} // namespace remat
