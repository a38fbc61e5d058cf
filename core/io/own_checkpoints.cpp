#include "core/io/own_checkpoints.h"

#include "core/io/pt2_parts.h"

#include <limits>
#include <string>
#include <unordered_map>

namespace remat {

Expected<std::vector<int>> readOwnCheckpoints(const Model &model)
{
    if (!model.program) return std::vector<int>();
    Expected<ArchiveData> archive = ArchiveData::open(model.path);
    if (!archive) return tl::unexpected(archive.error());
    Expected<JsonDocument> document = parseModel(*archive, model.path.filename().string());
    if (!document) return tl::unexpected(document.error());
    std::unordered_map<std::string, std::size_t> ops;
    for (std::size_t i = 0; i < model.graph.ops.size(); ++i)
        ops.emplace(model.graph.ops[i].name, i);
    std::vector<int> parts;
    for (const JsonCursor &node : document->root()["graph_module"]["graph"]["nodes"].items()) {
        const JsonCursor record = findRecord(node);
        if (!record || !record.find("checkpoint")) continue;
        const auto part = static_cast<int>(record["checkpoint"].integer(0, std::numeric_limits<int>::max()));
        const auto op = ops.find(node.textOr("name", ""));
        if (op == ops.end()) continue; // a view
        parts.resize(model.graph.ops.size(), -1);
        parts[op->second] = part;
    }
    if (document->failed()) return document->failure();
    return parts;
}

} // namespace remat
