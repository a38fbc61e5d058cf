// SPDX-License-Identifier: Apache-2.0
// What a file holds once it is open.
#pragma once

#include "core/graph/eager_comparison.h"
#include "core/graph/graph.h"
#include "core/graph/program.h"

#include <filesystem>
#include <optional>
#include <string>

namespace remat {

/// An opened `.pt2` or `remat-graph/1` file. Immutable after reading; share it as `shared_ptr<const Model>`.
struct Model {
    std::filesystem::path path;
    Graph graph;
    std::optional<Program> program; ///< only for traces from PyTorch: can be profiled and validated
    std::string lacks = {};         ///< what a graph as JSON does not say; see lackedBy
    EagerComparison eager = {};     ///< whether the graph of a trace is what PyTorch computes
};

/// What the file does not say and what stands in its place, as sentences; empty for traces of our tracer and for graphs
/// whose outputs need all of their ops.
inline const std::string &lackedBy(const Model &model)
{
    return model.program ? model.program->lacks : model.lacks;
}

/// Opens a trace or a JSON graph, told apart by content (zip or not), not by name. Any thread.
Expected<Model> readModel(const std::filesystem::path &path);

} // namespace remat
