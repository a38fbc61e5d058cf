// SPDX-License-Identifier: Apache-2.0
// Measures how fast copies between device and host memory are, by size.
#pragma once

#include "core/costs/link.h"
#include "gpu/engine/accelerator.h"

#include <vector>

namespace remat {

/// Copies 4 KiB, 16 KiB, … up to `mostBytes` there and back, on the copy streams; takes a block of device and of host
/// memory of that size while it does.
Expected<std::vector<LinkSpeed>> measureLink(Accelerator &accelerator, std::int64_t mostBytes);

} // namespace remat
