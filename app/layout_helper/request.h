// SPDX-License-Identifier: Apache-2.0
// One line in, one line out: what remat-layout is asked and what it answers.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace remat::layout {

/// Most nodes and edges of one request: one cluster's inside, never a whole graph, which `dot` does not survive.
constexpr std::size_t kMostNodes = 2000;
constexpr std::size_t kMostEdges = 20000;
/// Longest line read, in bytes.
constexpr std::size_t kLongestLine = std::size_t(8) << 20;
/// What one layout may take, and the whole process.
constexpr long kMostCpuSeconds = 20;
constexpr std::uint64_t kMostMemoryBytes = std::uint64_t(4) << 30;

/// A value, or the sentence that says why there is none.
template <class T>
using Expected = tl::expected<T, std::string>;

/// A box to place, in pixels.
struct Box {
    std::string id;
    double width = 0, height = 0;
};

/// `{"id": 7, "nodes": [{"id": "a", "width": 120, "height": 26}], "edges": [["a", "b"]], "options": {…}}`
struct Request {
    std::int64_t id = 0; ///< comes back in the answer
    std::vector<Box> boxes;
    std::vector<std::pair<std::size_t, std::size_t>> edges; ///< positions in `boxes`
    double rankGap = 12;                                    ///< pixels between ranks, option `rank_gap`
    double nodeGap = 8;                                     ///< pixels between boxes of a rank, option `node_gap`
};

/// Where a box ended: its middle in pixels from the top left, its rank from the top, its place in the rank.
struct Place {
    double x = 0, y = 0;
    int rank = 0, order = 0;
};

struct Answer {
    double width = 0, height = 0;
    std::vector<Place> places; ///< per box
};

/// Reads one request; the sentence of a failure says what is wrong with the line. Never throws.
Expected<Request> parseRequest(const std::string &line);

/// `{"id": 7, "width": …, "height": …, "nodes": [{"id": "a", "x": …, "y": …, "rank": 0, "order": 0}]}`, one line.
std::string formatAnswer(const Request &request, const Answer &answer);

/// `{"id": 7, "error": "…"}`, one line; without the id when `id` is negative.
std::string formatError(std::int64_t id, const std::string &sentence);

} // namespace remat::layout
