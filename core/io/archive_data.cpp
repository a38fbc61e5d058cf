#include "core/io/archive_data.h"

#include <string_view>
#include <zip.h>

namespace remat {

struct ArchiveData::Zip {
    zip_t *archive = nullptr;
    std::string fileName;
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
    int code = 0;
    zip->archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
    if (!zip->archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        std::string reason = zip_error_strerror(&error);
        zip_error_fini(&error);
        return fail(zip->fileName + " cannot be opened as an archive: " + reason + ". Trace the model again.");
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

Expected<std::string> ArchiveData::read(const std::string &entry, std::int64_t maxBytes)
{
    zip_t *archive = m_zip->archive;
    zip_int64_t index = zip_name_locate(archive, entry.c_str(), 0);
    if (index < 0) index = zip_name_locate(archive, (m_zip->topFolder + entry).c_str(), 0);
    if (index < 0) return fail(m_zip->fileName + " has no entry " + entry + ". Trace the model again.");
    zip_stat_t stat;
    zip_stat_init(&stat);
    const auto entryIndex = static_cast<zip_uint64_t>(index);
    if (zip_stat_index(archive, entryIndex, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE))
        return fail(m_zip->fileName + ": entry " + entry + " has no size. Copy the file again.");
    if (maxBytes < 0 || stat.size > static_cast<zip_uint64_t>(maxBytes))
        return fail(m_zip->fileName + ": entry " + entry + " holds " + std::to_string(stat.size) +
                    " bytes where at most " + std::to_string(maxBytes) + " are expected. Trace the model again.");
    zip_file_t *file = zip_fopen_index(archive, entryIndex, 0);
    if (!file)
        return fail(m_zip->fileName + ": entry " + entry + " cannot be read: " + zip_strerror(archive) +
                    ". Copy the file again.");
    std::string bytes(static_cast<std::size_t>(stat.size), '\0');
    zip_uint64_t done = 0;
    while (done < stat.size) {
        const zip_int64_t got = zip_fread(file, bytes.data() + done, stat.size - done);
        if (got <= 0) break;
        done += static_cast<zip_uint64_t>(got);
    }
    const bool closed = zip_fclose(file) == 0;
    if (done < stat.size || !closed)
        return fail(m_zip->fileName + ": entry " + entry + " ends after " + std::to_string(done) + " of " +
                    std::to_string(stat.size) + " bytes or is damaged. Copy the file again.");
    return bytes;
}

} // namespace remat
