#include "core/io/plan_header.h"

#include "core/io/chunks_json.h"
#include "core/io/json_cursor.h"

#include <array>
#include <fstream>

namespace remat {

Expected<PlanHeader> parsePlanHeader(std::string_view text, const std::string &title)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    PlanHeader header;
    header.fingerprint = root["graph"]["fingerprint"].text();
    if (const JsonCursor name = root["graph"].find("name")) header.graphName = name.text();
    if (const JsonCursor solver = root.find("solver"))
        if (const JsonCursor name = solver.find("name")) header.solver = name.text();
    if (const JsonCursor source = root.find("cost_source"))
        if (const JsonCursor device = source.find("device")) header.device = device.text();
    header.budgetBytes = root.integerOr("budget_bytes", 0, 0);
    if (const JsonCursor chunks = root.find("chunks")) header.chunking = readChunks(chunks);
    if (document->failed()) return document->failure();
    return header;
}

std::string formatOf(const std::filesystem::path &path)
{
    std::array<char, 4096> bytes{};
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), bytes.size());
    const std::string_view begin(bytes.data(), static_cast<std::size_t>(file.gcount()));
    constexpr std::string_view kKey = "\"format\"";
    const std::size_t key = begin.find(kKey);
    if (key == std::string_view::npos) return {};
    const std::size_t open = begin.find('"', key + kKey.size());
    if (open == std::string_view::npos) return {};
    const std::size_t close = begin.find('"', open + 1);
    if (close == std::string_view::npos) return {};
    return std::string(begin.substr(open + 1, close - open - 1));
}

} // namespace remat
