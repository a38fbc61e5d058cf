// SPDX-License-Identifier: Apache-2.0
// The horizontal axis that all views over time share: what it counts, which part of it is seen, which range is chosen.
#pragma once

#include "app/studio/work/document/time_axis.h"

#include <QObject>

namespace remat::studio {

class Document;

/// The axis of the work that a document shows. Positions are microseconds or steps, as `kind()` says. GUI thread only.
class TimeWindow : public QObject
{
    Q_OBJECT
public:
    explicit TimeWindow(const Document &document, QObject *parent = nullptr);

    AxisKind kind() const { return axis().kind; }
    const Viewport &view() const { return axis().view; }
    /// Where samples of the current plan (keep-all's before there is one) and of keep-all lie.
    const PlanAxes &axes() const { return axis().axes; }
    /// A stretch the person chose to measure or export; none at first.
    const std::optional<Span> &range() const { return axis().range; }

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
    void follow(bool all);
    /// The document shows another work, and its views know that.
    void tellAll();

Q_SIGNALS:
    void viewChanged(); ///< kind, length, or the part that is seen
    void rangeChanged();
    void measuringChanged();

private:
    TimeAxis &axis() const;
    void change(const Viewport &before);

    const Document &m_document;
    bool m_measuring = false;
    double m_reachUs = 0, m_reachSteps = 0;
    bool m_held = false;
};

} // namespace remat::studio
