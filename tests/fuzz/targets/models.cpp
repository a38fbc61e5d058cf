// SPDX-License-Identifier: Apache-2.0
// Traces and graphs.
#include "tests/fuzz/targets/all.h"

#include "core/io/archive_data.h"
#include "core/io/pt2_reader.h"
#include "tests/fuzz/exercise.h"

namespace remat::fuzz {

bool readGraphFile(std::string_view input)
{
    const auto model = readModel(fileOf(input));
    if (!model) return refusedWith(model.error().message);
    exercise(*model);
    return true;
}

bool readTrace(std::string_view input)
{
    const std::string path = fileOf(input);
    if (auto archive = ArchiveData::open(path)) {
        constexpr std::int64_t kMost = 1 << 20;
        for (const ArchiveData::Entry &entry : archive->entries()) {
            require(entry.bytes >= 0, "an entry of negative size");
            if (const auto bytes = archive->read(entry.name, kMost); !bytes)
                refusedWith(bytes.error().message);
            else
                require(static_cast<std::int64_t>(bytes->size()) <= kMost, "an entry that is larger than asked for");
        }
    } else {
        refusedWith(archive.error().message);
    }
    return readGraphFile(input);
}

} // namespace remat::fuzz
