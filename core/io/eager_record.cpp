// SPDX-License-Identifier: Apache-2.0
#include "core/io/eager_record.h"

#include "core/io/pt2_parts.h"

#include <limits>
#include <string>
#include <unordered_map>

namespace remat {

Expected<EagerRecord> readEagerRecord(const Model &model)
{
    EagerRecord eager;
    if (!model.program) return eager;
    Expected<ArchiveData> archive = ArchiveData::open(model.path);
    if (!archive) return tl::unexpected(archive.error());
    Expected<JsonDocument> document = parseModel(*archive, model.path.filename().string());
    if (!document) return tl::unexpected(document.error());
    std::unordered_map<std::string, StorageId> storages;
    for (std::size_t i = 0; i < model.graph.storages.size(); ++i)
        storages.emplace(model.graph.storages[i].name, StorageId(i));
    std::unordered_map<std::string, std::size_t> ops;
    for (std::size_t i = 0; i < model.graph.ops.size(); ++i)
        ops.emplace(model.graph.ops[i].name, i);
    eager.formulas.resize(model.graph.ops.size(), -1);
    for (const JsonCursor &node : document->root()["graph_module"]["graph"]["nodes"].items()) {
        const JsonCursor record = findRecord(node);
        const auto op = record ? ops.find(node.textOr("name", "")) : ops.end();
        if (op == ops.end()) continue; // a view, or another tracer's
        if (const JsonCursor part = record.find("checkpoint")) {
            eager.checkpoints.resize(model.graph.ops.size(), -1);
            eager.checkpoints[op->second] = static_cast<int>(part.integer(0, std::numeric_limits<int>::max()));
        }
        for (const JsonCursor &name : record.find("holds").items()) {
            const auto storage = storages.find(std::string(name.text()));
            if (storage != storages.end()) eager.holds.push_back({OpId(op->second), storage->second});
        }
        if (record.booleanOr("formula", false)) eager.formulas[op->second] = record.integerOr("seq", -1);
    }
    if (document->failed()) return document->failure();
    return eager;
}

} // namespace remat
