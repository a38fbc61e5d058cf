// SPDX-License-Identifier: Apache-2.0
// Graphs as JSON, `remat-graph/1`: for teaching, for generated graphs, for graphs of other tools.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <string_view>

namespace remat {

/// Reads the text of a `remat-graph/1` file. `title` names the file in sentences and the graph when it has no name.
///
/// A graph that names nothing to hold at its end would need no op at all; then what no op reads is held. `lacks`, where
/// given, takes the sentences on that and on ops that no output needs, which plans may leave out; empty otherwise.
Expected<Graph> parseGraphJson(std::string_view text, const std::string &title, std::string *lacks = nullptr);

} // namespace remat
