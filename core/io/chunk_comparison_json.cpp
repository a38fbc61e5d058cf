// SPDX-License-Identifier: Apache-2.0
#include "core/io/chunk_comparison_json.h"

#include <limits>

namespace remat {

ChunkComparison readChunkComparison(const JsonCursor &chunks)
{
    ChunkComparison read;
    read.done = chunks["done"].boolean();
    read.tensors = static_cast<int>(chunks["tensors"].integer(0, std::numeric_limits<int>::max()));
    read.largestUnits = chunks["largest_units"].anyNumber();
    read.allowedUnits = chunks["allowed_units"].number(0);
    for (const JsonCursor &item : chunks["different"].items())
        read.different.push_back({item["name"].text(), item["units"].anyNumber()});
    read.sentence = chunks["sentence"].text();
    return read;
}

nlohmann::ordered_json chunkComparisonJson(const ChunkComparison &chunks)
{
    nlohmann::ordered_json different = nlohmann::ordered_json::array();
    for (const TensorDifference &item : chunks.different)
        different.push_back({{"name", item.name}, {"units", exactNumber(item.largestDifference)}});
    return {{"done", chunks.done},
            {"tensors", chunks.tensors},
            {"largest_units", exactNumber(chunks.largestUnits)},
            {"allowed_units", chunks.allowedUnits},
            {"different", std::move(different)},
            {"sentence", chunks.sentence}};
}

} // namespace remat
