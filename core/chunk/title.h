// Chunkings in words.
#pragma once

#include "core/graph/chunking.h"

#include <string>

namespace remat {

/// `the loss in 8 chunks`, `12 regions like gelu_backward in 4 chunks`, several with commas; `no chunks` for none.
std::string chunkingTitle(const Chunking &chunking);

} // namespace remat
