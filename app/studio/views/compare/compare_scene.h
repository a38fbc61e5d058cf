// SPDX-License-Identifier: Apache-2.0
// What the overlay of compared plans shows, as data: what is painted follows from this and a size alone.
#pragma once

#include "app/studio/base/plots/columns.h"
#include "app/studio/work/document/document.h"
#include "core/views/difference_line.h"
#include "core/views/sample_axis.h"

#include <memory>
#include <optional>
#include <vector>

namespace remat::studio {

/// How plans are laid over each other: by time, each by its own steps, or each op where A computes it first.
enum class CompareAxis { Time, Steps, Aligned };

/// A plan and the borders of its samples on the axis.
struct ComparedPlan {
    std::shared_ptr<const PlanEntry> plan;
    std::vector<double> edges;

    const MemoryTimeline &timeline() const { return *plan->timeline; }
};

struct CompareScene {
    std::shared_ptr<const CostedModel> model;
    CompareAxis kind = CompareAxis::Time;
    std::vector<ComparedPlan> plans; ///< A first; at most four
    std::size_t other = 1;           ///< the plan that A is compared with
    SampleAxis axis;                 ///< axis of A: what the cursor moves on
    std::vector<double> keepAllEdges;
    DifferenceLine difference;
    double backwardFrom = 0; ///< where A computes its first op of the backward pass
    double cursorUs = -1;
    Selection selection;

    bool ready() const { return model && plans.size() >= 2; }
    double topBytes() const;
    /// Bytes that a plan holds at a position; 0 beyond its end.
    std::int64_t heldAt(std::size_t plan, double position) const;
    /// Where a plan holds a storage, on the axis.
    std::vector<Span> spansOf(std::size_t plan, StorageId storage) const;
};

/// The scene of a document's compared plans. O(samples).
CompareScene makeCompareScene(const Document &document, CompareAxis kind, std::size_t other);

} // namespace remat::studio
