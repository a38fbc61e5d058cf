// SPDX-License-Identifier: Apache-2.0
// Traces from PyTorch, `.pt2`: a zip archive with `models/model.json` in torch.export's schema.
#pragma once

#include "core/graph/eager_comparison.h"
#include "core/graph/program.h"

#include <filesystem>

namespace remat {

/// Reads the joint graph of a `torch.export` archive. Nothing in the archive is executed or unpickled; data of weights
/// is not read. Storages and ops are not yet set: buildGraph() does that. Any thread.
/// `eager`, where given, takes what the archive says of the graph against plain PyTorch.
Expected<Program> readPt2(const std::filesystem::path &path, EagerComparison *eager = nullptr);

} // namespace remat
