// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/graph_text.h"

#include "core/graph/phase_name.h"

#include <nlohmann/json.hpp>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

const char *nameOf(StorageKind kind)
{
    if (kind == StorageKind::Parameter) return "parameter";
    if (kind == StorageKind::State) return "state";
    return kind == StorageKind::Input ? "input" : "buffer";
}

Json opAsJson(const Graph &graph, const CostTable &costs, OpId id)
{
    const Op &op = graph.op(id);
    Json reads = Json::array(), makes = Json::array();
    for (const StorageId input : op.inputs)
        reads.push_back(graph.storage(input).name);
    for (const StorageId output : op.outputs)
        makes.push_back({{"name", graph.storage(output).name}, {"bytes", graph.storage(output).bytes}});
    Json json = {{"name", op.name},
                 {"kind", op.kind},
                 {"time_us", costs.time(id)},
                 {"inputs", std::move(reads)},
                 {"outputs", std::move(makes)},
                 {"phase", phaseName(op.phase)}};
    if (costs.workspace(id) > 0) json["workspace_bytes"] = costs.workspace(id);
    if (!op.module.empty()) json["module"] = op.module;
    if (op.forwardOp) json["forward_op"] = graph.op(op.forwardOp).name;
    if (op.random) json["random"] = true;
    if (op.computeOnce) json["compute_once"] = true;
    for (const StorageId updated : op.updates)
        json["updates"].push_back(graph.storage(updated).name);
    if (op.into) json["into"] = graph.storage(op.into).name;
    if (op.onHost) json["on"] = "host";
    return json;
}

/// Per storage 1 for what the reader must hear of as an output: gradients that updates read are, so that they are known
/// as gradients of parameters.
std::vector<char> namedOutputs(const Graph &graph)
{
    std::vector<char> named(graph.storages.size(), 0);
    for (std::size_t s = 0; s < named.size(); ++s)
        named[s] = graph.storages[s].isOutput ? 1 : 0;
    for (const Op &op : graph.ops)
        for (const StorageId input : op.inputs)
            if (!op.updates.empty() && graph.storage(input).kind == StorageKind::ParameterGradient)
                named[input.index()] = 1;
    return named;
}

} // namespace

nlohmann::ordered_json graphAsJson(const Graph &graph, const CostTable &costs)
{
    Json inputs = Json::array(), ops = Json::array(), outputs = Json::array();
    const std::vector<char> named = namedOutputs(graph);
    for (std::size_t s = 0; s < named.size(); ++s) {
        const Storage &storage = graph.storages[s];
        if (isResident(storage.kind))
            inputs.push_back({{"name", storage.name}, {"bytes", storage.bytes}, {"kind", nameOf(storage.kind)}});
        if (named[s]) outputs.push_back(storage.name);
    }
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        ops.push_back(opAsJson(graph, costs, OpId(i)));
    return {{"format", "remat-graph/1"},
            {"name", graph.name},
            {"inputs", std::move(inputs)},
            {"ops", std::move(ops)},
            {"outputs", std::move(outputs)}};
}

} // namespace remat
