// SPDX-License-Identifier: Apache-2.0
// The trade-off plot as a widget: hover, click, and the budget line under the mouse.
#pragma once

#include "app/studio/base/plots/plot_canvas.h"
#include "app/studio/views/curve/curve_scene.h"
#include "app/studio/views/curve/reference_plans.h"
#include "app/studio/work/document/training_card.h"
#include "app/studio/work/jobs/chunk_outlook.h"

namespace remat::studio {

/// Reads the document and the bound; a click makes a plan current, a drag of the line moves the budget. Arrow keys go
/// from point to point, Left and Right by peak, Up and Down by overhead; Enter loads the plan. GUI thread only.
class CurveCanvas : public PlotCanvas
{
    Q_OBJECT
public:
    CurveCanvas(Document *document, BoundRunner *bound, QWidget *parent = nullptr);

    /// Devices with their memory, and the card that knows what each leaves for the step.
    void setDevices(std::vector<std::pair<QString, std::int64_t>> devices, const TrainingCard &card);
    void setReferences(ReferencePlans *references);
    /// Who knows the floor over all chunkings.
    void setChunks(ChunkOutlook *chunks);
    void setMisses(std::vector<SweepMiss> misses);
    /// Makes a point's plan the current one; a reference joins the plans of the document.
    void load(int planId);
    /// The point the keys are at; 0 when there is none.
    int marked() const { return m_marked; }
    const CurveScene &scene() const { return m_scene; }
    CurveLayout layoutNow() const { return layOutCurve(m_scene, size()); }
    void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const override;

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    QString tooltipAt(const QPointF &at) const override;

private:
    void take();
    void hover(const QPointF &at);
    bool onBudgetLine(const QPointF &at) const;
    void dragTo(const QPointF &at);
    void mark(const CurvePoint &point);
    QString tooltip(const CurvePoint &point) const;

    Document *m_document;
    BoundRunner *m_bound;
    CurveScene m_scene;
    std::vector<std::pair<QString, std::int64_t>> m_devices;
    const TrainingCard *m_card = nullptr;
    ReferencePlans *m_references = nullptr;
    ChunkOutlook *m_chunks = nullptr;
    int m_hovered = 0, m_marked = 0;
    bool m_dragging = false;
};

} // namespace remat::studio
