// SPDX-License-Identifier: Apache-2.0
// The header of the memory view: title, legend, and what the side readout says when there is no side.
#pragma once

#include "app/studio/views/memory/memory_painter.h"
#include "app/studio/views/shared/time_header.h"

#include <QSlider>
#include <QToolButton>
#include <QWidget>

namespace remat::studio {

/// 32 high. GUI thread only.
class MemoryHeader : public QWidget
{
    Q_OBJECT
public:
    explicit MemoryHeader(QWidget *parent = nullptr);

    /// What stands for what; with `measured` also the line of a real run.
    void setLegend(const std::vector<Category> &categories, bool measured);
    /// Figures of the cursor, shown here only while the view is narrow.
    void setReadout(const Readout &readout, bool shown);
    /// Without icon and title where tabs before it say them.
    void setTitleShown(bool shown);
    /// Category or storage; where there is little room the menu has the choice.
    SegmentedControl *groupingChoice() { return m_grouping; }
    /// How many storages have a band, 5 to 60; shown by storage only.
    QSlider *detail() { return m_detail; }
    void setGrouping(bool byStorage, int largest);
    RulerButton *ruler() { return m_ruler; }
    SegmentedControl *axisChoice() { return m_axis; }
    QToolButton *more() { return m_more; }
    QSize sizeHint() const override { return {900, 32}; }
    /// The legend on a line of its own below, where the header has no room for its words. Hidden where it has.
    QWidget *legendLine() const { return m_legendLine; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    /// How much the legend says.
    enum class Form { Full, Brief, Swatches };
    enum class Mark { Swatch, Dashes, Line };
    struct Entry {
        QString name;
        Mark mark = Mark::Swatch;
        Category category = Category::KeptActivations; ///< category of a swatch
    };
    std::vector<Entry> entries(Form form) const;
    double widthOf(const std::vector<Entry> &entries, double gap) const;
    void paintLegend(QPainter &painter, const std::vector<Entry> &entries, double left, double gap) const;
    /// Paints icon and title; returns where they end.
    double paintTitle(QPainter &painter) const;
    void placeControls();
    /// Whether the words of the legend have room in the header.
    void placeLegend();
    bool wordsFit(Form form) const;
    double titleEnd() const;
    friend class LegendLine;
    double paintRange(QPainter &painter, double right, double room) const;
    /// Paints the readout to end at `right`, in at most `room`; returns where it begins.
    double paintReadout(QPainter &painter, double right, double room) const;

    std::vector<Category> m_legend;
    bool m_measured = false;
    Readout m_readout;
    bool m_readoutShown = false;
    bool m_titleShown = true;
    SegmentedControl *m_grouping;
    QSlider *m_detail;
    SegmentedControl *m_axis;
    RulerButton *m_ruler;
    QToolButton *m_more;
    QWidget *m_legendLine;
    bool m_byStorage = false;
    double m_controlsLeft = 0; ///< where legend and readout end
};

} // namespace remat::studio
