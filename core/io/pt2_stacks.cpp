// SPDX-License-Identifier: Apache-2.0
#include "core/io/pt2_stacks.h"

#include "core/io/archive_data.h"
#include "core/io/pt2_parts.h"

namespace remat {

const std::string *PythonStacks::find(const std::string &node) const
{
    auto known = of.find(node);
    if (known == of.end()) known = of.find(node.substr(0, node.find('#')));
    return known == of.end() ? nullptr : &traces[known->second];
}

Expected<PythonStacks> readPythonStacks(const std::filesystem::path &path)
{
    const std::string title = path.filename().string();
    Expected<ArchiveData> archive = ArchiveData::open(path);
    if (!archive) return tl::unexpected(archive.error());
    Expected<JsonDocument> document = parseModel(*archive, title);
    if (!document) return tl::unexpected(document.error());

    PythonStacks stacks;
    std::unordered_map<std::string, std::size_t> places;
    for (const JsonCursor &node : document->root()["graph_module"]["graph"]["nodes"].items()) {
        const JsonCursor metadata = node.find("metadata");
        std::string trace = metadata ? metadata.textOr("stack_trace", "") : std::string();
        if (trace.empty()) continue;
        const auto [place, isNew] = places.try_emplace(trace, stacks.traces.size());
        stacks.of.emplace(node.textOr("name", ""), place->second);
        if (isNew) stacks.traces.push_back(std::move(trace));
    }
    if (document->failed()) return document->failure();
    return stacks;
}

} // namespace remat
