// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph.h"

#include "core/base/digest.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <unordered_set>

namespace remat {

namespace {

constexpr std::int64_t kMaxTotalBytes = std::int64_t(1) << 62;
constexpr double kMaxTimeUs = 1e15;

Expected<void> checkStorages(const Graph &graph)
{
    std::unordered_set<std::string_view> names;
    std::int64_t total = 0;
    for (const Storage &storage : graph.storages) {
        if (storage.name.empty()) return fail("A storage of the graph {} has no name.", quotedName(graph.name));
        if (!names.insert(storage.name).second)
            return fail("Two storages are called {}; names must differ.", quotedName(storage.name));
        if (storage.bytes < 0)
            return fail(
                fmt::format("The storage {} has a negative size ({} bytes).", quotedName(storage.name), storage.bytes));
        if (storage.bytes >= kMaxTotalBytes - total)
            return fail("The sizes add up to more than 2^62 bytes at the storage {}; check its size.",
                        quotedName(storage.name));
        total += storage.bytes;
    }
    // Peaks are sums of sizes and one workspace: they must fit into 63 bits too.
    for (const Op &op : graph.ops) {
        if (op.workspaceBytes < 0 || op.workspaceBytes >= kMaxTotalBytes - total)
            return fail("The op {} has an impossible workspace ({} bytes).", quotedName(op.name), op.workspaceBytes);
    }
    return {};
}

/// The sentence that says so when a name is too long.
Expected<void> checkName(const char *what, const std::string &name)
{
    if (name.size() <= kMaxNameBytes) return {};
    return fail(
        fmt::format("{}{} has {} bytes; names have at most {}.", what, quotedName(name), name.size(), kMaxNameBytes));
}

Expected<void> checkNames(const Graph &graph)
{
    for (const Storage &storage : graph.storages)
        if (const auto checked = checkName("The name of the storage ", storage.name); !checked) return checked;
    for (const Op &op : graph.ops) {
        if (const auto checked = checkName("The name of the op ", op.name); !checked) return checked;
        if (const auto checked = checkName("The kind of op ", op.kind); !checked) return checked;
    }
    return {};
}

/// What is only shown, at the length at which it can be.
void cutTexts(Graph &graph)
{
    const auto cut = [](std::string &text, std::size_t most) {
        if (text.size() > most) text = shortened(text, most);
    };
    cut(graph.name, kMaxSourceBytes);
    for (Op &op : graph.ops) {
        cut(op.source, kMaxSourceBytes);
        cut(op.moduleClass, kMaxSourceBytes);
        cut(op.module, kMaxModuleBytes);
        std::size_t levels = 0;
        for (std::size_t i = 0; i < op.module.size(); ++i) {
            if (op.module[i] == '.' && ++levels == kMaxModuleLevels) op.module.resize(i);
        }
    }
}

Expected<void> checkOp(const Graph &graph, std::size_t index, const std::vector<OpId> &madeBy)
{
    const Op &op = graph.ops[index];
    const auto inGraph = [&](StorageId id) { return id && id.index() < graph.storages.size(); };
    std::unordered_set<StorageId> read;
    for (const StorageId id : op.inputs) {
        if (!inGraph(id)) return fail("The op {} reads a storage that is not in the graph.", quotedName(op.name));
        const std::string &name = graph.storage(id).name;
        if (!read.insert(id).second) return fail("The op {} lists {} twice.", quotedName(op.name), quotedName(name));
        if (!isResident(graph.storage(id).kind) && !madeBy[id.index()])
            return fail(
                "The op {} reads {} before any op has made it. Ops must stand in a valid order, without cycles.",
                quotedName(op.name), quotedName(name));
    }
    if (op.forwardOp && (op.forwardOp.index() >= index || graph.op(op.forwardOp).phase == Phase::Backward))
        return fail(
            fmt::format("The op {} belongs to {}, which is not an earlier op of the forward pass.", quotedName(op.name),
                        op.forwardOp.index() < graph.ops.size() ? quotedName(graph.op(op.forwardOp).name) : "no op"));
    if (!std::isfinite(op.timeUs) || op.timeUs > kMaxTimeUs)
        return fail("The op {} has an impossible time.", quotedName(op.name));
    return {};
}

/// What an op says of the parameters and states that it writes.
Expected<void> checkUpdates(const Graph &graph, const Op &op)
{
    for (auto it = op.updates.begin(); it != op.updates.end(); ++it) {
        if (std::find(op.inputs.begin(), op.inputs.end(), *it) == op.inputs.end())
            return fail("The op {} updates a storage that it does not read.", quotedName(op.name));
        const Storage &storage = graph.storage(*it);
        if (storage.kind != StorageKind::Parameter && storage.kind != StorageKind::State)
            return fail("The op {} updates {}, which is neither a parameter nor a state.", quotedName(op.name),
                        quotedName(storage.name));
        if (std::find(op.updates.begin(), it, *it) != it)
            return fail("The op {} updates {} twice.", quotedName(op.name), quotedName(storage.name));
    }
    if (op.onHost && (op.updates.empty() || !op.outputs.empty() || op.workspaceBytes > 0))
        return fail("The op {} runs on the host: it must update something there, make nothing, and need no "
                    "workspace on the device.",
                    quotedName(op.name));
    return {};
}

/// What an op says of the storage that it adds to.
Expected<void> checkInto(const Graph &graph, const Op &op)
{
    if (!op.into) return {};
    if (std::find(op.inputs.begin(), op.inputs.end(), op.into) == op.inputs.end())
        return fail("The op {} adds to a storage that it does not read.", quotedName(op.name));
    if (isResident(graph.storage(op.into).kind))
        return fail("The op {} adds to {}, which is an input. It can only add to what an op has made.",
                    quotedName(op.name), quotedName(graph.storage(op.into).name));
    if (!op.outputs.empty() || !op.updates.empty())
        return fail("The op {} adds to {}, so it can make no storage and update nothing.", quotedName(op.name),
                    quotedName(graph.storage(op.into).name));
    return {};
}

} // namespace

bool mayWrite(const Op &op, StorageId input)
{
    if (op.into) return input == op.into;
    if (op.updates.empty()) return op.computeOnce;
    return std::find(op.updates.begin(), op.updates.end(), input) != op.updates.end();
}

Expected<Graph> finishGraph(Graph graph)
{
    if (const auto checked = checkNames(graph); !checked) return tl::unexpected(checked.error());
    cutTexts(graph);
    if (const auto checked = checkStorages(graph); !checked) return tl::unexpected(checked.error());
    std::unordered_set<std::string_view> names;
    std::vector<OpId> madeBy(graph.storages.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (op.name.empty()) return fail("An op of the graph {} has no name.", quotedName(graph.name));
        if (!names.insert(op.name).second)
            return fail("Two ops are called {}; names must differ.", quotedName(op.name));
        if (const auto checked = checkOp(graph, i, madeBy); !checked) return tl::unexpected(checked.error());
        if (const auto checked = checkUpdates(graph, op); !checked) return tl::unexpected(checked.error());
        if (const auto checked = checkInto(graph, op); !checked) return tl::unexpected(checked.error());
        for (const StorageId id : op.outputs) {
            if (!id || id.index() >= graph.storages.size())
                return fail("The op {} makes a storage that is not in the graph.", quotedName(op.name));
            const std::string &name = graph.storage(id).name;
            if (isResident(graph.storage(id).kind))
                return fail(
                    fmt::format("The op {} makes {}, which is an input.", quotedName(op.name), quotedName(name)));
            if (madeBy[id.index()])
                return fail("The op {} makes {}, which {} already makes.", quotedName(op.name), quotedName(name),
                            quotedName(graph.op(madeBy[id.index()]).name));
            madeBy[id.index()] = OpId(i);
        }
    }
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        Storage &storage = graph.storages[i];
        if (!isResident(storage.kind) && !madeBy[i])
            return fail("No op makes the storage {}.", quotedName(storage.name));
        storage.producer = madeBy[i];
    }
    for (Op &op : graph.ops) {
        if (op.updates.empty()) continue;
        op.computeOnce = true;
        for (const StorageId input : op.inputs)
            if (graph.storage(input).kind == StorageKind::ParameterGradient)
                graph.storages[input.index()].isOutput = false;
    }
    graph.fingerprint = graphFingerprint(graph);
    return graph;
}

std::string graphFingerprint(const Graph &graph)
{
    Digest digest;
    const auto addIds = [&](const std::vector<StorageId> &ids) {
        digest.add(ids.size());
        for (const StorageId id : ids)
            digest.add(static_cast<std::uint64_t>(id.value));
    };
    digest.add(graph.storages.size());
    for (const Storage &storage : graph.storages) {
        digest.add(static_cast<std::uint64_t>(storage.bytes));
        digest.add(static_cast<std::uint64_t>(storage.kind) * 2 + (storage.isOutput ? 1 : 0));
    }
    digest.add(graph.ops.size());
    for (const Op &op : graph.ops) {
        digest.add(op.kind);
        addIds(op.inputs);
        addIds(op.outputs);
        digest.add((op.random ? 1U : 0U) + (op.computeOnce ? 2U : 0U) + (op.updates.empty() ? 0U : 4U) +
                   (op.onHost ? 8U : 0U) + (op.into ? 16U : 0U));
        // Graphs without updates and sums in place keep the fingerprint that they had.
        if (!op.updates.empty()) addIds(op.updates);
        if (op.into) digest.add(static_cast<std::uint64_t>(op.into.value));
    }
    return digest.hex();
}

Graph withPlannedParameters(Graph graph)
{
    std::vector<char> read(graph.storages.size(), 0), mayBeWritten(graph.storages.size(), 0);
    for (const Op &op : graph.ops) {
        for (const StorageId id : op.inputs) {
            if (!op.onHost) read[id.index()] = 1;
            if (op.updates.empty() && mayWrite(op, id)) mayBeWritten[id.index()] = 1;
        }
    }
    for (std::size_t s = 0; s < graph.storages.size(); ++s) {
        Storage &storage = graph.storages[s];
        const bool moves = storage.kind == StorageKind::Parameter || storage.kind == StorageKind::State;
        storage.plannedParameter = moves && !storage.isOutput && read[s] && !mayBeWritten[s];
    }
    graph.parametersPlanned = true;
    return graph;
}

std::vector<std::vector<OpId>> readersOf(const Graph &graph)
{
    std::vector<std::vector<OpId>> readers(graph.storages.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const StorageId id : graph.ops[i].inputs)
            readers[id.index()].emplace_back(i);
    }
    return readers;
}

} // namespace remat
