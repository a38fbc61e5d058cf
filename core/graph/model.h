// What a file holds once it is open.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/program.h"

#include <filesystem>
#include <optional>

namespace remat {

/// An opened `.pt2` or `remat-graph/1` file. Immutable after reading; share it as `shared_ptr<const Model>`.
struct Model {
    std::filesystem::path path;
    Graph graph;
    std::optional<Program> program; ///< only for traces from PyTorch: can be profiled and validated
};

/// What its trace does not say, as a sentence; empty for traces of our tracer and for JSON graphs.
inline const std::string &lackedBy(const Model &model)
{
    static const std::string kNothing;
    return model.program ? model.program->lacks : kNothing;
}

/// Opens a trace or a JSON graph, told apart by content (zip or not), not by name. Any thread.
Expected<Model> readModel(const std::filesystem::path &path);

} // namespace remat
