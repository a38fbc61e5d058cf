// SPDX-License-Identifier: Apache-2.0
#include "core/io/pt2_reader.h"

#include "core/io/eager_comparison_json.h"

#include "core/base/text.h"
#include "core/graph/program_graph.h"
#include "core/io/archive_data.h"
#include "core/io/graph_header.h"
#include "core/io/pt2_parts.h"

#include <algorithm>
#include <unordered_set>

namespace remat {

namespace {

constexpr std::int64_t kSchemaMajor = 8;
constexpr const char *kHowToTrace = " Trace the training step (forward, loss and backward) with `python -m "
                                    "remat_studio.trace FILE.py:FACTORY -o model.pt2`.";

/// The nodes, inputs and outputs of `models/model.json`.
class ModelReader
{
public:
    ModelReader(const JsonCursor &root, Program &program)
        : m_root(root),
          m_graph(root["graph_module"]["graph"]),
          m_program(program),
          m_values(program, m_graph["tensor_values"])
    {
    }

    void read()
    {
        checkVersion();
        m_program.torchVersion = m_root.textOr("torch_version", "");
        readInputs();
        for (const JsonCursor &node : m_graph["nodes"].items()) {
            if (m_root.failed()) return;
            readNode(node);
        }
        readOutputs();
        if (m_root.failed()) return;
        if (!m_hasRecords) {
            if (!m_hasPhases) setPhases();
            const bool numbered = std::any_of(m_program.nodes.begin(), m_program.nodes.end(),
                                              [](const Node &node) { return node.sequence >= 0; });
            m_program.lacks =
                std::string(
                    "Another tracer than remat_studio's made this trace, and it does not say which forward op each "
                    "backward op belongs to. Here that follows from ") +
                (numbered ? "the numbers that autograd gave the ops (seq_nr)." : "which op reads what.");
        }
        readGraphRecord();
    }

    /// False when there is no loss or no gradient: an inference graph.
    bool isJoint() const
    {
        const auto has = [&](auto... kinds) {
            return std::any_of(m_program.outputs.begin(), m_program.outputs.end(),
                               [&](const ProgramOutput &output) { return ((output.kind == kinds) || ...); });
        };
        return has(OutputKind::Loss) && has(OutputKind::ParameterGradient, OutputKind::InputGradient);
    }

private:
    void checkVersion()
    {
        const JsonCursor major = m_root["schema_version"]["major"];
        const std::int64_t version = major.integer();
        if (!m_root.failed() && version != kSchemaMajor)
            major.fail("is {}; archives of schema version {} (PyTorch 2.9 to 2.11) can be read. Trace again with one.",
                       version, kSchemaMajor);
    }

    void addInput(const JsonCursor &name, StorageKind kind, const std::string &fqn)
    {
        ProgramInput input;
        input.value = m_values.make(name);
        input.kind = kind;
        if (!input.value) return;
        const Value &value = m_program.value(input.value);
        input.fqn = fqn.empty() ? value.name : fqn;
        // Without anything better: weights near zero, and the one index that is valid everywhere.
        if (kind == StorageKind::Parameter) input.recipe.std = 0.02;
        if (value.dtype == DType::Bool)
            input.recipe.integerRange = {0, 2};
        else if (value.dtype <= DType::Int64 || value.dtype == DType::UInt16)
            input.recipe.integerRange = {0, 1};
        m_program.inputs.push_back(std::move(input));
    }

    void readInputs()
    {
        for (const JsonCursor &spec : m_root["graph_module"]["signature"]["input_specs"].items()) {
            const auto [kind, value] = spec.onlyMember();
            if (kind == "parameter") {
                addInput(value["arg"]["name"], StorageKind::Parameter, value["parameter_name"].text());
            } else if (kind == "buffer") {
                addInput(value["arg"]["name"], StorageKind::Buffer, value["buffer_name"].text());
            } else if (kind == "tensor_constant") {
                addInput(value["arg"]["name"], StorageKind::Constant, value["tensor_constant_name"].text());
            } else if (kind == "user_input") {
                const auto [argumentKind, argument] = value["arg"].onlyMember();
                if (argumentKind == "as_tensor") addInput(argument["name"], StorageKind::Input, "");
            } else if (kind != "constant_input") {
                spec.fail("is of the kind \"{}\", which a plan cannot hold.", kind.substr(0, 60));
            }
        }
    }

    void readNode(const JsonCursor &cursor)
    {
        Node node;
        std::tie(node.opName, node.overload) = readTarget(cursor["target"]);
        for (const JsonCursor &input : cursor["inputs"].items()) {
            NamedArgument argument;
            argument.name = input.textOr("name", "");
            argument.value = readArgument(input["arg"], m_values);
            argument.keyword = input.integerOr("kind", 1, 0, 2) == 2;
            node.arguments.push_back(std::move(argument));
        }
        readNodeOutputs(cursor["outputs"], node);
        const std::string first = firstName(node);
        node.name = cursor.textOr("name", first);
        if (node.name.empty()) node.name = first;
        const JsonCursor record = findRecord(cursor);
        if (cursor.failed()) return;
        if (const JsonCursor graph = record ? record.find("graph") : record) {
            // First, so that an archive of a newer tracer is not blamed for what only that one knows.
            if (graph.find("format")) checkFormat(graph, "remat-trace/1", "a trace");
            m_graphRecord = graph;
        }
        readMetadata(cursor, record, node);
        if (first.empty() && node.mutates.empty()) return; // an assertion: no value and no effect
        if (record) {
            m_hasRecords = true;
            readAliases(record, node);
        } else {
            m_hasPhases = readForeignRecord(cursor, node) || m_hasPhases;
            node.random = isRandomOperator(node.opName);
            if (isViewOperator(node.opName)) aliasFirstTensor(node);
        }
        aliasWritten(node);
        m_program.nodes.push_back(std::move(node));
    }

    std::string firstName(const Node &node) const
    {
        const auto made = std::find_if(node.outputs.begin(), node.outputs.end(), [](ValueId id) { return bool(id); });
        return made == node.outputs.end() ? std::string() : m_program.value(*made).name;
    }

    void readNodeOutputs(const JsonCursor &cursor, Node &node)
    {
        const std::vector<JsonCursor> outputs = cursor.items();
        for (const JsonCursor &output : outputs) {
            const auto [kind, value] = output.onlyMember();
            if (kind == "as_tensor") {
                node.outputs.push_back(m_values.make(value["name"]));
            } else if (kind == "as_tensors") {
                node.listOutput = outputs.size() == 1;
                for (const JsonCursor &item : value.items())
                    node.outputs.push_back(m_values.make(item["name"]));
            } else if (kind == "as_none" || (kind == "as_sym_int" && outputs.size() > 1)) {
                node.outputs.emplace_back(); // a length, say: who reads such a number is refused
            } else if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") {
                output.fail("is a number that depends on data or on symbolic sizes; a plan needs fixed sizes.");
            } else {
                output.fail("is of the kind \"{}\", which a plan cannot hold.", kind.substr(0, 60));
            }
        }
    }

    void readAliases(const JsonCursor &record, Node &node)
    {
        const JsonCursor alias = record.find("alias");
        if (!alias) return;
        const std::unordered_set<ValueId> outputs(node.outputs.begin(), node.outputs.end());
        for (const auto &[output, input] : alias.members()) {
            const ValueId view = m_values.find(output);
            const ValueId source = m_values.known(input);
            if (!view || !outputs.contains(view)) {
                alias.fail("names {}, which is no output of the node.", quotedName(output));
            } else if (source && !outputs.contains(source)) {
                m_program.values[view.index()].aliasOf = source;
            } else {
                input.fail("is {}, which is no input of the node.", quotedName(input.text()));
            }
        }
    }

    void aliasFirstTensor(const Node &node)
    {
        for (const NamedArgument &argument : node.arguments) {
            const auto *source = std::get_if<ValueId>(&argument.value);
            if (!source) continue;
            for (const ValueId output : node.outputs) {
                if (output) m_program.values[output.index()].aliasOf = *source;
            }
            return;
        }
    }

    /// `add_` returns what it wrote to.
    void aliasWritten(const Node &node)
    {
        if (node.mutates.empty() || node.opName.back() != '_' || node.outputs.size() != 1 || !node.outputs[0]) return;
        if (const ValueId written = m_values.find(node.mutates[0]); written && written != node.outputs[0])
            m_program.values[node.outputs[0].index()].aliasOf = written;
    }

    void addOutput(const JsonCursor &argument, OutputKind kind, std::string target)
    {
        m_program.outputs.push_back({m_values.known(argument["name"]), kind, std::move(target)});
    }

    void readOutputs()
    {
        for (const JsonCursor &spec : m_root["graph_module"]["signature"]["output_specs"].items()) {
            const auto [kind, value] = spec.onlyMember();
            if (kind == "loss_output") {
                addOutput(value["arg"], OutputKind::Loss, "");
            } else if (kind == "gradient_to_parameter") {
                addOutput(value["arg"], OutputKind::ParameterGradient, value["parameter_name"].text());
            } else if (kind == "gradient_to_user_input") {
                addOutput(value["arg"], OutputKind::InputGradient, value["user_input_name"].text());
            } else if (kind == "buffer_mutation") {
                addOutput(value["arg"], OutputKind::BufferMutation, value["buffer_name"].text());
            } else if (kind == "parameter_mutation") {
                addOutput(value["arg"], OutputKind::Other, value["parameter_name"].text());
            } else if (kind == "user_input_mutation") {
                addOutput(value["arg"], OutputKind::Other, value["user_input_name"].text());
            } else if (kind == "user_output") {
                const auto [argumentKind, argument] = value["arg"].onlyMember();
                if (argumentKind == "as_tensor") addOutput(argument, OutputKind::Other, "");
            } else {
                spec.fail("is of the kind \"{}\", which a plan cannot hold.", kind.substr(0, 60));
            }
        }
    }

    /// Without records: what stands after the node that makes the loss is the backward pass.
    void setPhases()
    {
        const auto loss = std::find_if(m_program.outputs.begin(), m_program.outputs.end(),
                                       [](const ProgramOutput &output) { return output.kind == OutputKind::Loss; });
        if (loss == m_program.outputs.end()) return;
        Phase phase = Phase::Forward;
        for (Node &node : m_program.nodes) {
            const bool makesLoss =
                std::find(node.outputs.begin(), node.outputs.end(), loss->value) != node.outputs.end();
            node.phase = makesLoss ? Phase::Loss : phase;
            if (makesLoss) phase = Phase::Backward;
        }
    }

    /// What the tracer says about the whole graph and about its inputs' values.
    void readGraphRecord()
    {
        if (!m_program.inputs.empty()) m_program.traceDevice = m_program.value(m_program.inputs[0].value).device;
        if (!m_graphRecord) return;
        const JsonCursor graph = *m_graphRecord;
        m_program.name = graph.textOr("name", "");
        m_program.torchVersion = graph.textOr("torch", m_program.torchVersion);
        m_program.traceDevice = graph.textOr("device", m_program.traceDevice);
        const JsonCursor inputs = graph.find("inputs");
        if (!inputs) return;
        for (ProgramInput &input : m_program.inputs) {
            if (const JsonCursor entry = inputs.find(m_program.value(input.value).name.c_str()))
                readRecipe(entry, input);
        }
    }

    static void readRecipe(const JsonCursor &entry, ProgramInput &input)
    {
        input.fqn = entry.textOr("fqn", input.fqn);
        InputRecipe &recipe = input.recipe;
        recipe.mean = entry.numberOr("mean", recipe.mean);
        recipe.std = entry.numberOr("std", recipe.std, 0);
        if (const JsonCursor min = entry.find("min")) recipe.min = min.number();
        if (const JsonCursor max = entry.find("max")) recipe.max = max.number();
        const JsonCursor low = entry.find("low");
        const JsonCursor high = entry.find("high");
        if (!low || !high) return;
        recipe.integerRange = {low.integer(), high.integer()};
        if (recipe.integerRange->first >= recipe.integerRange->second) high.fail("is not above \"low\".");
    }

    JsonCursor m_root;
    JsonCursor m_graph;
    Program &m_program;
    ValueTable m_values;
    bool m_hasRecords = false;
    bool m_hasPhases = false;
    std::optional<JsonCursor> m_graphRecord;
};

/// The one entry `models/NAME.json`, or why there is none.
Expected<std::string> modelEntry(const std::vector<ArchiveData::Entry> &entries, const std::string &title)
{
    for (const ArchiveData::Entry &entry : entries) {
        const std::filesystem::path name(entry.name);
        if (name.parent_path() == "models" && name.extension() == ".json") return entry.name;
    }
    return fail("{} is an archive, but not one that torch.export.save of PyTorch 2.9 or newer makes: it "
                "has no models/model.json.{}",
                title, kHowToTrace);
}

} // namespace

Expected<JsonDocument> parseModel(ArchiveData &archive, const std::string &title)
{
    const Expected<std::string> entry = modelEntry(archive.entries(), title);
    if (!entry) return tl::unexpected(entry.error());
    return parseEntry(archive, *entry, title);
}

Expected<Program> readPt2(const std::filesystem::path &path, EagerComparison *eager)
{
    const std::string title = path.filename().string();
    Expected<ArchiveData> archive = ArchiveData::open(path);
    if (!archive) return tl::unexpected(archive.error());
    Expected<JsonDocument> document = parseModel(*archive, title);
    if (!document) return tl::unexpected(document.error());

    Program program;
    program.name = path.stem().string();
    ModelReader reader(document->root(), program);
    reader.read();
    if (document->failed()) return document->failure();
    if (!reader.isJoint())
        return fail("{} holds no training step: its graph has no loss output or no gradients.{}", title, kHowToTrace);
    if (program.name.empty()) program.name = path.stem().string();
    for (const char *folder : {"data/weights/", "data/constants/"}) {
        const auto read = readPayloads(*archive, folder, title, program);
        if (!read) return tl::unexpected(read.error());
    }
    if (eager) *eager = readEagerComparison(*archive);
    return program;
}

} // namespace remat
