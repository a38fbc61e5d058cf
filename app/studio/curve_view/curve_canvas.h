// The trade-off plot as a widget: hover, click, and the budget line under the mouse.
#pragma once

#include "app/studio/curve_view/curve_scene.h"
#include "app/studio/plots/plot_canvas.h"

namespace remat::studio {

/// Reads the document and the bound; a click makes a plan current, a drag of the line moves the budget. Left and Right
/// go from plan to plan by peak. GUI thread only.
class CurveCanvas : public PlotCanvas
{
    Q_OBJECT
public:
    CurveCanvas(Document *document, BoundRunner *bound, QWidget *parent = nullptr);

    void setDevices(std::vector<std::pair<QString, std::int64_t>> devices);
    void setChosenPlanner(const std::string &planner);
    const CurveScene &scene() const { return m_scene; }
    CurveLayout layoutNow() const { return layOutCurve(m_scene, size()); }
    void paintPlot(QPainter &painter, const QSizeF &size, double devicePixelRatio) const override;

Q_SIGNALS:
    void sceneChanged();
    /// A drag of the budget; the document has the value already.
    void budgetDragStarted();
    void budgetDragged(std::int64_t bytes);
    void budgetDragFinished(std::int64_t bytes);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    void take();
    void hover(const QPointF &at);
    bool onBudgetLine(const QPointF &at) const;
    void dragTo(const QPointF &at);
    QString tooltip(const CurvePoint &point) const;

    Document *m_document;
    BoundRunner *m_bound;
    CurveScene m_scene;
    std::vector<std::pair<QString, std::int64_t>> m_devices;
    int m_hovered = 0;
    bool m_dragging = false;
};

} // namespace remat::studio
