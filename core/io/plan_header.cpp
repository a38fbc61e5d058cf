#include "core/io/plan_header.h"

#include "core/base/file.h"
#include "core/io/json_cursor.h"
#include "core/io/limits.h"

namespace remat {

Expected<std::string> readPlanFingerprint(const std::filesystem::path &path)
{
    const Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    Expected<JsonDocument> document = JsonDocument::parse(*text, path.filename().string());
    if (!document) return tl::unexpected(document.error());
    std::string fingerprint = document->root()["graph"]["fingerprint"].text();
    if (document->failed()) return document->failure();
    return fingerprint;
}

} // namespace remat
