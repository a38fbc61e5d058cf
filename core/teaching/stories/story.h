// SPDX-License-Identifier: Apache-2.0
// How a planner came to its plan, as it wrote it down itself: `remat-story/1`. Plain data.
#pragma once

#include "core/graph/graph.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace remat {

/// Figures at a moment. Every row has a cell for each column.
struct StoryTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::pair<int, int>> marked; ///< cells (row, column) that the frame is about
    bool operator==(const StoryTable &) const = default;
};

/// What the numbers of an axis are.
enum class StoryUnit : std::uint8_t { None, Bytes, Microseconds };

struct StorySeries {
    std::string name;
    std::vector<std::pair<double, double>> points; ///< finite, in the units of the chart, x never falling
    bool operator==(const StorySeries &) const = default;
};

/// Lines over one axis.
struct StoryChart {
    std::string title, x, y; ///< titles of the chart and of the axes
    StoryUnit xUnit = StoryUnit::None, yUnit = StoryUnit::None;
    std::vector<StorySeries> series;
    bool operator==(const StoryChart &) const = default;
};

/// One thing that the planner did.
struct StoryFrame {
    std::string text;                       ///< one to three sentences
    std::vector<std::string> ops, storages; ///< it is about, by their names in the graph
    std::optional<StoryTable> table;
    std::optional<StoryChart> chart;
    bool operator==(const StoryFrame &) const = default;
};

struct Story {
    std::string title;   ///< `Rotor fills its table`
    std::string planner; ///< as `--solver` takes it
    std::string graphName, fingerprint;
    std::int64_t ops = 0;
    std::int64_t budgetBytes = 0;
    std::vector<StoryFrame> frames;
};

/// A longer one nobody looks to the end of; what would come after is left out.
constexpr std::size_t kMostStoryFrames = 1000;

/// Adds a frame as long as there is room. O(1).
void tell(Story &story, StoryFrame frame);

/// Reads a story. A mistake becomes a sentence with its line and field:
/// `rotor.json, line 12: frames[3].chart.series[0].points is …`.
Expected<Story> parseStory(std::string_view text, const std::filesystem::path &path);
Expected<Story> readStory(const std::filesystem::path &path);
std::string storyText(const Story &story);

} // namespace remat
