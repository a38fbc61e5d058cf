// Graphs as JSON, `remat-graph/1`: for teaching, for generated graphs, for graphs of other tools.
#pragma once

#include "core/graph/graph.h"

#include <string_view>

namespace remat {

/// Largest JSON file that is read, in bytes.
constexpr std::int64_t kMaxJsonBytes = std::int64_t(128) << 20;

/// Reads the text of a `remat-graph/1` file. `title` names the file in sentences and the graph when it has no name.
Expected<Graph> parseGraphJson(std::string_view text, const std::string &title);

} // namespace remat
