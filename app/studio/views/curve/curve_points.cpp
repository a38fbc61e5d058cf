// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/curve_points.h"

#include "app/studio/base/text/text.h"
#include "solvers/interface/solver.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace remat::studio {

namespace {

std::size_t rankOf(const std::string &planner)
{
    const auto &all = planners();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Planner *p) { return p->info.name == planner; });
    return static_cast<std::size_t>(found - all.begin());
}

CurvePoint pointOf(const PlanEntry &entry, double keepAllTimeUs)
{
    CurvePoint point;
    point.planId = entry.id;
    point.planner = entry.plan->origin.solver;
    point.title = toQString(entry.title);
    point.peakBytes = entry.timeline->peakBytes;
    point.budgetBytes = entry.plan->budgetBytes;
    point.overhead = keepAllTimeUs > 0 ? std::max(entry.timeline->timeUs / keepAllTimeUs - 1, 0.0) : 0;
    point.quick = entry.quick;
    if (const auto &run = entry.plan->validated; run && run->measuredPeakBytes > 0) {
        point.measuredPeakBytes = run->measuredPeakBytes;
        if (run->measuredKeepAllTimeUs > 0)
            point.measuredOverhead = run->measuredTimeUs / run->measuredKeepAllTimeUs - 1;
    }
    return point;
}

/// `points` of one planner, by peak and then by overhead.
void markDominated(std::vector<CurvePoint>::iterator first, std::vector<CurvePoint>::iterator last)
{
    double best = std::numeric_limits<double>::infinity();
    for (; first != last; ++first) {
        first->dominated = first->overhead >= best;
        best = std::min(best, first->overhead);
    }
}

} // namespace

std::vector<CurvePoint> curvePoints(const Document &document)
{
    std::vector<CurvePoint> points;
    const auto model = document.model();
    if (!model) return points;
    for (const auto &entry : document.plans())
        if (verdictOf(*entry, 0).level != VerdictLevel::Failed) points.push_back(pointOf(*entry, model->keepAllTimeUs));
    std::stable_sort(points.begin(), points.end(), [](const CurvePoint &a, const CurvePoint &b) {
        if (a.planner != b.planner) {
            const std::size_t left = rankOf(a.planner), right = rankOf(b.planner);
            return left != right ? left < right : a.planner < b.planner;
        }
        return a.peakBytes != b.peakBytes ? a.peakBytes < b.peakBytes : a.overhead < b.overhead;
    });
    for (auto first = points.begin(); first != points.end();) {
        const auto last =
            std::find_if(first, points.end(), [&](const CurvePoint &p) { return p.planner != first->planner; });
        markDominated(first, last);
        first = last;
    }
    return points;
}

std::vector<CurvePoint> referencePoints(const std::vector<std::shared_ptr<const PlanEntry>> &plans,
                                        const std::vector<CurvePoint> &points, double keepAllTimeUs)
{
    std::vector<CurvePoint> references;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        CurvePoint point = pointOf(*plans[i], keepAllTimeUs);
        point.planId = -1 - static_cast<int>(i);
        const bool known = std::any_of(points.begin(), points.end(), [&](const CurvePoint &other) {
            return other.planner == point.planner && other.peakBytes == point.peakBytes &&
                   other.overhead == point.overhead;
        });
        if (!known) references.push_back(std::move(point));
    }
    return references;
}

std::vector<std::string> plannersOf(const std::vector<CurvePoint> &points)
{
    std::vector<std::string> names;
    for (const CurvePoint &point : points)
        if (names.empty() || names.back() != point.planner) names.push_back(point.planner);
    return names;
}

const CurvePoint *kneeOf(const std::vector<CurvePoint> &points)
{
    constexpr std::size_t kFewest = 4;
    constexpr double kBend = 0.1; ///< a front that bends less has no place that tells anything
    std::vector<const CurvePoint *> front;
    for (const CurvePoint &point : points)
        if (!point.quick) front.push_back(&point);
    std::stable_sort(front.begin(), front.end(), [](const CurvePoint *a, const CurvePoint *b) {
        return a->peakBytes != b->peakBytes ? a->peakBytes < b->peakBytes : a->overhead < b->overhead;
    });
    double best = std::numeric_limits<double>::infinity();
    std::erase_if(front, [&best](const CurvePoint *point) {
        return point->overhead >= std::exchange(best, std::min(best, point->overhead));
    });
    if (front.size() < kFewest) return nullptr;
    const CurvePoint &first = *front.front(), &last = *front.back();
    const auto bytes = static_cast<double>(last.peakBytes - first.peakBytes);
    const double time = first.overhead - last.overhead;
    const CurvePoint *knee = nullptr;
    double farthest = kBend;
    for (const CurvePoint *point : front) {
        const double along = static_cast<double>(point->peakBytes - first.peakBytes) / bytes;
        const double below = 1 - along - (point->overhead - last.overhead) / time;
        if (below <= farthest) continue;
        farthest = below;
        knee = point;
    }
    return knee;
}

std::optional<double> bestOverheadWithin(const std::vector<CurvePoint> &points, std::int64_t bytes)
{
    std::optional<double> best;
    for (const CurvePoint &point : points)
        if (point.peakBytes <= bytes && (!best || point.overhead < *best)) best = point.overhead;
    return best;
}

} // namespace remat::studio
