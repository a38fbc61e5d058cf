#include "solvers/mincut/fx_graph.h"

#include "solvers/mincut/operators.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace remat::mincut {

namespace {

constexpr const char *kCpuAttention = "aten::_scaled_dot_product_flash_attention_for_cpu";
constexpr const char *kGpuAttention = "aten::_scaled_dot_product_flash_attention";

/// Elements × item size; views that repeat elements may name more than fits into a number.
std::int64_t valueBytes(const Value &value)
{
    constexpr std::int64_t kMost = std::int64_t(1) << 56;
    const std::int64_t item = itemSize(value.dtype);
    return std::min(elementCount(value), kMost / item) * item;
}

void connect(FxGraph &graph, int from, int to)
{
    std::vector<int> &arguments = graph.nodes[to].arguments;
    if (std::find(arguments.begin(), arguments.end(), from) != arguments.end()) return;
    arguments.push_back(from);
    graph.nodes[from].users.push_back(to);
}

int addNode(FxGraph &graph, FxNode node)
{
    graph.nodes.push_back(std::move(node));
    return static_cast<int>(graph.nodes.size()) - 1;
}

/// Which outputs end the forward pass and which the backward pass.
struct Ends {
    std::vector<int> forward, backward;
};

/// Leaves out what nobody reads, again and again.
void removeDeadCode(FxGraph &graph, Ends &ends)
{
    const int count = static_cast<int>(graph.nodes.size());
    std::vector<int> readers(count, 0);
    for (int i = 0; i < count; ++i)
        readers[i] = static_cast<int>(graph.nodes[i].users.size());
    std::vector<int> place(count, 0);
    for (int i = count; i-- > 0;) {
        const FxNode &node = graph.nodes[i];
        const bool stays =
            readers[i] > 0 || node.sideEffects || node.kind == FxKind::Placeholder || node.kind == FxKind::Output;
        place[i] = stays ? 0 : -1;
        if (stays) continue;
        for (const int argument : node.arguments)
            --readers[argument];
    }
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (place[i] == 0) place[i] = kept++;
    const auto renumber = [&](std::vector<int> &list) {
        std::erase_if(list, [&](int i) { return place[i] < 0; });
        for (int &i : list)
            i = place[i];
    };
    for (int i = 0; i < count; ++i) {
        if (place[i] < 0) continue;
        FxNode node = std::move(graph.nodes[i]);
        renumber(node.arguments);
        renumber(node.positional);
        renumber(node.users);
        graph.nodes[place[i]] = std::move(node);
    }
    graph.nodes.resize(kept);
    renumber(graph.primals);
    renumber(ends.forward);
    renumber(ends.backward);
}

void markBackward(FxGraph &graph, const Ends &ends)
{
    for (FxNode &node : graph.nodes) {
        if (node.mustBeInBackward) node.gradientClosure = true;
        if (!node.gradientClosure) continue;
        for (const int user : node.users)
            graph.nodes[user].gradientClosure = true;
    }
    for (FxNode &node : graph.nodes)
        node.requiredBackward = node.gradientClosure;
    for (const int end : ends.backward)
        graph.nodes[end].requiredBackward = true;
}

/// What can be computed from the primals alone and is read on the way to the forward outputs.
void markForward(FxGraph &graph, const Ends &ends)
{
    const int count = static_cast<int>(graph.nodes.size());
    std::vector<char> possible(count, 0), wanted(count, 0);
    for (int i = 0; i < count; ++i) {
        const FxNode &node = graph.nodes[i];
        if (node.kind == FxKind::Output || node.mustBeInBackward) continue;
        possible[i] = node.kind == FxKind::Placeholder
                          ? node.primal
                          : std::all_of(node.arguments.begin(), node.arguments.end(),
                                        [&](int argument) { return possible[argument] != 0; });
    }
    for (const int end : ends.forward)
        wanted[end] = 1;
    for (int i = count; i-- > 0;) {
        FxNode &node = graph.nodes[i];
        if (!possible[i] || (!wanted[i] && !node.sideEffects && !node.primal)) continue;
        node.requiredForward = true;
        for (const int argument : node.arguments)
            wanted[argument] = 1;
    }
    int order = 0;
    for (FxNode &node : graph.nodes)
        if (node.requiredForward) node.forwardOrder = order++;
    for (int i = count; i-- > 0;) {
        FxNode &node = graph.nodes[i];
        node.distance = node.kind == FxKind::Output || node.requiredForward ? kFarFromBackward : 0;
        if (!node.requiredForward) continue;
        for (const int user : node.users)
            node.distance = std::min(node.distance, graph.nodes[user].distance + 1);
    }
}

FxGraph finish(FxGraph graph, Ends ends)
{
    FxNode output;
    output.kind = FxKind::Output;
    const int end = addNode(graph, output);
    for (const int i : ends.forward)
        connect(graph, i, end);
    for (const int i : ends.backward)
        connect(graph, i, end);
    removeDeadCode(graph, ends);
    markBackward(graph, ends);
    markForward(graph, ends);
    return graph;
}

class FromProgram
{
public:
    FromProgram(const Program &program, const CostTable &costs, const FxSettings &settings)
        : m_program(program), m_costs(costs), m_settings(settings), m_nodeOf(program.values.size(), -1)
    {
    }

    FxGraph build()
    {
        for (const ProgramInput &input : m_program.inputs) {
            FxNode node = valueNode(input.value, FxKind::Placeholder);
            node.primal = true;
            node.free = input.kind != StorageKind::Input;
            m_fx.primals.push_back(add(input.value, std::move(node)));
        }
        for (const ProgramOutput &output : m_program.outputs)
            if (output.kind == OutputKind::Loss) m_losses.insert(output.value.value);
        for (const Node &node : m_program.nodes)
            addCall(node);
        Ends ends;
        for (const ProgramOutput &output : m_program.outputs) {
            const bool backward =
                output.kind == OutputKind::ParameterGradient || output.kind == OutputKind::InputGradient;
            (backward ? ends.backward : ends.forward).push_back(m_nodeOf[output.value.index()]);
        }
        return finish(std::move(m_fx), std::move(ends));
    }

private:
    FxNode valueNode(ValueId id, FxKind kind) const
    {
        const Value &value = m_program.value(id);
        FxNode node;
        node.kind = kind;
        node.bytes = valueBytes(value);
        node.storage = value.storage;
        return node;
    }

    int add(ValueId value, FxNode node) { return m_nodeOf[value.index()] = addNode(m_fx, std::move(node)); }

    static std::vector<ValueId> tensors(const NamedArgument &argument)
    {
        if (const auto *one = std::get_if<ValueId>(&argument.value)) return {*one};
        if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value)) return *list;
        return {};
    }

    bool isIncomingGradient(const Node &node) const
    {
        return node.phase == Phase::Backward && node.opName == "aten::ones_like" && !node.arguments.empty() &&
               std::holds_alternative<ValueId>(node.arguments[0].value) &&
               m_losses.count(std::get<ValueId>(node.arguments[0].value).value) > 0;
    }

    double runtimeOf(const Node &call, const std::string &opName) const
    {
        if (m_settings.runtime == Runtime::Costs) return call.op ? m_costs.time(call.op) : 0;
        // PyTorch's counter has no formula for the CPU's attention kernel.
        if (opName == kCpuAttention) return 1;
        return std::max(nodeFlops(m_program, call), 1.0);
    }

    void addCall(const Node &call)
    {
        const bool single = call.outputs.size() == 1 && !call.listOutput && call.outputs[0];
        if (single && isIncomingGradient(call)) {
            FxNode node = valueNode(call.outputs[0], FxKind::Placeholder);
            node.gradientClosure = true;
            add(call.outputs[0], std::move(node));
            return;
        }
        const std::string opName =
            m_settings.gpuAttention && call.opName == kCpuAttention ? kGpuAttention : call.opName;
        FxNode node = single ? valueNode(call.outputs[0], FxKind::Call) : FxNode();
        node.tuple = !single;
        node.classes = operatorClasses(opName);
        node.sideEffects = call.random || !call.mutates.empty();
        node.mustBeInBackward = !call.mutates.empty() && call.phase == Phase::Backward;
        node.collective = opName.rfind("_c10d_functional::", 0) == 0;
        node.runtime = runtimeOf(call, opName);
        if (!single) {
            for (const ValueId output : call.outputs)
                if (output) node.bytes += valueBytes(m_program.value(output));
        }
        for (const NamedArgument &argument : call.arguments) {
            const auto *one = std::get_if<ValueId>(&argument.value);
            if (one && *one && !argument.keyword) node.positional.push_back(m_nodeOf[one->index()]);
        }
        const int index = addNode(m_fx, std::move(node));
        for (const NamedArgument &argument : call.arguments)
            for (const ValueId value : tensors(argument))
                if (value) connect(m_fx, m_nodeOf[value.index()], index);
        if (single) {
            m_nodeOf[call.outputs[0].index()] = index;
            return;
        }
        for (const ValueId output : call.outputs) {
            if (!output) continue;
            FxNode item = valueNode(output, FxKind::GetItem);
            item.classes = kRecomputable;
            item.positional.push_back(index);
            connect(m_fx, index, add(output, std::move(item)));
        }
    }

    const Program &m_program;
    const CostTable &m_costs;
    const FxSettings m_settings;
    FxGraph m_fx;
    std::vector<int> m_nodeOf; ///< per value
    std::unordered_set<std::int32_t> m_losses;
};

class FromGraph
{
public:
    FromGraph(const Graph &graph, const CostTable &costs)
        : m_graph(graph), m_costs(costs), m_nodeOf(graph.storages.size(), -1)
    {
    }

    FxGraph build()
    {
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s) {
            if (m_graph.planned(StorageId(s))) continue;
            FxNode node = storageNode(StorageId(s), FxKind::Placeholder);
            node.primal = true;
            node.free = m_graph.storages[s].kind != StorageKind::Input;
            m_nodeOf[s] = addNode(m_fx, std::move(node));
            m_fx.primals.push_back(m_nodeOf[s]);
        }
        Ends ends;
        for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
            addOp(OpId(i));
        for (std::size_t s = 0; s < m_graph.storages.size(); ++s) {
            if (!m_graph.storages[s].isOutput) continue;
            const bool backward =
                m_graph.storages[s].producer && m_graph.op(m_graph.storages[s].producer).phase == Phase::Backward;
            (backward ? ends.backward : ends.forward).push_back(m_nodeOf[s]);
        }
        return finish(std::move(m_fx), std::move(ends));
    }

private:
    FxNode storageNode(StorageId id, FxKind kind) const
    {
        FxNode node;
        node.kind = kind;
        node.bytes = m_graph.storage(id).bytes;
        node.storage = id;
        return node;
    }

    void addOp(OpId id)
    {
        const Op &op = m_graph.op(id);
        const bool single = op.outputs.size() == 1;
        FxNode node = single ? storageNode(op.outputs[0], FxKind::Call) : FxNode();
        node.tuple = !single;
        node.classes = operatorClasses("aten::" + op.kind);
        node.sideEffects = op.random || op.computeOnce;
        node.gradientClosure = op.phase == Phase::Backward;
        node.collective = op.computeOnce;
        node.runtime = m_costs.time(id);
        if (!single)
            for (const StorageId output : op.outputs)
                node.bytes += m_graph.storage(output).bytes;
        for (const StorageId input : op.inputs)
            node.positional.push_back(m_nodeOf[input.index()]);
        const int index = addNode(m_fx, std::move(node));
        for (const StorageId input : op.inputs)
            connect(m_fx, m_nodeOf[input.index()], index);
        for (const StorageId output : op.outputs) {
            if (single) {
                m_nodeOf[output.index()] = index;
                continue;
            }
            FxNode item = storageNode(output, FxKind::GetItem);
            item.classes = kRecomputable;
            item.positional.push_back(index);
            m_nodeOf[output.index()] = addNode(m_fx, std::move(item));
            connect(m_fx, index, m_nodeOf[output.index()]);
        }
    }

    const Graph &m_graph;
    const CostTable &m_costs;
    FxGraph m_fx;
    std::vector<int> m_nodeOf; ///< per storage
};

} // namespace

FxGraph fxGraph(const Program &program, const CostTable &costs, const FxSettings &settings)
{
    return FromProgram(program, costs, settings).build();
}

FxGraph fxGraph(const Graph &graph, const CostTable &costs)
{
    return FromGraph(graph, costs).build();
}

} // namespace remat::mincut
