// Data entries of a `.pt2` archive: the raw bytes of weights and constants.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace remat {

/// An open archive whose entries can be read one after the other. Not thread-safe.
class ArchiveData
{
public:
    static Expected<ArchiveData> open(const std::filesystem::path &path);
    ArchiveData(ArchiveData &&) noexcept;
    ArchiveData &operator=(ArchiveData &&) noexcept;
    ~ArchiveData();

    /// One entry, named without the archive's top folder, and its size in bytes once unpacked.
    struct Entry {
        std::string name;
        std::int64_t bytes = 0;
    };
    /// All entries, in the order of the archive. Folders and entries without a size are left out.
    std::vector<Entry> entries() const;

    /// The bytes of an entry, named with or without the archive's top folder (`data/weights/weight_3`). Fails with a
    /// sentence when it is missing, damaged, or larger than `maxBytes`.
    Expected<std::string> read(const std::string &entry, std::int64_t maxBytes);

private:
    struct Zip;
    explicit ArchiveData(std::unique_ptr<Zip> zip);
    std::unique_ptr<Zip> m_zip;
};

} // namespace remat
