// SPDX-License-Identifier: Apache-2.0
#include "core/views/row_answer.h"

#include "core/base/text.h"
#include "core/io/json_cursor.h"

namespace remat {

namespace {

/// No layout has more ranks, or rows in one.
constexpr std::int64_t kMostPlaces = 1 << 20;
constexpr double kWidest = 1e9; // pixels

} // namespace

Expected<RowAnswer> readRowAnswer(std::string_view line, std::int64_t number, int rows)
{
    Expected<JsonDocument> document = JsonDocument::parse(line, "The answer of the layout program");
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    if (const std::string error = root.textOr("error", ""); !error.empty()) return fail(printable(shortened(error)));
    RowAnswer answer;
    answer.number = root["id"].integer();
    if (document->failed()) return document->failure();
    if (answer.number != number) return answer;
    const std::vector<JsonCursor> nodes = root["nodes"].items();
    if (nodes.size() != static_cast<std::size_t>(rows)) root["nodes"].fail("is not one for each row.");
    for (int row = 0; row < rows && !document->failed(); ++row) {
        const JsonCursor &node = nodes[static_cast<std::size_t>(row)];
        if (node["id"].text() != std::to_string(row)) node["id"].fail("is not that of the row.");
        answer.ranks.push_back({static_cast<int>(node["rank"].integer(0, kMostPlaces)),
                                static_cast<int>(node["order"].integer(0, kMostPlaces)), node["x"].number(0, kWidest)});
    }
    if (document->failed()) return document->failure();
    return answer;
}

} // namespace remat
