// SPDX-License-Identifier: Apache-2.0
#include "core/io/eager_comparison_json.h"

#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"

#include <algorithm>

namespace remat {

namespace {

constexpr const char *kEntry = "extra/remat_comparison.json";
constexpr std::int64_t kMostBytes = std::int64_t(64) << 20; // a line for each of a million tensors

double relativeOf(const JsonCursor &cursor)
{
    const JsonCursor relative = cursor.find("relative");
    return relative ? relative.anyNumber() : 0;
}

EagerTensor readTensor(const JsonCursor &cursor)
{
    EagerTensor tensor;
    tensor.name = cursor["name"].text();
    tensor.kind = cursor.textOr("kind", "");
    tensor.equal = cursor["equal"].boolean();
    tensor.relative = relativeOf(cursor);
    tensor.explainedBy = cursor.textOr("explained_by", "");
    return tensor;
}

EagerOp readFirstOp(const JsonCursor &cursor)
{
    return {cursor.textOr("name", ""), cursor.textOr("operator", ""), cursor.textOr("module", ""),
            cursor.textOr("line", ""), relativeOf(cursor)};
}

/// A verdict that its own list of tensors contradicts is none.
void checkTensors(const JsonCursor &root, const EagerComparison &comparison)
{
    for (const EagerTensor &tensor : comparison.tensors) {
        const bool unexplained = !tensor.equal && tensor.explainedBy.empty();
        if ((comparison.verdict == EagerVerdict::Equal && !tensor.equal) ||
            (comparison.verdict == EagerVerdict::Explained && unexplained))
            root["verdict"].fail("is \"{}\", but the tensor \"{}\" is not.", eagerVerdictName(comparison.verdict),
                                 tensor.name.substr(0, 60));
    }
}

} // namespace

EagerComparison readEagerComparison(ArchiveData &archive)
{
    const auto entries = archive.entries();
    if (std::none_of(entries.begin(), entries.end(), [](const auto &entry) { return entry.name == kEntry; })) return {};
    const auto text = archive.read(kEntry, std::min(kMostBytes, archive.room()));
    const auto read = text ? parseEagerComparison(*text, kEntry) : tl::unexpected(text.error());
    EagerComparison none;
    if (!read) none.why = "The archive's record of a comparison cannot be read: " + read.error().message;
    return read ? *read : none;
}

Expected<EagerComparison> parseEagerComparison(std::string_view text, const std::string &title)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    checkFormat(root, "remat-comparison/1", "a comparison");
    EagerComparison comparison;
    const std::string name = root["verdict"].text();
    const auto verdict = eagerVerdictOf(name);
    if (!verdict) root["verdict"].fail("is \"{}\", which is no verdict.", name.substr(0, 60));
    comparison.verdict = verdict.value_or(EagerVerdict::NotCompared);
    // Of a graph that is equal the tracer's sentence says no more than the verdict, but for what the next step showed.
    const bool equal = verdict == EagerVerdict::Equal || verdict == EagerVerdict::Explained;
    comparison.why = root.textOr(equal ? "next_step" : "why", "");
    comparison.batch = root.textOr("batch", "");
    comparison.torchVersion = root.textOr("torch", "");
    if (const JsonCursor tensors = root.find("tensors"))
        for (const JsonCursor &tensor : tensors.items())
            comparison.tensors.push_back(readTensor(tensor));
    if (const JsonCursor first = root.find("first_op")) comparison.firstOp = readFirstOp(first);
    if (!document->failed()) checkTensors(root, comparison);
    if (document->failed()) return document->failure();
    return comparison;
}

} // namespace remat
