// SPDX-License-Identifier: Apache-2.0
// Whether copies run beside compute, which every predicted time of a plan with offloads rests on.
#pragma once

#include "gpu/engine/accelerator.h"

namespace remat {

/// Work on the compute stream and a copy that take about as long, each alone and both at once; µs of one run. All 0:
/// not measured.
struct CopyOverlap {
    double computeUs = 0, copyUs = 0, bothUs = 0;
};

/// Fills device memory while as many bytes are copied to host memory; takes two blocks of them, and one in host memory,
/// while it does. On an accelerator that poisons what is closed.
Expected<CopyOverlap> measureOverlap(Accelerator &accelerator, std::int64_t bytes);

/// How much of the shorter of the two was hidden beside the longer: 1 is what the engine expects, 0 is one after the
/// other. 0 when nothing was measured.
double hiddenShare(const CopyOverlap &overlap);

} // namespace remat
