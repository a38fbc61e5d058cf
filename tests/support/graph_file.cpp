// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_file.h"

#include <nlohmann/json.hpp>

namespace remat::test {

namespace {

using Json = nlohmann::json;

constexpr double kOpUs = 10;

const char *nameOf(StorageKind kind)
{
    if (kind == StorageKind::Parameter) return "parameter";
    if (kind == StorageKind::State) return "state";
    return kind == StorageKind::Buffer ? "buffer" : "input";
}

const char *nameOf(Phase phase)
{
    if (phase == Phase::Forward) return "forward";
    return phase == Phase::Loss ? "loss" : "backward";
}

} // namespace

std::string graphText(const Graph &graph)
{
    Json inputs = Json::array(), ops = Json::array(), outputs = Json::array();
    for (const Storage &storage : graph.storages) {
        if (storage.isOutput) outputs.push_back(storage.name);
        if (isResident(storage.kind))
            inputs.push_back({{"name", storage.name}, {"bytes", storage.bytes}, {"kind", nameOf(storage.kind)}});
    }
    for (const Op &op : graph.ops) {
        Json read = Json::array(), made = Json::array();
        for (const StorageId input : op.inputs)
            read.push_back(graph.storage(input).name);
        for (const StorageId output : op.outputs)
            made.push_back({{"name", graph.storage(output).name}, {"bytes", graph.storage(output).bytes}});
        Json object = {{"name", op.name},
                       {"kind", op.kind},
                       {"time_us", op.timeUs >= 0 ? op.timeUs : kOpUs},
                       {"workspace_bytes", op.workspaceBytes},
                       {"inputs", std::move(read)},
                       {"outputs", std::move(made)},
                       {"module", op.module},
                       {"phase", nameOf(op.phase)},
                       {"random", op.random},
                       {"compute_once", op.computeOnce}};
        for (const StorageId updated : op.updates)
            object["updates"].push_back(graph.storage(updated).name);
        if (op.onHost) object["on"] = "host";
        if (op.forwardOp) object["forward_op"] = graph.op(op.forwardOp).name;
        ops.push_back(std::move(object));
    }
    return Json{{"format", "remat-graph/1"},
                {"name", graph.name},
                {"inputs", std::move(inputs)},
                {"ops", std::move(ops)},
                {"outputs", std::move(outputs)}}
        .dump();
}

} // namespace remat::test
