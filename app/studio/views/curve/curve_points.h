// SPDX-License-Identifier: Apache-2.0
// Every plan of the document as a point: peak against overhead. No painting.
#pragma once

#include "app/studio/work/document/document.h"

#include <optional>
#include <string>
#include <vector>

namespace remat::studio {

/// One plan.
struct CurvePoint {
    int planId = 0;      ///< negative for references, which are no plans of the document: −1, −2, …
    std::string planner; ///< name in the registry
    QString title;
    std::int64_t peakBytes = 0;
    std::int64_t budgetBytes = 0; ///< that it was made for; 0 for none
    double overhead = 0;
    bool dominated = false; ///< another plan of the same planner is no worse in both and better in one
    bool quick = false;
    std::optional<std::int64_t> measuredPeakBytes; ///< peak of a real run
    std::optional<double> measuredOverhead;

    bool operator==(const CurvePoint &) const = default;
};

/// Plans that are valid, by planner (in the registry's order), then by peak. O(plans log plans).
std::vector<CurvePoint> curvePoints(const Document &document);

/// Points for plans that are none of the document's: those that `points` has not already.
std::vector<CurvePoint> referencePoints(const std::vector<std::shared_ptr<const PlanEntry>> &plans,
                                        const std::vector<CurvePoint> &points, double keepAllTimeUs);

/// Planners that have a point, in the order of the points.
std::vector<std::string> plannersOf(const std::vector<CurvePoint> &points);

/// The least overhead of any point whose peak is within `bytes`; none when there is no such point.
std::optional<double> bestOverheadWithin(const std::vector<CurvePoint> &points, std::int64_t bytes);

/// The plan at the knee of the trade-off: of the best front over all planners the one farthest below the straight line
/// between its ends, both axes taken as shares. None where the front has under four points or is nearly straight.
const CurvePoint *kneeOf(const std::vector<CurvePoint> &points);

} // namespace remat::studio
