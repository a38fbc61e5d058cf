// SPDX-License-Identifier: Apache-2.0
// Buffers and offsets as MiniMalloc's CSV.
#pragma once

#include "core/addresses/layout.h"
#include "core/base/expected.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace remat {

/// What a CSV of buffers says.
struct BufferTable {
    std::vector<MemoryInstance> instances;            ///< by first step; `storage` counts them in that order
    std::vector<std::string> ids;                     ///< per instance, as the file has it
    std::optional<std::vector<std::int64_t>> offsets; ///< where the file has them
};

/// Reads columns by their names: `id` (`buffer`, `buffer_id`), `lower` (`begin`, `start`), `upper` (first step after
/// the last; or `end`, the last itself) and `size`; `offset` where it is there; others are passed over, but `gaps` and
/// alignments other than 1 are refused. At most a million buffers.
Expected<BufferTable> readBufferTable(std::string_view text);
Expected<BufferTable> readBufferTable(const std::filesystem::path &path);

/// The same with offsets: `id,lower,upper,size,offset`.
std::string bufferTableText(const BufferTable &table, const MemoryLayout &layout);

} // namespace remat
