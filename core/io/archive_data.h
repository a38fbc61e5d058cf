// SPDX-License-Identifier: Apache-2.0
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
    /// Reads the directory of the archive; memory in proportion to the file.
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

    /// Bytes that a text of the archive and the tree made of it may take together (see limits.h).
    std::int64_t room() const;

    /// The bytes of an entry, named with or without the archive's top folder (`data/weights/weight_3`). Fails with a
    /// sentence when it is missing, damaged (its checksum is verified), or larger than `maxBytes`.
    Expected<std::string> read(const std::string &entry, std::int64_t maxBytes);

    /// The first `bytes` bytes of an entry that may hold more, or all of it when it holds fewer. The rest is read too,
    /// for the checksum, and let go.
    Expected<std::string> readStart(const std::string &entry, std::int64_t bytes);

private:
    struct Zip;
    struct Found;
    explicit ArchiveData(std::unique_ptr<Zip> zip);
    Expected<Found> find(const std::string &entry);
    Expected<std::string> readEntry(const std::string &entry, const Found &found, std::uint64_t kept);
    std::unique_ptr<Zip> m_zip;
};

} // namespace remat
