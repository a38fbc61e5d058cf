// readModel: which reader opens a file.
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/graph/model.h"
#include "core/graph/program_graph.h"
#include "core/io/graph_json.h"
#include "core/io/pt2_reader.h"

#include <array>
#include <fstream>

namespace remat {

namespace {

/// Zip archives start with a local header, or with the end record when they are empty.
bool looksLikeZip(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::array<char, 4> start{};
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    return file && start[0] == 'P' && start[1] == 'K';
}

} // namespace

Expected<Model> readModel(const std::filesystem::path &path)
{
    Model model;
    model.path = path;
    if (!looksLikeZip(path)) {
        const Expected<std::string> text = readFile(path, kMaxJsonBytes);
        if (!text) return tl::unexpected(text.error());
        const std::size_t first = text->find_first_not_of(" \t\r\n");
        if (first == std::string::npos || (*text)[first] != '{')
            return fail(path.filename().string() +
                        " is neither a .pt2 archive nor a graph as JSON. Trace a model with `python -m "
                        "remat_studio.trace`, or see the description of remat-graph/1.");
        Expected<Graph> graph = parseGraphJson(*text, path.filename().string());
        if (!graph) return tl::unexpected(graph.error());
        model.graph = std::move(*graph);
        return model;
    }
    Expected<Program> program = readPt2(path);
    if (!program) return tl::unexpected(program.error());
    Expected<Graph> graph = buildGraph(*program);
    if (!graph) return fail(printable(path.filename().string() + ": " + graph.error().message));
    model.graph = std::move(*graph);
    model.program = std::move(*program);
    return model;
}

} // namespace remat
