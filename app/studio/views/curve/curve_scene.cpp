// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/curve_scene.h"

#include "app/studio/work/document/lasting_plans.h"

#include <QLineF>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr double kLeft = 66, kRight = 26, kTop = 78, kBottom = 50;
constexpr double kReach = 12;
constexpr double kLeastTop = 0.05;
constexpr double kOverBest = 1.6;

} // namespace

double largestOverhead(const CurveScene &scene)
{
    double all = kLeastTop, best = 0;
    for (const CurvePoint *point : pointsByPeak(scene))
        all = std::max({all, point->overhead, point->measuredOverhead.value_or(0)});
    // The bound at 30 % of the peak gives an empty plot its measure.
    for (const BoundPoint &point : scene.bound)
        if (point.budgetBytes >= scene.keepAllPeakBytes / 10 * 3) best = std::max(best, point.overhead);
    for (const CurvePoint &point : scene.points)
        if (point.overhead <= bestOverheadWithin(scene.points, point.peakBytes)) best = std::max(best, point.overhead);
    return std::max({kLeastTop, scene.heldOverhead, best > 0 ? std::min(all, kOverBest * best) : all});
}

CurveLayout layOutCurve(const CurveScene &scene, const QSizeF &size)
{
    CurveLayout layout;
    layout.plot = QRectF(kLeft, kTop, std::max(40.0, size.width() - kLeft - kRight),
                         std::max(40.0, size.height() - kTop - kBottom));
    const double all = static_cast<double>(std::max<std::int64_t>(scene.keepAllPeakBytes, 1));
    const std::int64_t floor = scene.leastInChunksBytes > 0 ? scene.leastInChunksBytes : scene.floorBytes;
    const double low = std::max(0.0, static_cast<double>(floor) - 0.06 * all);
    layout.x = {low, 1.04 * all, layout.plot.left(), layout.plot.right()};
    layout.y = {0, 1.12 * largestOverhead(scene), layout.plot.bottom(), layout.plot.top()};
    return layout;
}

QRectF missMark(const CurveLayout &layout, std::int64_t budgetBytes)
{
    constexpr double kSide = 8;
    return {layout.x.pixel(static_cast<double>(budgetBytes)) - kSide / 2, layout.plot.top() + 4, kSide, kSide};
}

QPointF CurveLayout::place(std::int64_t bytes, double overhead) const
{
    return {x.pixel(static_cast<double>(bytes)), std::max(y.pixel(overhead), plot.top() + 5)};
}

const CurvePoint *pointAt(const CurveScene &scene, const CurveLayout &layout, const QPointF &at)
{
    const CurvePoint *nearest = nullptr;
    double best = kReach;
    for (const CurvePoint *point : pointsByPeak(scene)) {
        const double away = QLineF(layout.place(point->peakBytes, point->overhead), at).length();
        if (away > best) continue;
        best = away;
        nearest = point;
    }
    return nearest;
}

const CurvePoint *CurveScene::find(int planId) const
{
    for (const auto &list : {&points, &references})
        for (const CurvePoint &point : *list)
            if (point.planId == planId) return &point;
    return nullptr;
}

std::optional<double> CurveScene::bestWithin(std::int64_t bytes) const
{
    // Keep-all itself is a plan, whether it is in the list or not.
    if (bytes >= keepAllPeakBytes) return 0;
    std::optional<double> best = bestOverheadWithin(points, bytes);
    for (const auto &[peak, overhead] : quick)
        if (peak <= bytes && (!best || overhead < *best)) best = overhead;
    return best;
}

std::vector<const CurvePoint *> pointsByPeak(const CurveScene &scene)
{
    std::vector<const CurvePoint *> all;
    for (const auto &list : {&scene.points, &scene.references})
        for (const CurvePoint &point : *list)
            all.push_back(&point);
    std::stable_sort(all.begin(), all.end(),
                     [](const CurvePoint *a, const CurvePoint *b) { return a->peakBytes < b->peakBytes; });
    return all;
}

std::vector<DeviceRoom> roomOn(const std::vector<std::pair<QString, std::int64_t>> &devices,
                               const std::function<std::int64_t(std::int64_t)> &leftOn)
{
    std::vector<DeviceRoom> rooms;
    for (const auto &[title, memoryBytes] : devices)
        if (const std::int64_t room = leftOn(memoryBytes); room > 0) rooms.push_back({title, room});
    std::stable_sort(rooms.begin(), rooms.end(),
                     [](const DeviceRoom &a, const DeviceRoom &b) { return a.roomBytes < b.roomBytes; });
    return rooms;
}

std::vector<BoundPoint> liftedBy(const Document &document, std::vector<BoundPoint> bound)
{
    const double keepAllUs = document.model()->keepAllTimeUs;
    for (const auto &entry : lastingPlans(document.plans())) {
        const Plan &plan = *entry->plan;
        if (entry->kind != HoldsFor::GivenOrder || plan.budgetBytes <= 0 || keepAllUs <= 0) continue;
        // A file may claim more than its plan takes.
        const double proven = std::min(plan.predicted.lowerBoundTimeUs, entry->timeline->timeUs) / keepAllUs - 1;
        for (BoundPoint &point : bound)
            if (point.budgetBytes <= plan.budgetBytes) point.overhead = std::max(point.overhead, proven);
    }
    return bound;
}

} // namespace remat::studio
