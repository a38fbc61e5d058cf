// SPDX-License-Identifier: Apache-2.0
// A plan as straight-line PyTorch code.
#include "core/base/memory_units.h"
#include "core/exports/exporter.h"

#include "core/chunk/rewrite.h"
#include "core/exports/python_literals.h"
#include "core/exports/python_loops.h"
#include "core/exports/quoted.h"

#include <algorithm>
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
            name = wanted + "_" + std::to_string(next);
        return name;
    }

    /// What calls are made of stands in the code as it is in the file, so it must be names.
    Expected<void> checkNames()
    {
        for (const Node &node : m_program.nodes) {
            if (!python::operatorName(node.opName, node.overload))
                return fail("The op " + node.name + " calls " + node.opName +
                            (node.overload.empty() ? "" : "." + node.overload) +
                            ", which is no operator that code from a trace may call. Trace the model again.");
            for (const NamedArgument &argument : node.arguments)
                if (argument.keyword && !python::isName(argument.name))
                    return fail("The op " + node.name + " has an argument " + argument.name +
                                ", which is no name in Python. Trace the model again.");
        }
        return {};
    }

    const std::string &name(ValueId value) const { return m_names[value.index()]; }
    void line(const std::string &text) { m_text += "    " + text + "\n"; }

    void writeHead()
    {
        const Prediction &predicted = m_input.plan.predicted;
        m_text += "\"\"\"One training step of " + inDocstring(m_graph.name) + " under a memory budget.\n\n";
        m_text += "Peak of dynamic memory " + formatMemory(predicted.peakBytes);
        if (predicted.keepAllPeakBytes > 0) m_text += " (keep-all " + formatMemory(predicted.keepAllPeakBytes) + ")";
        m_text += ", made by the planner " + inDocstring(m_input.plan.origin.solver) + ".\n";
        m_text += "Graph " + inDocstring(m_graph.fingerprint) + ", traced with PyTorch " +
                  inDocstring(m_program.torchVersion) + ".\n\n";
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
            const std::string key = "inputs[" + inputKey(input) + "]";
            const std::string shape = python::tuple(value.sizes) + ", " + python::tuple(value.strides);
            line(key + " = torch.empty_strided(" + shape + ", dtype=" + python::dtype(value.dtype) +
                 ", device=device)");
            if (input.recipe.integerRange) {
                const auto [from, to] = *input.recipe.integerRange;
                line(key + ".random_(" + std::to_string(from) + ", " + std::to_string(std::max(to, from + 1)) +
                     ", generator=generator)");
                continue;
            }
            const bool real = value.dtype == DType::Float16 || value.dtype == DType::BFloat16 ||
                              value.dtype == DType::Float32 || value.dtype == DType::Float64;
            if (!real) {
                line(key + ".zero_()");
                continue;
            }
            line(key + ".normal_(" + python::number(input.recipe.mean) + ", " + python::number(input.recipe.std) +
                 ", generator=generator)");
            if (input.recipe.min || input.recipe.max)
                line(key + ".clamp_(" + (input.recipe.min ? python::number(*input.recipe.min) : "None") + ", " +
                     (input.recipe.max ? python::number(*input.recipe.max) : "None") + ")");
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
            if (!input.archivePath.empty()) line("    " + inputKey(input) + ",");
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
                line(host(storage) + " = inputs[" + inputKey(input) + "].cpu()");
                m_hostCopy[storage.index()] = true;
                continue;
            }
            line(name(input.value) + " = inputs[" + inputKey(input) + "]");
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
                line(name(at) + " = " + name(source));
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
        return *python::operatorName(node.opName, node.overload) + "(" + arguments + ")";
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
        line(left.empty() ? callText(node) : left + " = " + callText(node));
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
        if (node.random) line("draw(device, seed, " + std::to_string(id.index()) + ")");
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
        line(host(storage) + " = " + name(m_base[storage.index()]) + ".to(\"cpu\", copy=True)");
        m_hostCopy[storage.index()] = true;
    }

    void prefetch(StorageId storage)
    {
        const ValueId base = m_base[storage.index()];
        line(name(base) + " = " + host(storage) + ".to(device, copy=True)");
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
                    text += "            " +
                            pythonQuoted(output.target.empty() ? m_program.value(output.value).name : output.target) +
                            ": " + name(output.value) + ",\n";
            m_text +=
                "        \"" + std::string(key) + "\": {" + (text.empty() ? "" : "\n" + text + "        ") + "},\n";
        };
        m_text += "    return {\n";
        const auto loss = std::find_if(m_program.outputs.begin(), m_program.outputs.end(),
                                       [](const ProgramOutput &output) { return output.kind == OutputKind::Loss; });
        m_text +=
            "        \"loss\": " + (loss == m_program.outputs.end() ? std::string("None") : reference(loss->value)) +
            ",\n";
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
