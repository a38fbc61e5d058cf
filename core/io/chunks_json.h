// SPDX-License-Identifier: Apache-2.0
// Chunkings in plan files: `"chunks": [{"k": 8, "nodes": {"mm": {"ins": [0, "whole"], "outs": [0]}}}]`.
#pragma once

#include "core/graph/chunking.h"
#include "core/io/json_cursor.h"

namespace remat {

/// A list of regions. For each node an entry for each tensor that it reads, and one for each output: the dim from which
/// on it is cut, `"whole"` or `"sum"`. Whether that can be, regionNodes() says. Marks the document where the list is no
/// such.
Chunking readChunks(const JsonCursor &chunks);
nlohmann::ordered_json chunksJson(const Chunking &chunking);

} // namespace remat
