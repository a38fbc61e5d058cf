// SPDX-License-Identifier: Apache-2.0
// The plot of the memory view: mouse and keys.
#pragma once

#include "app/studio/base/plots/layered_plot.h"
#include "app/studio/views/memory/alive_list.h"
#include "app/studio/views/memory/memory_painter.h"
#include "app/studio/views/shared/time_gestures.h"
#include "app/studio/work/document/time_window.h"

namespace remat::studio {

/// Paints the scene and turns gestures into changes of the document. GUI thread only.
class MemoryCanvas : public LayeredPlot
{
    Q_OBJECT
public:
    explicit MemoryCanvas(Document *document, QWidget *parent = nullptr);

    void setAxisKind(AxisKind kind);
    void fit() override;
    /// Sets the lowest budget there can be a plan for.
    void goToFloor();
    /// The popover that says what makes the peak stays open.
    void setPeakPinned(bool pinned);
    /// Draws what a bound says at its cut, or no more of it.
    void showCut(const CutSums &cut);
    const CutSums &cut() const { return m_cut; }
    /// A strip lies over the top; what has to be read moves down.
    void setCoveredTop(double height);
    bool peakPinned() const { return m_peakPinned; }
    /// By category, or so many of the largest storages by name and the rest.
    void setGrouping(Grouping grouping, int largest);
    /// A list of everything alive at the peak, floating over the view.
    void openAliveList();
    /// The same of all storages that have no band of their own.
    void openRestList();
    const MemoryScene &scene() const
    {
        ensure();
        return m_scene;
    }
    const Viewport &viewport() const { return m_document->time().view(); }
    MemoryLayout layout() const { return MemoryLayout::make(scene(), viewport(), size()); }
    /// As painted now.
    MemoryLook look() const { return lookAt(size(), devicePixelRatioF()); }

    QSize minimumSizeHint() const override { return {280, 188}; }

Q_SIGNALS:
    void readoutChanged();
    void groupingChanged();
    void peakPinnedChanged();
    void resized();

protected:
    void paintBase(QPainter &painter, QSizeF size, double ratio) const override;
    void paintOverlay(QPainter &painter, QSizeF size, double ratio) const override;
    QString tooltipAt(const QPointF &position) const override;
    /// Hidden the view does nothing; what it shows is made anew when it is seen or asked for.
    void ensure() const override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum class Part { Nothing, Time, Budget, Peak, Popover };

    MemoryLook lookAt(const QSizeF &size, double devicePixelRatio) const;
    void takeModel();
    void takePlan();
    void takeBudget();
    void takeSelection();
    void takeCursor();
    void takeHover();
    void takeAxis();
    /// The base has to be painted anew.
    void changed();

    Part partAt(const QPointF &position) const;
    int popoverRowAt(const QPointF &position) const;
    void hover(const QPointF &position);
    /// The op of the lanes, or the storage whose band it is.
    Selection pointedAt(const QPointF &position) const;
    void click(const QPointF &position);
    /// On what lies above the bands of single storages.
    bool isRest(const QPointF &position) const;
    void showList(std::vector<AliveRow> rows, const QString &title, QPointF at);
    void dragBudget(double y);
    void moveBudget(std::int64_t bytes);
    std::int64_t clampedBudget(double bytes) const;
    void describe();

    Document *m_document;
    mutable MemoryScene m_scene;
    mutable bool m_sceneStale = false;
    mutable std::shared_ptr<MemoryPlaces> m_places = std::make_shared<MemoryPlaces>();
    bool m_peakPinned = true;
    CutSums m_cut;
    double m_coveredTop = 0;
    Part m_hovered = Part::Nothing;
    int m_hoveredRow = -1;
    TimeGestures *m_gestures;
    bool m_dragging = false; ///< the budget
    double m_grabOffset = 0;
};

} // namespace remat::studio
