// SPDX-License-Identifier: Apache-2.0
#include "core/io/plan_header.h"

#include "core/io/chunks_json.h"
#include "core/io/json_cursor.h"

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

} // namespace remat
