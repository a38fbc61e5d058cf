// Graphs as JSON, `remat-graph/1`: for teaching, for generated graphs, for graphs of other tools.
#pragma once

#include "core/graph/graph.h"

#include <string_view>

namespace remat {

/// Reads the text of a `remat-graph/1` file. `title` names the file in sentences and the graph when it has no name.
Expected<Graph> parseGraphJson(std::string_view text, const std::string &title);

} // namespace remat
