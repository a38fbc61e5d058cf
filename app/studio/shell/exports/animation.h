// SPDX-License-Identifier: Apache-2.0
// Pictures one after the other in one file that every browser plays: an animated PNG.
#pragma once

#include <QByteArray>
#include <QImage>

#include <vector>

namespace remat::studio {

/// An animated PNG (the third edition of the PNG standard, chunks acTL, fcTL and fdAT) that loops for ever; each frame
/// stands for so many milliseconds. Frames have one size and at most 256 colours between them; of each only what
/// differs from the one before is written. Empty when there are none. O(pixels).
QByteArray animatedPng(const std::vector<QImage> &frames, int millisecondsPerFrame);

} // namespace remat::studio
