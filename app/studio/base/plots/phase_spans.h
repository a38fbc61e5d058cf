// SPDX-License-Identifier: Apache-2.0
// Where forward, loss and backward lie on the axis, and their labels above a plot.
#pragma once

#include "app/studio/base/plots/scale.h"
#include "core/graph/graph.h"
#include "core/views/sample_axis.h"

#include <QPainter>

namespace remat::studio {

/// Where a phase reaches on the axis.
struct PhaseSpan {
    Phase phase = Phase::Forward;
    double from = 0, to = 0;
};

/// Forward, loss and backward as stretches that follow each other, cut so that as much time as possible is in the
/// stretch of its own phase: a plan may compute in another order than the graph, and recomputed forward ops belong to
/// the phase they are needed in. A stretch of which less than half is its phase's is left out. O(samples).
std::vector<PhaseSpan> phaseSpans(const Graph &graph, const MemoryTimeline &timeline, const SampleAxis &axis);

/// Names and rules in the band above `plot`, the rules at `ruleY`; the loss is shaded down the plot.
void paintPhases(QPainter &painter, const std::vector<PhaseSpan> &phases, const QRectF &plot, const Scale &x,
                 double ruleY, double devicePixelRatio);

} // namespace remat::studio
