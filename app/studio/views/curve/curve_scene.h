// SPDX-License-Identifier: Apache-2.0
// What the trade-off plot shows and where: data and scales, no painting.
#pragma once

#include "app/studio/base/plots/scale.h"
#include "app/studio/views/curve/curve_points.h"
#include "app/studio/work/jobs/bound_runner.h"
#include "app/studio/work/jobs/sweep_runner.h"

#include <QRectF>

#include <functional>
#include <map>

namespace remat::studio {

/// A device whose free memory is a line in the plot.
struct DeviceRoom {
    QString title;
    std::int64_t roomBytes = 0; ///< for dynamic memory
};

struct CurveScene {
    std::vector<CurvePoint> points;
    std::vector<CurvePoint> references; ///< always there to measure others by
    std::vector<SweepMiss> misses;      ///< budgets for which a planner found nothing
    std::vector<BoundPoint> bound;
    std::vector<DeviceRoom> devices; ///< by room
    std::int64_t keepAllPeakBytes = 0, floorBytes = 0, budgetBytes = 0;
    std::int64_t leastInChunksBytes = 0;  ///< no plan of any chunking needs less; 0: not known
    std::map<std::int64_t, double> quick; ///< overheads of quick plans that were made to compare with, by peak
    int currentPlan = 0;                  ///< id; 0: none
    double heldOverhead = 0;              ///< the plot reaches at least to it: plans come and go under a dragged budget

    bool empty() const { return keepAllPeakBytes <= 0; }
    bool infeasible() const { return budgetBytes < floorBytes; }
    /// A plan or a reference; none when there is no point of that id.
    const CurvePoint *find(int planId) const;
    /// The least overhead of what was found within so many bytes, quick plans included; none where nothing was.
    std::optional<double> bestWithin(std::int64_t bytes) const;
};

/// Where things stand in a plot of a given size.
struct CurveLayout {
    QRectF plot;
    Scale x, y; ///< bytes, overhead

    /// What is higher than the plot stands at its upper edge.
    QPointF place(std::int64_t bytes, double overhead) const;
};

/// What the plot reaches up to: what points need, but not much more than the best front, since a planner that thrashes
/// would squeeze all others.
double largestOverhead(const CurveScene &scene);

/// Where a budget without a plan is marked, at the plot's upper edge.
QRectF missMark(const CurveLayout &layout, std::int64_t budgetBytes);

/// From a little under the lower floor to a little over keep-all; overheads up to what the points need, or the bound.
CurveLayout layOutCurve(const CurveScene &scene, const QSizeF &size);

/// Plans and references from the smallest peak to the largest; the scene keeps them.
std::vector<const CurvePoint *> pointsByPeak(const CurveScene &scene);

/// The plan or reference nearest to `at` within 12 px; none when there is none.
const CurvePoint *pointAt(const CurveScene &scene, const CurveLayout &layout, const QPointF &at);

/// Devices of the list with what `leftOn` says that their memory leaves for the step; those without room are left out.
/// By room.
std::vector<DeviceRoom> roomOn(const std::vector<std::pair<QString, std::int64_t>> &devices,
                               const std::function<std::int64_t(std::int64_t)> &leftOn);

/// The bound over budgets, lifted to what was proven beside plans in the model's order: that holds at all smaller
/// budgets, too. O(plans × points).
std::vector<BoundPoint> liftedBy(const Document &document, std::vector<BoundPoint> bound);

} // namespace remat::studio
