// SPDX-License-Identifier: Apache-2.0
// readPayloads: where the bytes of weights and constants lie in an archive.
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/io/pt2_parts.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr std::string_view kConfigEnding = "_config.json";

bool isConfig(std::string_view name)
{
    return name.size() > kConfigEnding.size() && name.substr(name.size() - kConfigEnding.size()) == kConfigEnding;
}

/// True when the bytes of an entry, stored as `stored` says, are those of `value` as they stand.
bool isLaidOutAs(const Value &stored, const Value &value)
{
    return stored.dtype == value.dtype && stored.sizes == value.sizes && stored.strides == value.strides &&
           stored.storageOffset == 0;
}

std::string tooShort(const std::string &title, const std::string &entry, std::int64_t bytes, const Value &value)
{
    return fmt::format("{}, the data of {}, holds {} of {} bytes. The archive is damaged; copy or trace it again.",
                       printable(title + ", " + entry), printable(value.name), bytes, extentBytes(value));
}

} // namespace

Expected<JsonDocument> parseEntry(ArchiveData &archive, const std::string &entry, const std::string &title)
{
    const Expected<std::string> text = archive.read(entry, std::min(kMaxModelBytes, archive.room()));
    if (!text) return tl::unexpected(text.error());
    return JsonDocument::parse(*text, fmt::format("{}, {}", title, shortened(entry)),
                               archive.room() - static_cast<std::int64_t>(text->size()));
}

Expected<void> readPayloads(ArchiveData &archive, const std::string &folder, const std::string &title, Program &program)
{
    std::unordered_map<std::string, std::int64_t> sizes;
    std::string config;
    for (const ArchiveData::Entry &entry : archive.entries()) {
        if (entry.name.substr(0, folder.size()) != folder) continue;
        sizes.emplace(entry.name, entry.bytes);
        if (isConfig(entry.name)) config = entry.name;
    }
    if (config.empty()) return {};
    Expected<JsonDocument> document = parseEntry(archive, config, title);
    if (!document) return tl::unexpected(document.error());

    std::unordered_map<std::string, ProgramInput *> inputs;
    for (ProgramInput &input : program.inputs) {
        if (input.kind != StorageKind::Input) inputs.emplace(input.fqn, &input);
    }
    for (const auto &[fqn, payload] : document->root()["config"].members()) {
        const std::string entry = folder + payload["path_name"].text();
        const bool pickled = payload.booleanOr("use_pickle", false);
        const JsonCursor meta = payload.find("tensor_meta");
        const auto input = inputs.find(fqn);
        if (pickled || !meta || input == inputs.end()) continue;
        const Value stored = readTensor(meta);
        const auto size = sizes.find(entry);
        if (document->failed()) return document->failure();
        if (size == sizes.end() || size->second == 0) continue;
        const Value &value = program.value(input->second->value);
        if (!isLaidOutAs(stored, value)) continue;
        if (size->second < extentBytes(value)) return fail(tooShort(title, entry, size->second, value));
        input->second->archivePath = entry;
    }
    if (document->failed()) return document->failure();
    return {};
}

} // namespace remat
