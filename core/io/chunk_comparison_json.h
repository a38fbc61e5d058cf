// SPDX-License-Identifier: Apache-2.0
// What `validate` found of a step in chunks against the step without, in plan files.
#pragma once

#include "core/io/json_cursor.h"
#include "core/plan/plan.h"

namespace remat {

/// Marks the document where the object is no such.
ChunkComparison readChunkComparison(const JsonCursor &chunks);
nlohmann::ordered_json chunkComparisonJson(const ChunkComparison &chunks);

} // namespace remat
