// SPDX-License-Identifier: Apache-2.0
// Encoder and decoder with skip connections, of any size.
#pragma once

#include "core/graph/graph.h"

namespace remat::test {

/// Training graph of a U-Net: `levels` levels down and up with `blocks` convolutions on each side of a level; from one
/// level to the next channels double and both sides of the image halve, so that sizes halve and convolutions cost the
/// same. About levels · (4 · blocks + 6) ops; times in µs, sizes in KiB of one image.
Graph uShapedGraph(int levels, int blocks);

} // namespace remat::test
