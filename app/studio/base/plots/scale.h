// SPDX-License-Identifier: Apache-2.0
// From values to pixels and back, and where an axis has its ticks. No painting.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace remat::studio {

/// A straight map between two intervals; the pixel interval may run backwards (up the screen).
struct Scale {
    double fromValue = 0, toValue = 1;
    double fromPixel = 0, toPixel = 1;

    double pixel(double value) const
    {
        return fromPixel + (value - fromValue) * (toPixel - fromPixel) / (toValue - fromValue);
    }
    double value(double pixel) const
    {
        return fromValue + (pixel - fromPixel) * (toValue - fromValue) / (toPixel - fromPixel);
    }
};

struct Tick {
    double value = 0;
    QString label;
};

/// Ticks of a bytes axis from 0 to `topBytes`: steps of 1, 2 or 5 times a power of ten in one unit, the one that
/// figures of that size have, with one decimal at most; at most `most` of them besides 0.
std::vector<Tick> bytesTicks(double topBytes, int most);

/// Ticks of a time axis within [fromUs, toUs], in one unit (µs, ms or s) for the whole axis, about `wanted` of them.
std::vector<Tick> timeTicks(double fromUs, double toUs, int wanted);

/// Ticks of an axis that counts: whole numbers only, with thousands separators.
std::vector<Tick> countTicks(double from, double to, int wanted);

/// A window [from, to] onto [0, length], as zooming and panning move it. Never leaves [0, length], never gets
/// narrower than `narrowest`.
struct Viewport {
    double from = 0, to = 1;
    double length = 1;
    double narrowest = 1e-3;

    void fit(double newLength, double newNarrowest);
    /// Makes the window `factor` times as wide with `at` staying where it is.
    void zoom(double at, double factor);
    void pan(double by);
    void show(double newFrom, double newTo);
    bool all() const { return from <= 0 && to >= length; }
    double width() const { return to - from; }
};

} // namespace remat::studio
