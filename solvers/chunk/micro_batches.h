// SPDX-License-Identifier: Apache-2.0
// The limit case of chunks: the whole step, a part of the batch after the other.
#pragma once

#include "core/graph/chunking.h"
#include "core/graph/program.h"

namespace remat {

/// One region with all of the step that has the batch in it, cut along the batch into `k` parts: gradient accumulation,
/// with forward and backward of one part before the next. `program` is prepared(). Fails with a sentence that names the
/// first op that needs all of the batch (a BatchNorm), and on graphs without an input that can be cut so.
Expected<ChunkRegion> microBatches(const Program &program, int k);

} // namespace remat
