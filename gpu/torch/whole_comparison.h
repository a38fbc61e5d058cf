// SPDX-License-Identifier: Apache-2.0
// A graph in chunks against the graph as it was traced: what a plan's run, which is held against the same chunks,
// cannot see.
#pragma once

#include "gpu/torch/compare.h"
#include "gpu/torch/runs.h"

namespace remat {

/// Runs keep-all of the setting's model without chunks from the same inputs, with dropout off, and compares with
/// `outputs`, which the same step in chunks gave within an ExactScope. Sums over chunks are added up in another order,
/// which explains 8 units of the last place of a tensor's largest entry for each chunk. What stands in the way is told
/// in the result, and is no failure.
ChunkComparison compareWithWhole(RunDevice device, const std::vector<HostOutput> &outputs, const RunSetting &setting);

} // namespace remat
