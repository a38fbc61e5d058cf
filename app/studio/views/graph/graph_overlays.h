// SPDX-License-Identifier: Apache-2.0
// Numbers that cards can be coloured by.
#pragma once

#include "app/studio/work/document/document.h"
#include "core/views/graph_figures.h"

#include <QString>

#include <array>

namespace remat::studio {

/// What the colour of a card says.
enum class ColourBy : std::uint8_t {
    PlanState,
    Bytes,      ///< held, made again or offloaded; of backward ops, made
    Time,       ///< time to compute every op once
    Recomputes, ///< computations after the first
    Lifetime,   ///< the longest that something made here is in device memory
    Wait,       ///< the longest that something made here lies in device memory between two uses
    TimeError   ///< how far the roofline is off the measured time, either way, as a share of the roofline's
};
const std::vector<ColourBy> &colourChoices();
/// As the choice names it: `Idle time`.
QString colourName(ColourBy by);
/// A value with its unit.
QString overlayText(ColourBy by, double value);

/// Whether there is anything to show: how far times are off is only known where costs were measured.
bool overlayKnown(ColourBy by, const CostedModel &model);

/// Per side and node of the tree, in bytes, µs, a count or a share.
using Overlay = std::array<std::vector<double>, 2>;

/// Empty for plan state. Lifetimes and waits of a cluster are the longest below it, its time error is that of its whole
/// time, the others are sums. Zeros where nothing is known. O(ops × depth + steps × inputs).
Overlay overlayOf(ColourBy by, const GraphTree &tree, const CostedModel &model, const GraphFigures &figures,
                  const MemoryTimeline &timeline);

/// Per storage, how long the longest of its copies is in device memory, µs. O(ranges).
std::vector<double> lifetimesUs(const Graph &graph, const MemoryTimeline &timeline);
/// Per storage, the longest stretch in which a copy lies in device memory and no op makes or reads it, µs. O(steps ×
/// inputs + ranges).
std::vector<double> waitsUs(const Graph &graph, const MemoryTimeline &timeline);

} // namespace remat::studio
