// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"
#include "core/io/json_lines.h"
#include "core/teaching/stories/story.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <limits>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kFormat = "remat-story/1";
constexpr std::int64_t kMostBytes = 64 << 20;
constexpr std::size_t kMostColumns = 64, kMostRows = 1000, kMostSeries = 16, kMostPoints = 10'000;
constexpr std::array<const char *, 3> kUnits = {"none", "bytes", "us"};

std::vector<std::string> texts(const JsonCursor &list, std::size_t most)
{
    std::vector<std::string> result;
    const std::vector<JsonCursor> items = list.items();
    if (items.size() > most) list.fail("has {} entries; there may be up to {}.", items.size(), most);
    for (const JsonCursor &each : items) {
        result.push_back(each.text());
        if (list.failed()) break;
    }
    return result;
}

std::vector<std::string> textsOf(const JsonCursor &object, const char *key)
{
    const JsonCursor list = object.find(key);
    return list ? texts(list, kMostRows) : std::vector<std::string>();
}

StoryTable readTable(const JsonCursor &cursor)
{
    StoryTable table;
    table.columns = texts(cursor["columns"], kMostColumns);
    if (table.columns.empty() && !cursor.failed()) cursor["columns"].fail("is empty.");
    const std::vector<JsonCursor> rows = cursor["rows"].items();
    if (rows.size() > kMostRows) cursor["rows"].fail("has {} rows; there may be up to {}.", rows.size(), kMostRows);
    for (const JsonCursor &row : rows) {
        if (cursor.failed()) return table;
        table.rows.push_back(texts(row, kMostColumns));
        if (table.rows.back().size() != table.columns.size() && !cursor.failed())
            row.fail(
                fmt::format("has {} cells; the table has {} columns.", table.rows.back().size(), table.columns.size()));
    }
    const JsonCursor marked = cursor.find("marked");
    for (const JsonCursor &each : marked ? marked.items() : std::vector<JsonCursor>()) {
        const std::vector<JsonCursor> pair = each.items();
        if (cursor.failed()) return table;
        if (pair.size() != 2) {
            each.fail("must be a row and a column, such as [0, 2].");
            return table;
        }
        table.marked.emplace_back(
            static_cast<int>(pair[0].integer(0, static_cast<std::int64_t>(table.rows.size()) - 1)),
            static_cast<int>(pair[1].integer(0, static_cast<std::int64_t>(table.columns.size()) - 1)));
    }
    return table;
}

StoryUnit readUnit(const JsonCursor &object, const char *key)
{
    const std::string name = object.textOr(key, kUnits[0]);
    const auto found = std::find(kUnits.begin(), kUnits.end(), name);
    if (found != kUnits.end()) return static_cast<StoryUnit>(found - kUnits.begin());
    object[key].fail("is {}; it must be none, bytes or us.", quotedName(name));
    return StoryUnit::None;
}

StorySeries readSeries(const JsonCursor &cursor)
{
    StorySeries series;
    series.name = cursor["name"].text();
    const std::vector<JsonCursor> points = cursor["points"].items();
    if (points.size() > kMostPoints)
        cursor["points"].fail("has {} points; there may be up to {}.", points.size(), kMostPoints);
    double least = -std::numeric_limits<double>::max();
    for (const JsonCursor &point : points) {
        if (cursor.failed()) break;
        const std::vector<JsonCursor> pair = point.items();
        if (cursor.failed()) break;
        if (pair.size() != 2) {
            point.fail("must be two numbers, x and y.");
            break;
        }
        least = pair[0].number(least);
        series.points.emplace_back(least, pair[1].number());
    }
    return series;
}

StoryChart readChart(const JsonCursor &cursor)
{
    StoryChart chart;
    chart.title = cursor.textOr("title", "");
    chart.x = cursor["x"].text();
    chart.y = cursor["y"].text();
    chart.xUnit = readUnit(cursor, "x_unit");
    chart.yUnit = readUnit(cursor, "y_unit");
    const std::vector<JsonCursor> series = cursor["series"].items();
    if (series.size() > kMostSeries)
        cursor["series"].fail("has {} lines; there may be up to {}.", series.size(), kMostSeries);
    for (const JsonCursor &each : series) {
        if (cursor.failed()) break;
        chart.series.push_back(readSeries(each));
    }
    return chart;
}

StoryFrame readFrame(const JsonCursor &cursor)
{
    StoryFrame frame;
    frame.text = cursor["text"].text();
    if (frame.text.empty() && !cursor.failed()) cursor["text"].fail("is empty.");
    frame.ops = textsOf(cursor, "ops");
    frame.storages = textsOf(cursor, "storages");
    if (const JsonCursor table = cursor.find("table")) frame.table = readTable(table);
    if (const JsonCursor chart = cursor.find("chart")) frame.chart = readChart(chart);
    return frame;
}

Story readRoot(const JsonCursor &root)
{
    checkFormat(root, kFormat, "a story");
    Story story;
    story.title = root["title"].text();
    story.planner = root["planner"].text();
    const JsonCursor graph = root["graph"];
    story.graphName = graph["name"].text();
    story.fingerprint = graph["fingerprint"].text();
    story.ops = graph["ops"].integer(0);
    story.budgetBytes = root["budget_bytes"].integer(0);
    const std::vector<JsonCursor> frames = root["frames"].items();
    if (frames.size() > kMostStoryFrames)
        root["frames"].fail("has {} frames; there may be up to {}.", frames.size(), kMostStoryFrames);
    for (const JsonCursor &frame : frames) {
        if (root.failed()) break;
        story.frames.push_back(readFrame(frame));
    }
    if (story.frames.empty() && !root.failed()) root["frames"].fail("is empty.");
    return story;
}

Json written(const StoryTable &table)
{
    Json json{{"columns", table.columns}, {"rows", table.rows}};
    if (!table.marked.empty()) json["marked"] = table.marked;
    return json;
}

Json written(const StoryChart &chart)
{
    Json series = Json::array();
    for (const StorySeries &each : chart.series)
        series.push_back({{"name", each.name}, {"points", each.points}});
    return {{"title", chart.title},
            {"x", chart.x},
            {"y", chart.y},
            {"x_unit", kUnits[static_cast<std::size_t>(chart.xUnit)]},
            {"y_unit", kUnits[static_cast<std::size_t>(chart.yUnit)]},
            {"series", series}};
}

} // namespace

void tell(Story &story, StoryFrame frame)
{
    if (story.frames.size() < kMostStoryFrames) story.frames.push_back(std::move(frame));
}

Expected<Story> parseStory(std::string_view text, const std::filesystem::path &path)
{
    const std::string title = path.filename().string();
    auto document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    Story story = readRoot(document->root());
    if (!document->failed()) return story;
    const int line = lineOfPath(text, document->failedPath());
    const std::string sentence = document->failure().value().message;
    const bool placed = line > 0 && sentence.compare(0, title.size() + 2, printable(title) + ": ") == 0;
    if (!placed) return document->failure();
    return fail("{}, line {}{}", printable(title), line, sentence.substr(title.size()));
}

Expected<Story> readStory(const std::filesystem::path &path)
{
    auto text = readFile(path, kMostBytes);
    if (!text) return tl::unexpected(text.error());
    return parseStory(*text, path);
}

std::string storyText(const Story &story)
{
    const Json head{{"format", kFormat},
                    {"written_by", writtenBy()},
                    {"title", story.title},
                    {"planner", story.planner},
                    {"graph", {{"name", story.graphName}, {"fingerprint", story.fingerprint}, {"ops", story.ops}}},
                    {"budget_bytes", story.budgetBytes}};
    std::vector<Json> frames;
    for (const StoryFrame &frame : story.frames) {
        Json json{{"text", frame.text}};
        if (!frame.ops.empty()) json["ops"] = frame.ops;
        if (!frame.storages.empty()) json["storages"] = frame.storages;
        if (frame.table) json["table"] = written(*frame.table);
        if (frame.chart) json["chart"] = written(*frame.chart);
        frames.push_back(std::move(json));
    }
    return linesOf(head, "frames", frames);
}

} // namespace remat
