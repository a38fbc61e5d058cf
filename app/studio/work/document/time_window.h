// SPDX-License-Identifier: Apache-2.0
// The horizontal axis that all views over time share: what it counts, which part of it is seen, which range is chosen.
#pragma once

#include "app/studio/base/plots/columns.h"
#include "app/studio/base/plots/scale.h"
#include "core/views/sample_axis.h"

#include <QObject>

#include <memory>
#include <optional>

namespace remat {
struct CostedModel;
struct PlanEntry;
} // namespace remat

namespace remat::studio {

/// Positions are microseconds or steps, as `kind()` says. GUI thread only.
class TimeWindow : public QObject
{
    Q_OBJECT
public:
    explicit TimeWindow(QObject *parent = nullptr);

    AxisKind kind() const { return m_kind; }
    const Viewport &view() const { return m_view; }
    /// Where samples of the current plan (keep-all's before there is one) and of keep-all lie.
    const PlanAxes &axes() const { return m_axes; }
    /// A stretch the person chose to measure or export; none at first.
    const std::optional<Span> &range() const { return m_range; }

    /// Shows all of the axis afterwards; a range stays where it is in time.
    void setKind(AxisKind kind);
    /// Shows everything.
    void fit();
    void zoom(double at, double factor);
    void pan(double by);
    void show(double from, double to);
    /// Brings a position that is out of sight to the middle.
    void reveal(double at);
    /// How far the axis must reach at least: plans beside the current one may be longer. Zero for none.
    void setReach(double timeUs, double steps);
    /// While held the axis only grows: plans that get longer and shorter under a dragged budget would make it jump.
    void setHeld(bool held);
    void setRange(Span range);
    void clearRange();
    /// While set, any drag over a plot chooses a range.
    bool measuring() const { return m_measuring; }
    void setMeasuring(bool measuring);

    /// Called by the document before it tells its views. `all` shows everything, else what was seen stays.
    void follow(std::shared_ptr<const CostedModel> model, std::shared_ptr<const PlanEntry> plan, bool all);
    /// What is seen, chosen and counted goes over, either way; nobody is told before tellAll(), so that views hear of
    /// it when their document has the rest too.
    void trade(TimeWindow &other);
    void tellAll();

Q_SIGNALS:
    void viewChanged(); ///< kind, length, or the part that is seen
    void rangeChanged();
    void measuringChanged();

private:
    void refit(bool all);
    void change(const Viewport &before);

    AxisKind m_kind = AxisKind::Time;
    Viewport m_view;
    PlanAxes m_axes;
    std::optional<Span> m_range;
    bool m_measuring = false;
    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    double m_reachUs = 0, m_reachSteps = 0;
    bool m_held = false;
};

} // namespace remat::studio
