// SPDX-License-Identifier: Apache-2.0
#include "core/io/archive_data.h"

#include "core/base/limits.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>
#include <zip.h>

namespace remat {

struct ArchiveData::Zip {
    zip_t *archive = nullptr;
    std::string fileName;
    std::int64_t fileBytes = 0;
    std::string topFolder; ///< with its slash; empty when entries lie at the top

    Zip() = default;
    Zip(const Zip &) = delete;
    Zip &operator=(const Zip &) = delete;
    ~Zip()
    {
        if (archive) zip_discard(archive);
    }
};

ArchiveData::ArchiveData(std::unique_ptr<Zip> zip) : m_zip(std::move(zip)) {}
ArchiveData::ArchiveData(ArchiveData &&) noexcept = default;
ArchiveData &ArchiveData::operator=(ArchiveData &&) noexcept = default;
ArchiveData::~ArchiveData() = default;

Expected<ArchiveData> ArchiveData::open(const std::filesystem::path &path)
{
    auto zip = std::make_unique<Zip>();
    zip->fileName = path.filename().string();
    std::error_code error;
    if (const std::uintmax_t bytes = std::filesystem::file_size(path, error); !error)
        zip->fileBytes = static_cast<std::int64_t>(bytes);
    int code = 0;
    zip->archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
    if (!zip->archive) {
        zip_error_t zipError;
        zip_error_init_with_code(&zipError, code);
        std::string reason = zip_error_strerror(&zipError);
        zip_error_fini(&zipError);
        return fail(
            fmt::format("{} cannot be opened as an archive: {}. Trace the model again.", zip->fileName, reason));
    }
    if (const char *first = zip_get_name(zip->archive, 0, 0)) {
        const std::string_view name = first;
        if (const std::size_t slash = name.find('/'); slash != std::string_view::npos)
            zip->topFolder = name.substr(0, slash + 1);
    }
    return ArchiveData(std::move(zip));
}

std::vector<ArchiveData::Entry> ArchiveData::entries() const
{
    constexpr zip_uint64_t kMost = std::uint64_t(1) << 62;
    std::vector<Entry> result;
    const zip_int64_t count = zip_get_num_entries(m_zip->archive, 0);
    for (zip_int64_t i = 0; i < count; ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(m_zip->archive, static_cast<zip_uint64_t>(i), 0, &stat) != 0) continue;
        if (!(stat.valid & ZIP_STAT_SIZE) || !(stat.valid & ZIP_STAT_NAME) || stat.size > kMost) continue;
        std::string_view name = stat.name;
        if (name.substr(0, m_zip->topFolder.size()) == m_zip->topFolder) name.remove_prefix(m_zip->topFolder.size());
        if (!name.empty() && name.back() != '/')
            result.push_back({std::string(name), static_cast<std::int64_t>(stat.size)});
    }
    return result;
}

std::int64_t ArchiveData::room() const
{
    // A file is smaller than 2^55 bytes on any machine, so this does not overflow.
    return kArchiveRoom + kArchiveRoomPerByte * std::min(m_zip->fileBytes, std::int64_t(1) << 55);
}

/// An entry's place in the directory, and its size as it stands there.
struct ArchiveData::Found {
    zip_uint64_t index = 0;
    zip_uint64_t bytes = 0;
};

Expected<ArchiveData::Found> ArchiveData::find(const std::string &entry)
{
    zip_t *archive = m_zip->archive;
    zip_int64_t index = zip_name_locate(archive, entry.c_str(), 0);
    if (index < 0) index = zip_name_locate(archive, (m_zip->topFolder + entry).c_str(), 0);
    if (index < 0) return fail("{} has no entry {}. Trace the model again.", m_zip->fileName, quotedName(entry));
    zip_stat_t stat;
    zip_stat_init(&stat);
    const auto entryIndex = static_cast<zip_uint64_t>(index);
    if (zip_stat_index(archive, entryIndex, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE))
        return fail("{}: entry {} has no size. Copy the file again.", m_zip->fileName, quotedName(entry));
    return Found{entryIndex, stat.size};
}

Expected<std::string> ArchiveData::read(const std::string &entry, std::int64_t maxBytes)
{
    const Expected<Found> found = find(entry);
    if (!found) return tl::unexpected(found.error());
    if (maxBytes < 0 || found->bytes > static_cast<zip_uint64_t>(maxBytes))
        return fail("{}: entry {} unpacks to {} bytes, and at most {} are read from an archive of this "
                    "size. If it is a real trace, save it without compression.",
                    m_zip->fileName, quotedName(entry), found->bytes, maxBytes);
    return readEntry(entry, *found, found->bytes);
}

Expected<std::string> ArchiveData::readStart(const std::string &entry, std::int64_t bytes)
{
    const Expected<Found> found = find(entry);
    if (!found) return tl::unexpected(found.error());
    return readEntry(entry, *found,
                     std::min(found->bytes, static_cast<zip_uint64_t>(std::max<std::int64_t>(bytes, 0))));
}

Expected<std::string> ArchiveData::readEntry(const std::string &entry, const Found &found, std::uint64_t kept)
{
    constexpr zip_uint64_t kBlock = zip_uint64_t(1) << 20;
    zip_file_t *file = zip_fopen_index(m_zip->archive, found.index, 0);
    if (!file)
        return fail("{}: entry {} cannot be read: {}. Copy the file again.", m_zip->fileName, quotedName(entry),
                    zip_strerror(m_zip->archive));
    // What the directory says of the size may be a lie: memory is taken as the bytes come.
    std::string bytes;
    std::string rest;
    zip_uint64_t done = 0;
    zip_int64_t got = 0;
    do {
        if (done < kept) {
            bytes.resize(static_cast<std::size_t>(std::min(kept, done + kBlock)));
            got = zip_fread(file, bytes.data() + done, bytes.size() - done);
        } else {
            // To the end, where the checksum is compared.
            rest.resize(static_cast<std::size_t>(kBlock));
            got = zip_fread(file, rest.data(), rest.size());
        }
        if (got > 0) done += static_cast<zip_uint64_t>(got);
    } while (got > 0 && done <= found.bytes);
    const bool closed = zip_fclose(file) == 0;
    if (got < 0 || !closed || done != found.bytes)
        return fail("{}: entry {} is damaged: its {}. Copy the file again.", m_zip->fileName, quotedName(entry),
                    done == found.bytes ? "checksum is wrong"
                                        : std::to_string(found.bytes) + " bytes are not all there");
    return bytes;
}

} // namespace remat
