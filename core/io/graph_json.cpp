// SPDX-License-Identifier: Apache-2.0
#include "core/io/graph_json.h"

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/graph/phase_name.h"
#include "core/graph/program.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"

#include <algorithm>
#include <fmt/core.h>
#include <unordered_map>
#include <utility>

namespace remat {

namespace {

constexpr std::size_t kNamed = 3; ///< names in a sentence; the rest is counted

bool holdsOrUpdates(const Graph &graph)
{
    return std::any_of(graph.storages.begin(), graph.storages.end(),
                       [](const Storage &s) { return s.isOutput && !isResident(s.kind); }) ||
           std::any_of(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return !op.updates.empty(); });
}

void holdWhatDiesLast(Graph &graph)
{
    const auto readers = readersOf(graph);
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        Storage &storage = graph.storages[s];
        if (!isResident(storage.kind) && readers[s].empty()) storage.isOutput = true;
    }
}

/// `"a", "b" and 3 more`
std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i)
        text += (i == 0 ? "" : ", ") + quotedName(names[i]);
    if (names.size() > kNamed) text += fmt::format(" and {} more", names.size() - kNamed);
    return text;
}

std::string lackOfOutputs(const Graph &graph)
{
    std::vector<std::string> held;
    for (const Storage &storage : graph.storages)
        if (storage.isOutput && !isResident(storage.kind)) held.push_back(storage.name);
    return fmt::format(
        "The graph names nothing that it makes as an output{}Name the loss and the gradients in \"outputs\".",
        held.empty() ? ", and makes nothing. "
                     : fmt::format(", so what no op reads is held to its end: {}. ", listed(held)));
}

/// Ops that a plan may leave out, since nothing that is held, updated or computed only once needs them.
std::string lackOfReaders(const Graph &graph)
{
    std::vector<char> needed(graph.storages.size(), 0);
    std::vector<std::string> idle;
    for (std::size_t s = 0; s < graph.storages.size(); ++s)
        needed[s] = graph.storages[s].isOutput ? 1 : 0;
    for (auto op = graph.ops.rbegin(); op != graph.ops.rend(); ++op) {
        const bool used =
            op->computeOnce || !op->updates.empty() || (op->into && needed[op->into.index()] != 0) ||
            std::any_of(op->outputs.begin(), op->outputs.end(), [&](StorageId id) { return needed[id.index()] != 0; });
        if (!used) idle.push_back(op->name);
        for (const StorageId id : op->inputs)
            needed[id.index()] = needed[id.index()] != 0 || used ? 1 : 0;
    }
    if (idle.empty()) return {};
    std::reverse(idle.begin(), idle.end());
    return fmt::format("No output needs {} of its {} ops: {}. Plans may leave them out, and bounds do not count them.",
                       idle.size(), graph.ops.size(), listed(idle));
}

class GraphReader
{
public:
    explicit GraphReader(JsonDocument &document) : m_document(document), m_root(document.root()) {}

    Expected<Graph> read()
    {
        checkFormat(m_root, "remat-graph/1", "a graph as JSON");
        m_graph.name = m_root.textOr("name", m_document.title());
        if (const JsonCursor inputs = m_root.find("inputs")) {
            for (const JsonCursor &input : inputs.items())
                readInput(input);
        }
        for (const JsonCursor &op : m_root["ops"].items()) {
            readOp(op);
            if (m_document.failed()) break;
        }
        if (const JsonCursor outputs = m_root.find("outputs")) {
            for (const JsonCursor &output : outputs.items())
                readOutput(output);
        }
        if (m_document.failed()) return m_document.failure();
        const bool nothingHeld = !holdsOrUpdates(m_graph);
        if (nothingHeld) holdWhatDiesLast(m_graph);
        Expected<Graph> graph = finishGraph(std::move(m_graph));
        if (graph) {
            const std::string idle = lackOfReaders(*graph);
            if (nothingHeld) lacks = lackOfOutputs(*graph);
            if (!idle.empty()) lacks += (lacks.empty() ? "" : " ") + idle;
        }
        return graph;
    }

    std::string lacks; ///< sentences; set by read()

private:
    StorageId addStorage(const JsonCursor &cursor, Storage storage)
    {
        const StorageId id(m_graph.storages.size());
        if (storage.name.empty()) cursor.fail("has an empty name.");
        if (!m_storages.emplace(storage.name, id).second)
            cursor["name"].fail(
                fmt::format("is {}, a name that another storage has already.", quotedName(storage.name)));
        m_graph.storages.push_back(std::move(storage));
        return id;
    }

    void readInput(const JsonCursor &input)
    {
        Storage storage;
        storage.name = input["name"].text();
        storage.bytes = input.integerOr("bytes", 0, 0);
        const std::string kind = input.textOr("kind", "input");
        if (kind == "parameter")
            storage.kind = StorageKind::Parameter;
        else if (kind == "buffer")
            storage.kind = StorageKind::Buffer;
        else if (kind == "input")
            storage.kind = StorageKind::Input;
        else if (kind == "state")
            storage.kind = StorageKind::State;
        else
            input["kind"].fail(
                fmt::format("is \"{}\"; it must be parameter, buffer, input or state.", kind.substr(0, 60)));
        addStorage(input, std::move(storage));
    }

    Phase phaseOf(const JsonCursor &op)
    {
        const std::string phase = op.textOr("phase", "forward");
        const std::optional<Phase> known = remat::phaseOf(phase);
        if (!known) op["phase"].fail("is \"{}\"; it must be forward, loss or backward.", phase.substr(0, 60));
        return known.value_or(Phase::Forward);
    }

    /// What the op asks of a device, where it says so; its bytes alone are no work of its own.
    static std::optional<GivenWork> workOf(const JsonCursor &op)
    {
        if (!op.find("flops") && !op.find("moved_bytes") && !op.find("launches")) return std::nullopt;
        GivenWork work;
        work.flops = op.numberOr("flops", 0, 0, kMostFlops);
        work.movedBytes = op.numberOr("moved_bytes", -1, 0, kMostBytesPerSecond);
        work.launches = op.numberOr("launches", 1, 0, kMostLaunches);
        work.dtype = op.textOr("dtype", "");
        if (!work.dtype.empty() && !typeNamed(work.dtype))
            op["dtype"].fail("is \"{}\"; it must be a type of PyTorch such as float32 or bfloat16.",
                             work.dtype.substr(0, 60));
        return work;
    }

    void readOp(const JsonCursor &cursor)
    {
        Op op;
        op.name = cursor["name"].text();
        op.kind = cursor.textOr("kind", "");
        op.phase = phaseOf(cursor);
        op.module = cursor.textOr("module", "");
        op.moduleClass = cursor.textOr("module_class", "");
        op.random = cursor.booleanOr("random", false);
        op.computeOnce = cursor.booleanOr("compute_once", false);
        op.source = cursor.textOr("source", "");
        op.sequence = cursor.integerOr("sequence", -1, -1);
        op.workspaceBytes = cursor.integerOr("workspace_bytes", 0, 0);
        op.timeUs = cursor.numberOr("time_us", -1, 0);
        op.work = workOf(cursor);
        for (const JsonCursor &input : cursor["inputs"].items())
            readOpInput(input, op);
        if (const JsonCursor updates = cursor.find("updates")) {
            for (const JsonCursor &updated : updates.items())
                if (const StorageId id = readOpInput(updated, op)) op.updates.push_back(id);
        }
        if (const JsonCursor sum = cursor.find("into")) op.into = readOpInput(sum, op);
        for (const JsonCursor &output : cursor["outputs"].items())
            op.into ? renameSum(output, op) : readOpOutput(output, op);
        const std::string on = cursor.textOr("on", "device");
        if (on != "device" && on != "host")
            cursor["on"].fail("is \"{}\"; it must be device or host.", on.substr(0, 60));
        op.onHost = on == "host";
        if (const JsonCursor forward = cursor.find("forward_op")) op.forwardOp = knownOp(forward, op.name);
        if (!m_ops.emplace(op.name, OpId(m_graph.ops.size())).second)
            cursor["name"].fail("is {}, a name that another op has already.", quotedName(op.name));
        m_graph.ops.push_back(std::move(op));
    }

    /// What is written in place is read, too, so updates are inputs whether they stand there or not.
    StorageId readOpInput(const JsonCursor &cursor, Op &op)
    {
        const std::string name = cursor.text();
        const auto known = m_storages.find(name);
        if (known == m_storages.end()) {
            cursor.fail("is {}: the op {} reads what is no input and what no op before it makes. Ops must "
                        "stand in a valid order, without cycles.",
                        quotedName(name), quotedName(op.name));
            return {};
        }
        if (const auto taken = m_addedBy.find(name); taken != m_addedBy.end())
            cursor.fail(
                fmt::format("is {}, to which the op {} before it has added and given another name. Read it by that.",
                            quotedName(name), quotedName(taken->second)));
        // One that is named twice is read once.
        m_readBy.resize(m_graph.storages.size());
        if (std::exchange(m_readBy[known->second.index()], OpId(m_graph.ops.size())) != OpId(m_graph.ops.size()))
            op.inputs.push_back(known->second);
        return known->second;
    }

    void readOpOutput(const JsonCursor &cursor, Op &op)
    {
        Storage storage;
        storage.name = cursor["name"].text();
        storage.bytes = cursor["bytes"].integer(0);
        storage.kind = op.phase == Phase::Backward ? StorageKind::Gradient : StorageKind::Activation;
        op.outputs.push_back(addStorage(cursor, std::move(storage)));
    }

    /// The sum has the output's name from then on, and its own no more.
    void renameSum(const JsonCursor &output, const Op &op)
    {
        const std::string name = output["name"].text();
        for (const auto &[known, id] : m_storages)
            if (id == op.into) m_addedBy.emplace(known, op.name);
        if (!m_storages.emplace(name, op.into).second)
            output["name"].fail("is {}, a name that another storage has already.", quotedName(name));
    }

    OpId knownOp(const JsonCursor &cursor, const std::string &reader)
    {
        const std::string name = cursor.text();
        const auto known = m_ops.find(name);
        if (known != m_ops.end()) return known->second;
        cursor.fail("is {}: no op before {} has this name.", quotedName(name), quotedName(reader));
        return {};
    }

    void readOutput(const JsonCursor &cursor)
    {
        const std::string name = cursor.text();
        const auto known = m_storages.find(name);
        if (known == m_storages.end()) {
            cursor.fail("is {}, which is no storage of the graph.", quotedName(name));
            return;
        }
        if (m_addedBy.contains(name)) {
            cursor.fail("is {}, a sum that has another name at the end of the graph.", quotedName(name));
            return;
        }
        Storage &storage = m_graph.storages[known->second.index()];
        storage.isOutput = true;
        if (storage.kind == StorageKind::Gradient) storage.kind = StorageKind::ParameterGradient;
    }

    JsonDocument &m_document;
    JsonCursor m_root;
    Graph m_graph;
    std::unordered_map<std::string, StorageId> m_storages;
    std::unordered_map<std::string, OpId> m_ops;
    std::unordered_map<std::string, std::string> m_addedBy; ///< names that a sum has no more -> op that took it
    std::vector<OpId> m_readBy;                             ///< per storage: the last op that reads it
};

} // namespace

Expected<Graph> parseGraphJson(std::string_view text, const std::string &title, std::string *lacks)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    GraphReader reader(*document);
    Expected<Graph> graph = reader.read();
    if (lacks) *lacks = reader.lacks;
    if (!graph && !document->failed()) return fail(printable(fmt::format("{}: {}", title, graph.error().message)));
    return graph;
}

} // namespace remat
