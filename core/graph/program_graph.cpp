#include "core/graph/program_graph.h"

#include <algorithm>
#include <unordered_map>

namespace remat {

namespace {

/// CUDA's caching allocator hands out multiples of this.
constexpr std::int64_t kAllocationBytes = 512;

std::int64_t allocatedBytes(const Value &value)
{
    return (extentBytes(value) + kAllocationBytes - 1) / kAllocationBytes * kAllocationBytes;
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
        return finishGraph(std::move(m_graph));
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
        return value(id).storage;
    }

    void addRead(ValueId id, Op &op)
    {
        if (!id) return;
        const StorageId storage = value(id).storage;
        if (!storage) {
            m_failure = "The node " + op.name + " reads " + value(id).name + " before it is made.";
        } else if (std::find(op.inputs.begin(), op.inputs.end(), storage) == op.inputs.end()) {
            op.inputs.push_back(storage);
        }
    }

    void addNode(NodeId id)
    {
        Node &node = m_program.nodes[id.index()];
        node.op = OpId();
        Op op;
        op.name = node.name;
        for (const NamedArgument &argument : node.arguments) {
            if (const auto *one = std::get_if<ValueId>(&argument.value)) addRead(*one, op);
            if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value)) {
                for (const ValueId item : *list)
                    addRead(item, op);
            }
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
        op.phase = node.phase;
        op.module = node.module;
        op.moduleClass = node.moduleClass;
        op.sequence = node.sequence;
        op.random = node.random;
        op.computeOnce = !node.mutates.empty() || isCollective(node);
        op.source = node.source;
        op.node = id;
        node.op = OpId(m_graph.ops.size());
        m_graph.ops.push_back(std::move(op));
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
    OpId opFor(const Node &node, const std::vector<OpId> &producers)
    {
        if (node.op) return node.op;
        const auto made = std::find_if(node.outputs.begin(), node.outputs.end(), [](ValueId v) { return bool(v); });
        if (made == node.outputs.end()) return {};
        if (const OpId producer = producers[value(*made).storage.index()]) return producer;
        const auto shows = [&](ValueId v) {
            while (v && v != *made)
                v = value(v).aliasOf;
            return bool(v);
        };
        const auto reads = [&](const NamedArgument &argument) {
            if (const auto *one = std::get_if<ValueId>(&argument.value)) return *one && shows(*one);
            const auto *list = std::get_if<std::vector<ValueId>>(&argument.value);
            return list && std::any_of(list->begin(), list->end(), shows);
        };
        for (const Node &reader : m_program.nodes) {
            if (reader.op && std::any_of(reader.arguments.begin(), reader.arguments.end(), reads)) return reader.op;
        }
        return {};
    }

    void setForwardOps()
    {
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
                m_failure = "The node " + op.name + " names \"" + name + "\" as its forward node; there is none.";
                return;
            }
            const OpId forward = opFor(*twin->second, producers);
            // A view of a gradient's storage, or a reader in the backward pass, stands for no forward op.
            if (forward && forward.index() < i && m_graph.op(forward).phase != Phase::Backward) op.forwardOp = forward;
        }
    }

    Program &m_program;
    Graph m_graph;
    std::string m_failure;
};

} // namespace

Expected<Graph> buildGraph(Program &program)
{
    return GraphBuilder(program).build();
}

} // namespace remat
