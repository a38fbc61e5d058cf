// SPDX-License-Identifier: Apache-2.0
// readModel: which reader opens a file.
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/graph/model.h"
#include "core/graph/program_graph.h"
#include "core/io/file_kind.h"
#include "core/io/graph_json.h"
#include "core/io/pt2_reader.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace remat {

Expected<Model> readModel(const std::filesystem::path &path)
{
    Model model;
    model.path = path;
    if (auto right = expectKind(path, FileKind::Trace); !right) return tl::unexpected(right.error());
    if (const FileKind kind = fileKind(path); kind != FileKind::Trace && kind != FileKind::Archive) {
        const Expected<std::string> text = readFile(path, kMaxJsonBytes);
        if (!text) return tl::unexpected(text.error());
        const FileKind inside = kindOfBytes(*text);
        if (inside != FileKind::Graph && inside != FileKind::Json)
            return fail(sentenceOnKind(inside, path.filename().string(), "a trace or a graph as JSON"));
        Expected<Graph> graph = parseGraphJson(*text, path.filename().string(), &model.lacks);
        // Whoever opens JSON of something else is told what it is, and not that it lacks a member.
        if (!graph && inside == FileKind::Json && text->find("\"format\"") == std::string::npos &&
            nlohmann::json::accept(*text))
            return fail(sentenceOnKind(inside, path.filename().string(), "a trace or a graph as JSON"));
        if (!graph) return tl::unexpected(graph.error());
        model.graph = std::move(*graph);
        return model;
    }
    Expected<Program> program = readPt2(path, &model.eager);
    if (!program) return tl::unexpected(program.error());
    Expected<Graph> graph = buildGraph(*program);
    if (!graph) return fail(printable(fmt::format("{}: {}", path.filename().string(), graph.error().message)));
    model.graph = std::move(*graph);
    model.program = std::move(*program);
    return model;
}

} // namespace remat
