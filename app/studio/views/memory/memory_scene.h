// SPDX-License-Identifier: Apache-2.0
// Everything the memory view shows, as data: what is painted follows from this and a size alone.
#pragma once

#include "app/studio/base/plots/columns.h"
#include "app/studio/base/plots/phase_spans.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/document/document.h"
#include "core/views/plan_lanes.h"
#include "core/views/range_meter.h"
#include "core/views/sample_axis.h"
#include "core/views/storage_bands.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace remat::studio {

/// A row of the peak's popover.
struct PeakRow {
    Category category = Category::KeptActivations;
    QString name;
    std::int64_t bytes = 0;
    StorageId storage; ///< none for workspace and for the row that sums up the rest
};

/// What the bands of the stack are.
enum class Grouping { Category, Storage };

/// GUI thread only.
class MemoryScene
{
public:
    void setModel(std::shared_ptr<const CostedModel> model);
    void setPlan(std::shared_ptr<const PlanEntry> plan);
    void setAxisKind(AxisKind kind);
    void setBudget(std::int64_t bytes) { m_budgetBytes = bytes; }
    void setCursorUs(double timeUs) { m_cursorUs = timeUs; }
    /// The selected storage has a band of its own. True when the bands are others now.
    bool setSelection(Selection selection);
    void setHover(Selection hover) { m_hover = hover; }
    /// What the module makes is shown as one curve; none for no module.
    void setModule(std::shared_ptr<const SelectedModule> module);
    /// Bytes that the selected module's storages take at each sample; empty without one.
    const std::vector<std::int64_t> &moduleBytes() const { return m_moduleBytes; }
    /// Where its ops run, stretches without another op between in one; second: computed again.
    const std::vector<std::pair<Span, bool>> &moduleRuns() const { return m_moduleRuns; }
    /// By storage, so many of the largest have a band of their own.
    void setGrouping(Grouping grouping, int largest);

    bool hasModel() const { return m_model != nullptr; }
    bool hasPlan() const { return m_plan != nullptr; }
    const CostedModel &model() const { return *m_model; }
    const PlanEntry &plan() const { return *m_plan; }
    const Graph &graph() const { return m_model->graph(); }
    /// The plan's timeline, or keep-all's before there is a plan.
    const MemoryTimeline &timeline() const { return m_plan ? *m_plan->timeline : *m_model->keepAll; }
    /// What the plan is drawn beside: with weights and states where it counts these.
    const MemoryTimeline &keepAll() const { return countsWeights() ? *m_plan->pagedKeepAll : *m_model->keepAll; }
    bool countsWeights() const { return m_plan && m_plan->pagedKeepAll; }
    /// What budgets are shares of.
    std::int64_t wholeBytes() const { return m_model->keepAllPeakBytes; }
    const SampleAxis &axis() const { return m_axes.plan; }
    const SampleAxis &keepAllAxis() const { return m_axes.keepAll; }
    AxisKind axisKind() const { return m_kind; }
    std::int64_t budgetBytes() const { return m_budgetBytes; }
    std::int64_t floorBytes() const { return m_model ? m_model->floor.bytes : 0; }
    bool infeasible() const { return m_model && m_budgetBytes < m_model->floor.bytes; }
    Selection selection() const { return m_selection; }
    Selection hover() const { return m_hover; }
    Grouping grouping() const { return m_grouping; }
    int largest() const { return m_largest; }
    /// Only by storage.
    const StorageBands &bands() const { return m_bands; }
    /// Where a storage lies in the stack of categories.
    const StorageHeights &heights(StorageId storage) const;
    /// Peak of a real run of this plan, 0 without one.
    std::int64_t measuredPeakBytes() const;
    /// Bytes held in the same run while each sample's op ran; empty without one.
    const std::vector<std::int64_t> &measuredBytes() const { return m_measuredBytes; }
    RangeFigures rangeFigures(Span range) const;
    const OpLabels &labels() const { return m_labels; }

    /// What the vertical axis must hold.
    double topBytes() const;
    double cursorUs() const { return m_cursorUs; }
    /// The sample that the readout is about: the one at the cursor, or the peak.
    std::size_t readoutSample() const;
    const std::vector<PhaseSpan> &phases() const { return m_phases; }
    const std::vector<PeakRow> &peakRows() const { return m_peakRows; }
    /// Lanes in use, from top to bottom.
    std::vector<Lane> lanes() const;
    const std::vector<Span> &laneSpans(Lane lane) const { return m_lanes[static_cast<std::size_t>(lane)]; }
    /// Where an op runs, and where copies of a storage are alive, on the axis.
    std::vector<std::pair<Span, bool>> opSpans(OpId op) const; ///< second: it is a recomputation
    std::vector<Span> storageSpans(StorageId storage) const;
    /// The storage drawn at `bytes` above the baseline at a sample: by category in its category's band, the largest
    /// lowest; by storage its own band.
    StorageId storageAt(std::size_t sample, std::int64_t bytes) const;
    /// Categories that have anything in this plan or in keep-all; those of every training graph are always there.
    std::vector<Category> legend() const;

private:
    void rebuild();
    void rebuildLanes();
    void rebuildPeak();
    void rebuildBands();
    void rebuildModule();
    Span spanOfSteps(std::int32_t first, std::int32_t last) const;

    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    AxisKind m_kind = AxisKind::Time;
    PlanAxes m_axes;
    OpLabels m_labels;
    std::vector<PeakRow> m_peakRows;
    std::vector<std::int64_t> m_measuredBytes;
    std::array<std::vector<Span>, kLaneCount> m_lanes;
    std::vector<PhaseSpan> m_phases;
    std::int64_t m_budgetBytes = 0;
    double m_cursorUs = -1;
    Selection m_selection, m_hover;
    std::shared_ptr<const SelectedModule> m_module;
    std::vector<std::int64_t> m_moduleBytes;
    std::vector<std::pair<Span, bool>> m_moduleRuns;
    Grouping m_grouping = Grouping::Category;
    int m_largest = 20;
    StorageId m_extraBand; ///< band of the selected storage
    StorageBands m_bands;
    mutable std::map<std::size_t, StorageHeights> m_heights; ///< heights of storages that were asked about lately
    mutable std::optional<RangeMeter> m_meter;               ///< made when a range is asked about
};

} // namespace remat::studio
