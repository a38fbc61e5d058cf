// SPDX-License-Identifier: Apache-2.0
// Writes a rewritten trace as an archive.
#pragma once

#include "core/base/expected.h"
#include "core/graph/program.h"

#include <filesystem>

namespace remat {

/// Writes `program`, rewritten from the trace at `source` with the same inputs and names of outputs, as an archive at
/// `target` that readModel() opens: the source's entries, weights among them, with new nodes in its `model.json`. Stack
/// traces and modules of copies are those of the node they were made from. Fails with a sentence when a file cannot be
/// read or written; `target` is then as it was. O(archive).
Expected<void> writePt2(const std::filesystem::path &source, const Program &program,
                        const std::filesystem::path &target);

} // namespace remat
