// SPDX-License-Identifier: Apache-2.0
// A plan as straight-line PyTorch code.
#include "core/base/memory_units.h"
#include "core/exports/exporter.h"

#include "core/chunk/rewrite.h"
#include "core/exports/python_literals.h"
#include "core/exports/python_loops.h"
#include "core/exports/quoted.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>
#include <unordered_map>

namespace remat {

namespace {

using python::identifier;

class PythonWriter
{
public:
    explicit PythonWriter(const ExportInput &input)
        : m_input(input),
          m_graph(input.model.graph),
          m_program(*input.model.program),
          m_names(m_program.values.size()),
          m_live(m_program.values.size(), false),
          m_producer(m_program.values.size()),
          m_valuesOf(m_graph.storages.size()),
          m_base(m_graph.storages.size()),
          m_hostNames(m_graph.storages.size()),
          m_hostCopy(m_graph.storages.size(), false)
    {
        for (std::size_t i = 0; i < m_program.values.size(); ++i) {
            m_names[i] = unique(identifier(m_program.values[i].name));
            const Value &value = m_program.values[i];
            if (!value.storage) continue;
            m_valuesOf[value.storage.index()].push_back(ValueId(i));
            if (!value.aliasOf) m_base[value.storage.index()] = ValueId(i);
        }
        for (std::size_t i = 0; i < m_program.nodes.size(); ++i)
            for (const ValueId output : m_program.nodes[i].outputs)
                if (output) m_producer[output.index()] = NodeId(i);
    }

    Expected<std::string> write()
    {
        if (auto written = checkNames(); !written) return tl::unexpected(written.error());
        writeHead();
        writeExampleInputs();
        writeRealInputs();
        writeStep();
        return m_text;
    }

private:
    /// The name, with a number behind it where it is taken.
    std::string unique(const std::string &wanted)
    {
        std::string name = wanted;
        for (int &next = m_taken.try_emplace(wanted, 2).first->second; !m_given.insert(name).second; ++next)
            name = fmt::format("{}_{}", wanted, next);
        return name;
    }

    /// What calls are made of stands in the code as it is in the file, so it must be names.
    Expected<void> checkNames()
    {
        for (const Node &node : m_program.nodes) {
            if (!python::operatorName(node.opName, node.overload))
                return fail("The op {} calls {}{}, which is no operator that code from a trace may call. "
                            "Trace the model again.",
                            node.name, node.opName, node.overload.empty() ? "" : "." + node.overload);
            for (const NamedArgument &argument : node.arguments)
                if (argument.keyword && !python::isName(argument.name))
                    return fail(
                        fmt::format("The op {} has an argument {}, which is no name in Python. Trace the model again.",
                                    node.name, argument.name));
        }
        return {};
    }

    const std::string &name(ValueId value) const { return m_names[value.index()]; }
    void line(const std::string &text) { m_text += fmt::format("    {}\n", text); }

    void writeHead()
    {
        const Prediction &predicted = m_input.plan.predicted;
        m_text += fmt::format("\"\"\"One training step of {} under a memory budget.\n\n", inDocstring(m_graph.name));
        m_text += "Peak of dynamic memory " + formatMemory(predicted.peakBytes);
        if (predicted.keepAllPeakBytes > 0)
            m_text += fmt::format(" (keep-all {})", formatMemory(predicted.keepAllPeakBytes));
        m_text += fmt::format(", made by the planner {}.\n", inDocstring(m_input.plan.origin.solver));
        m_text += fmt::format("Graph {}, traced with PyTorch {}.\n\n", inDocstring(m_graph.fingerprint),
                              inDocstring(m_program.torchVersion));
        m_text +=
            "    inputs = example_inputs(\"cuda\")                # random values of the right shapes; over them\n"
            "    inputs |= traced_inputs(\"model.pt2\", \"cuda\")  # what the trace holds, constants for one, and\n"
            "    inputs |= model_inputs(model, \"cuda\")         # what the model holds now; your batch comes last\n"
            "    results = step(inputs, device=\"cuda\")         # loss, gradients, new buffer values\n"
            "\"\"\"\n\nimport torch\n\n\n";
        m_text += "def draw(device, seed, number):\n"
                  "    \"\"\"Every random op starts from a state of its own, so that computed again it draws the same "
                  "bits.\"\"\"\n"
                  "    mask = 2**64 - 1\n"
                  "    z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & mask\n"
                  "    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask\n"
                  "    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask\n"
                  "    z ^= z >> 31\n"
                  "    if torch.device(device).type == \"cuda\":\n"
                  "        torch.cuda.manual_seed(z)\n"
                  "    else:\n"
                  "        torch.random.default_generator.manual_seed(z)\n\n\n";
    }

    std::string inputKey(const ProgramInput &input) const
    {
        return pythonQuoted(input.fqn.empty() ? m_program.value(input.value).name : input.fqn);
    }

    void writeExampleInputs()
    {
        m_text += "def example_inputs(device=\"cpu\", seed=0):\n"
                  "    \"\"\"Random parameters, buffers and inputs by name.\"\"\"\n"
                  "    generator = torch.Generator(device).manual_seed(seed)\n"
                  "    inputs = {}\n";
        for (const ProgramInput &input : m_program.inputs) {
            const Value &value = m_program.value(input.value);
            const std::string key = fmt::format("inputs[{}]", inputKey(input));
            const std::string shape = fmt::format("{}, {}", python::tuple(value.sizes), python::tuple(value.strides));
            line(fmt::format("{} = torch.empty_strided({}, dtype={}, device=device)", key, shape,
                             python::dtype(value.dtype)));
            if (input.recipe.integerRange) {
                const auto [from, to] = *input.recipe.integerRange;
                line(fmt::format("{}.random_({}, {}, generator=generator)", key, from, std::max(to, from + 1)));
                continue;
            }
            const bool real = value.dtype == DType::Float16 || value.dtype == DType::BFloat16 ||
                              value.dtype == DType::Float32 || value.dtype == DType::Float64;
            if (!real) {
                line(key + ".zero_()");
                continue;
            }
            line(fmt::format("{}.normal_({}, {}, generator=generator)", key, python::number(input.recipe.mean),
                             python::number(input.recipe.std)));
            if (input.recipe.min || input.recipe.max)
                line(fmt::format("{}.clamp_({}, {})", key,
                                 input.recipe.min ? python::number(*input.recipe.min) : "None",
                                 input.recipe.max ? python::number(*input.recipe.max) : "None"));
        }
        m_text += "    return inputs\n\n\n";
    }

    void writeRealInputs()
    {
        m_text += "def traced_inputs(path, device=\"cpu\"):\n"
                  "    \"\"\"Parameters, buffers and constants by name, as far as the trace holds their values.\"\"\"\n"
                  "    program = torch.export.load(path)\n"
                  "    held = {**program.state_dict, **program.constants}\n"
                  "    names = [\n";
        for (const ProgramInput &input : m_program.inputs)
            if (!input.archivePath.empty()) line(fmt::format("    {},", inputKey(input)));
        m_text += "    ]\n"
                  "    return {name: held[name].detach().to(device) for name in names}\n\n\n"
                  "def model_inputs(model, device=\"cpu\"):\n"
                  "    \"\"\"Parameters and buffers of the model that was traced, as they are now.\"\"\"\n"
                  "    named = {**dict(model.named_parameters()), **dict(model.named_buffers())}\n"
                  "    return {name: tensor.detach().to(device) for name, tensor in named.items()}\n\n\n";
    }

    void writeStep()
    {
        m_text +=
            "def step(inputs, device=\"cpu\", seed=None):\n"
            "    \"\"\"Loss, gradients, new buffer values and other outputs.\n\n"
            "    Random ops draw by the seed, or else by the next number of PyTorch's generator, whose state is left "
            "as it was.\n"
            "    \"\"\"\n"
            "    if seed is None:\n"
            "        seed = int(torch.randint(2**63 - 1, ()))\n"
            "    devices = [device] if torch.device(device).type == \"cuda\" else []\n"
            "    with torch.no_grad(), torch.random.fork_rng(devices):\n"
            "        return run_plan(inputs, device, seed)\n\n\n"
            "def run_plan(inputs, device, seed):\n";
        const std::size_t begin = m_text.size();
        const std::vector<char> onHost = beginsOnHost(plannedGraph(), m_input.plan.steps);
        for (const ProgramInput &input : m_program.inputs) {
            const StorageId storage = m_program.value(input.value).storage;
            if (storage && onHost[storage.index()]) {
                line(fmt::format("{} = inputs[{}].cpu()", host(storage), inputKey(input)));
                m_hostCopy[storage.index()] = true;
                continue;
            }
            line(fmt::format("{} = inputs[{}]", name(input.value), inputKey(input)));
            m_live[input.value.index()] = true;
        }
        for (const Step &each : m_input.plan.steps) {
            if (each.kind == StepKind::Compute)
                compute(each.op);
            else if (each.kind == StepKind::Free)
                free(each.storage);
            else if (each.kind == StepKind::Offload)
                offload(each.storage);
            else
                prefetch(each.storage);
        }
        writeResults();
        rollUp(begin);
    }

    /// Chunks that do alike become turns of a loop.
    void rollUp(std::size_t begin)
    {
        std::unordered_map<std::string, python::PieceName> pieces;
        for (std::size_t i = 0; i < m_program.values.size(); ++i)
            if (const auto [whole, chunk] = chunkOf(m_program.values[i].name); chunk >= 0) {
                // A second value of the same piece, `view#3_2`, is a piece of another one.
                const std::string behind = m_program.values[i].name.substr(whole.size() + 1);
                const std::size_t end = std::min(behind.find_first_not_of("0123456789"), behind.size());
                pieces.emplace(m_names[i], python::PieceName{identifier(whole + behind.substr(end)), chunk});
            }
        if (pieces.empty()) return;
        std::vector<std::string> lines;
        for (std::size_t at = begin; at < m_text.size();) {
            const std::size_t end = m_text.find('\n', at);
            lines.push_back(m_text.substr(at, end - at));
            at = end + 1;
        }
        m_text.resize(begin);
        for (const std::string &each :
             python::withLoops(lines, pieces, [this](const std::string &wanted) { return unique(wanted); }))
            m_text += each + "\n";
    }

    Graph plannedGraph() const { return m_input.plan.parametersPlanned ? withPlannedParameters(m_graph) : m_graph; }

    const std::string &host(StorageId storage)
    {
        std::string &name = m_hostNames[storage.index()];
        if (name.empty()) name = unique(m_names[m_base[storage.index()].index()] + "_on_host");
        return name;
    }

    /// Makes the views that lead to a value; everything with storage of its own is there, as the checker says.
    void makeReady(ValueId wanted)
    {
        // A stack of its own: views of views may be many thousands deep.
        struct Missing {
            ValueId value;
            bool prepared = false; ///< what it is made from has been made
        };
        std::vector<Missing> missing = {{wanted}};
        const auto want = [&](ValueId value) {
            if (value && !m_live[value.index()]) missing.push_back({value});
        };
        while (!missing.empty()) {
            const auto [at, prepared] = missing.back();
            const NodeId producer = m_producer[at.index()];
            if (m_live[at.index()] || !producer) {
                missing.pop_back();
                continue;
            }
            const Node &node = m_program.nodes[producer.index()];
            const ValueId source = m_program.value(at).aliasOf;
            if (!prepared) {
                missing.back().prepared = true;
                if (!node.op) {
                    for (auto argument = node.arguments.rbegin(); argument != node.arguments.rend(); ++argument)
                        if (const auto *read = std::get_if<ValueId>(&argument->value)) want(*read);
                }
                want(source);
                continue;
            }
            missing.pop_back();
            if (node.op) {
                // An operator that writes in place returns the tensor it wrote to.
                line(fmt::format("{} = {}", name(at), name(source)));
                m_live[at.index()] = true;
            } else {
                call(producer);
            }
        }
    }

    std::string reference(ValueId value) const { return value ? name(value) : std::string("None"); }

    std::string argumentText(const Argument &argument) const
    {
        if (const auto *value = std::get_if<ValueId>(&argument)) return reference(*value);
        if (const auto *values = std::get_if<std::vector<ValueId>>(&argument)) {
            std::string text = "[";
            for (const ValueId value : *values)
                text += (text.size() > 1 ? ", " : "") + reference(value);
            return text + "]";
        }
        return python::literal(argument);
    }

    std::string callText(const Node &node) const
    {
        std::string arguments;
        for (const NamedArgument &argument : node.arguments) {
            if (!arguments.empty()) arguments += ", ";
            if (argument.keyword) arguments += argument.name + "=";
            arguments += argumentText(argument.value);
        }
        return fmt::format("{}({})", *python::operatorName(node.opName, node.overload), arguments);
    }

    /// Runs a node. An output that is still there keeps the copy it has.
    void call(NodeId id)
    {
        const Node &node = m_program.nodes[id.index()];
        std::vector<std::string> dropped;
        const auto target = [&](ValueId output) -> std::string {
            const bool second = output && m_live[output.index()] && !m_program.value(output).aliasOf;
            if (output && !second) {
                m_live[output.index()] = true;
                return name(output);
            }
            if (dropped.size() == m_unused.size()) m_unused.push_back(unique("unused"));
            dropped.push_back(m_unused[dropped.size()]);
            return dropped.back();
        };
        std::string left;
        if (node.listOutput || node.outputs.size() > 1) {
            for (const ValueId output : node.outputs)
                left += target(output) + ", ";
            left.resize(left.size() - (node.outputs.size() > 1 ? 2 : 1));
        } else if (node.outputs.size() == 1) {
            left = target(node.outputs.front());
        }
        line(left.empty() ? callText(node) : fmt::format("{} = {}", left, callText(node)));
        if (!dropped.empty()) {
            std::string names;
            for (const std::string &each : dropped)
                names += (names.empty() ? "" : ", ") + each;
            line("del " + names);
        }
    }

    void compute(OpId op)
    {
        const NodeId id = m_graph.op(op).node;
        const Node &node = m_program.nodes[id.index()];
        for (const NamedArgument &argument : node.arguments) {
            if (const auto *one = std::get_if<ValueId>(&argument.value)) {
                if (*one) makeReady(*one);
            } else if (const auto *values = std::get_if<std::vector<ValueId>>(&argument.value)) {
                for (const ValueId value : *values)
                    if (value) makeReady(value);
            }
        }
        if (node.random) line(fmt::format("draw(device, seed, {})", id.index()));
        call(id);
    }

    void free(StorageId storage)
    {
        std::string names;
        for (const ValueId value : m_valuesOf[storage.index()]) {
            if (!m_live[value.index()]) continue;
            names += (names.empty() ? "" : ", ") + name(value);
            m_live[value.index()] = false;
        }
        if (!names.empty()) line("del " + names);
    }

    void offload(StorageId storage)
    {
        if (m_hostCopy[storage.index()]) return; // a parameter: the copy in host memory is whole at all times
        line(fmt::format("{} = {}.to(\"cpu\", copy=True)", host(storage), name(m_base[storage.index()])));
        m_hostCopy[storage.index()] = true;
    }

    void prefetch(StorageId storage)
    {
        const ValueId base = m_base[storage.index()];
        line(fmt::format("{} = {}.to(device, copy=True)", name(base), host(storage)));
        m_live[base.index()] = true;
        if (isResident(m_graph.storage(storage).kind)) return;
        line("del " + host(storage));
        m_hostCopy[storage.index()] = false;
    }

    void writeResults()
    {
        for (const ProgramOutput &output : m_program.outputs)
            if (output.value) makeReady(output.value);
        const auto group = [this](const char *key, OutputKind kind) {
            std::string text;
            for (const ProgramOutput &output : m_program.outputs)
                if (output.kind == kind && output.value)
                    text += fmt::format(
                        "            {}: {},\n",
                        pythonQuoted(output.target.empty() ? m_program.value(output.value).name : output.target),
                        name(output.value));
            m_text +=
                fmt::format("        \"{}\": {{{}}},\n", key, text.empty() ? "" : fmt::format("\n{}        ", text));
        };
        m_text += "    return {\n";
        const auto loss = std::find_if(m_program.outputs.begin(), m_program.outputs.end(),
                                       [](const ProgramOutput &output) { return output.kind == OutputKind::Loss; });
        m_text += fmt::format("        \"loss\": {},\n",
                              loss == m_program.outputs.end() ? std::string("None") : reference(loss->value));
        group("gradients", OutputKind::ParameterGradient);
        group("input_gradients", OutputKind::InputGradient);
        group("buffers", OutputKind::BufferMutation);
        group("other", OutputKind::Other);
        m_text += "    }\n";
    }

    const ExportInput &m_input;
    const Graph &m_graph;
    const Program &m_program;
    std::set<std::string> m_given;      ///< names that are bound somewhere
    std::map<std::string, int> m_taken; ///< by name, the number to try next
    std::vector<std::string> m_names;   ///< per value
    std::vector<std::string> m_unused;
    std::vector<bool> m_live;       ///< per value: the name is bound
    std::vector<NodeId> m_producer; ///< per value
    std::vector<std::vector<ValueId>> m_valuesOf;
    std::vector<ValueId> m_base;          ///< per storage, the value it was made as
    std::vector<std::string> m_hostNames; ///< per storage; empty until it is offloaded
    std::vector<bool> m_hostCopy;
    std::string m_text;
};

/// Straight-line PyTorch code that computes, frees, and moves as the plan says, for traces from PyTorch only. Random
/// ops draw what `remat validate` draws.
Expected<std::string> pythonOfPlan(const ExportInput &input)
{
    if (!input.model.program)
        return fail(input.model.graph.name +
                    " is a graph without operators, so there is no code to write. Open the trace (.pt2) it was made "
                    "from, or export the plan in another form.");
    if (!input.model.eager.batch.empty())
        return fail(input.model.graph.name +
                    " is the graph of one batch with these weights, and the code would go its way with others, too. "
                    "Train with torch.compile(step, backend=\"remat\"), or export the plan in a form for training.");
    return PythonWriter(input).write();
}

} // namespace

namespace exporter {

const ExportFormat &python()
{
    static const ExportFormat format = {
        .name = "python",
        .title = "Python code",
        .order = 10,
        .suffix = "py",
        .sentence = "PyTorch code that runs the plan step by step; only for traces from PyTorch",
        .write = pythonOfPlan,
        .needsOperators = true,
    };
    return format;
}

} // namespace exporter

} // namespace remat
