// SPDX-License-Identifier: Apache-2.0
#include "core/io/chunks_json.h"

#include <utility>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostDims = 64;

int readCut(const JsonCursor &cursor)
{
    if (cursor.isNumber()) return static_cast<int>(cursor.integer(0, kMostDims));
    const std::string word = cursor.text();
    if (word != "whole" && word != "sum") cursor.fail("must be a dim, \"whole\" or \"sum\".");
    return word == "sum" ? kSum : kWhole;
}

Json cutJson(int cut)
{
    return cut == kWhole ? Json("whole") : cut == kSum ? Json("sum") : Json(cut);
}

std::vector<int> readCuts(const JsonCursor &list)
{
    std::vector<int> cuts;
    for (const JsonCursor &cut : list.items())
        cuts.push_back(readCut(cut));
    return cuts;
}

Json cutsJson(const std::vector<int> &cuts)
{
    Json list = Json::array();
    for (const int cut : cuts)
        list.push_back(cutJson(cut));
    return list;
}

} // namespace

Chunking readChunks(const JsonCursor &chunks)
{
    Chunking chunking;
    for (const JsonCursor &entry : chunks.items()) {
        ChunkRegion region;
        region.k = static_cast<int>(entry["k"].integer(2, kMostChunks));
        if (const JsonCursor type = entry.find("accumulate")) {
            region.accumulate = Accumulate::Float32;
            if (type.text() != "float32") type.fail("must be \"float32\", or be left out.");
        }
        for (const auto &[name, mode] : entry["nodes"].members())
            region.nodes.emplace(name, Mode{readCuts(mode["ins"]), readCuts(mode["outs"])});
        if (chunks.failed()) break;
        chunking.regions.push_back(std::move(region));
    }
    return chunking;
}

Json chunksJson(const Chunking &chunking)
{
    Json list = Json::array();
    for (const ChunkRegion &region : chunking.regions) {
        Json nodes = Json::object();
        for (const auto &[name, mode] : region.nodes)
            nodes[name] = {{"ins", cutsJson(mode.ins)}, {"outs", cutsJson(mode.outs)}};
        Json entry{{"k", region.k}};
        if (region.accumulate == Accumulate::Float32) entry["accumulate"] = "float32";
        entry["nodes"] = std::move(nodes);
        list.push_back(std::move(entry));
    }
    return list;
}

} // namespace remat
