// Everything the memory view shows, as data: what is painted follows from this and a size alone.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/memory_view/op_labels.h"
#include "app/studio/plots/columns.h"
#include "app/studio/plots/sample_axis.h"

#include <array>
#include <memory>
#include <vector>

namespace remat::studio {

/// A row of the peak's popover.
struct PeakRow {
    Category category = Category::KeptActivations;
    QString name;
    std::int64_t bytes = 0;
    StorageId storage; ///< none for workspace and for the row that sums up the rest
};

/// Where a phase reaches on the axis.
struct PhaseSpan {
    Phase phase = Phase::Forward;
    double from = 0, to = 0;
};

/// Lanes below the stack.
enum class Lane : std::uint8_t { Compute, Recompute, CopyOut, CopyIn };

/// GUI thread only.
class MemoryScene
{
public:
    void setModel(std::shared_ptr<const CostedModel> model);
    void setPlan(std::shared_ptr<const PlanEntry> plan);
    void setAxisKind(AxisKind kind);
    void setBudget(std::int64_t bytes) { m_budgetBytes = bytes; }
    void setCursorUs(double timeUs) { m_cursorUs = timeUs; }
    void setSelection(Selection selection) { m_selection = selection; }

    bool hasModel() const { return m_model != nullptr; }
    bool hasPlan() const { return m_plan != nullptr; }
    const CostedModel &model() const { return *m_model; }
    const PlanEntry &plan() const { return *m_plan; }
    const Graph &graph() const { return m_model->graph(); }
    /// The plan's timeline, or keep-all's before there is a plan.
    const MemoryTimeline &timeline() const { return m_plan ? *m_plan->timeline : *m_model->keepAll; }
    const MemoryTimeline &keepAll() const { return *m_model->keepAll; }
    const SampleAxis &axis() const { return m_axes.plan; }
    const SampleAxis &keepAllAxis() const { return m_axes.keepAll; }
    AxisKind axisKind() const { return m_kind; }
    std::int64_t budgetBytes() const { return m_budgetBytes; }
    std::int64_t floorBytes() const { return m_model ? m_model->floor.bytes : 0; }
    bool infeasible() const { return m_model && m_budgetBytes < m_model->floor.bytes; }
    Selection selection() const { return m_selection; }
    const OpLabels &labels() const { return m_labels; }

    /// What the vertical axis must hold.
    double topBytes() const;
    double cursorUs() const { return m_cursorUs; }
    /// The sample that the readout is about: the one at the cursor, or the peak.
    std::size_t readoutSample() const;
    std::vector<PhaseSpan> phases() const;
    const std::vector<PeakRow> &peakRows() const { return m_peakRows; }
    /// Lanes in use, from top to bottom.
    std::vector<Lane> lanes() const;
    const std::vector<Span> &laneSpans(Lane lane) const { return m_lanes[static_cast<std::size_t>(lane)]; }
    /// Where a selected op runs, and where copies of a selected storage are alive, on the axis.
    std::vector<std::pair<Span, bool>> selectedOpSpans() const; ///< second: it is a recomputation
    std::vector<Span> selectedStorageSpans() const;
    /// The storage drawn at `bytes` above the baseline at a sample: in its category's band, the largest lowest.
    StorageId storageAt(std::size_t sample, std::int64_t bytes) const;
    /// Categories that have anything in this plan or in keep-all; those of every training graph are always there.
    std::vector<Category> legend() const;

private:
    void rebuild();
    void rebuildLanes();
    void rebuildPeak();
    Span spanOfSteps(std::int32_t first, std::int32_t last) const;

    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    AxisKind m_kind = AxisKind::Time;
    PlanAxes m_axes;
    OpLabels m_labels;
    std::vector<PeakRow> m_peakRows;
    std::array<std::vector<Span>, 4> m_lanes;
    std::int64_t m_budgetBytes = 0;
    double m_cursorUs = -1;
    Selection m_selection;
};

} // namespace remat::studio
