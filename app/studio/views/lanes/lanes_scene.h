// SPDX-License-Identifier: Apache-2.0
// What the lanes view shows, as rows of blocks on the axis.
#pragma once

#include "app/studio/base/plots/blocks.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/document/time_window.h"
#include "core/model/plan_entry.h"
#include "core/views/plan_lanes.h"
#include "core/views/selection.h"

#include <optional>

namespace remat::studio {

/// Modules that follow each other, at one depth of the hierarchy.
struct ModuleBlock {
    QString name;
    Phase phase = Phase::Forward;
};

/// Rows of one lane, or of one depth of modules. Ids of blocks are indices into events, or into `modules`.
struct LaneRow {
    bool isModule = false;
    Lane lane = Lane::Compute;
    std::vector<Block> blocks;
    std::vector<Block> measured; ///< by a real run, to the plan's length; none by steps
    std::vector<ModuleBlock> modules;
};

/// Immutable once made.
class LanesScene
{
public:
    LanesScene() = default;
    LanesScene(std::shared_ptr<const CostedModel> model, std::shared_ptr<const PlanEntry> plan, const PlanAxes &axes,
               AxisKind kind);

    bool hasModel() const { return m_model != nullptr; }
    bool hasPlan() const { return m_plan != nullptr; }
    const CostedModel &model() const { return *m_model; }
    const PlanEntry *plan() const { return m_plan.get(); }
    const Graph &graph() const { return m_model->graph(); }
    const MemoryTimeline &timeline() const { return m_plan ? *m_plan->timeline : *m_model->keepAll; }
    const OpLabels &labels() const { return m_labels; }
    const PlanLanes &lanes() const { return m_lanes; }
    /// Lanes from top to bottom: compute, recompute, copy in, copy out, and the host where updates run there.
    const std::vector<LaneRow> &rows() const { return m_rows; }
    /// Modules by depth, the outermost first; at most three.
    const std::vector<LaneRow> &moduleRows() const { return m_moduleRows; }
    const std::vector<Span> &waits() const { return m_waits; } ///< on the axis; none by steps
    /// Measurements of a real run, for each step of the plan; none where it was not run, or not timed.
    const std::vector<StepMeasurement> *measured() const { return m_measured; }
    /// What compute waits for at a position of the axis: how long, and the copy's storage. Nothing where it does not.
    std::optional<std::pair<double, StorageId>> waitAt(double position) const;
    const std::vector<CriticalStretch> &critical() const { return m_critical; } ///< on the axis
    /// Share of the plan's time that a lane sets the pace, 0 … 1.
    double criticalShare(Lane lane) const;

    const LaneEvent &event(const LaneRow &row, std::int32_t id) const
    {
        return m_lanes.of(row.lane)[static_cast<std::size_t>(id)];
    }
    /// What a block of a lane is: its op, or the storage that is copied.
    Selection selectionOf(const LaneRow &row, std::int32_t id) const;
    QString nameOf(const LaneRow &row, std::int32_t id) const;

private:
    void makeRows(const PlanAxes &axes, AxisKind kind);
    void makeModules(const PlanAxes &axes);

    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    OpLabels m_labels;
    PlanLanes m_lanes;
    const std::vector<StepMeasurement> *m_measured = nullptr; ///< measurements of m_plan
    std::vector<LaneRow> m_rows, m_moduleRows;
    std::vector<Span> m_waits;
    std::vector<CriticalStretch> m_critical;
    double m_criticalUs[kLaneCount] = {};
};

} // namespace remat::studio
