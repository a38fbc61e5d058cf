// SPDX-License-Identifier: Apache-2.0
// The canvas: shows the scene through a movable, zoomable window, and tells what was hit.
#pragma once

#include "app/studio/views/graph/graph_scene.h"

#include <QVariantAnimation>
#include <QWidget>

namespace remat::studio {

class StudioButton;

/// What a key means in the graph.
enum class GraphCommand {
    Up,
    Down,
    Left,
    Right,
    Toggle,
    ToggleBelow, ///< with everything inside
    Outwards,    ///< to the frame around
    Earlier,     ///< the member before in a run of identical clusters
    Later,
    Frame, ///< the selection into the middle, then everything
    First,
    Last,
    Clear
};

class GraphCanvas : public QWidget
{
    Q_OBJECT
public:
    static constexpr double kHeader = 34; ///< column titles, above the picture
    static constexpr double kSmallest = 0.02, kLargest = 3;
    static constexpr double kSmallestFit = 0.12; ///< columns can still be told apart

    /// `scene` outlives the canvas.
    explicit GraphCanvas(const GraphScene &scene, QWidget *parent = nullptr);

    double scale() const { return m_scale; }
    QPointF origin() const { return m_origin; }
    /// As it was left; kept within the picture.
    void setSight(double scale, QPointF origin);
    /// The wheel zooms, and scrolls with Ctrl.
    void setWheelZooms(bool zooms) { m_wheelZooms = zooms; }
    bool wheelZooms() const { return m_wheelZooms; }
    /// Something floats over the lowest part, which selections must not hide under.
    void setCovered(int height);
    /// What of the picture is to be seen.
    QRectF sight() const;
    QPointF toPicture(QPointF position) const { return (position - m_origin) / m_scale; }
    QRectF toWidget(const QRectF &rect) const;

    /// The scene's picture is new. Moves what `from` holds to its new place, and lets the rest fade in; `from` is empty
    /// for no animation. Rects are per item of the new picture, null for those that are new.
    void pictureChanged(std::vector<QRectF> from);
    /// What was at `before` in the former picture and is at `after` in this one stays where it is on the screen.
    void keepInPlace(QPointF before, QPointF after);
    void zoomAround(QPointF position, double factor);
    /// Shows everything, at most at full size, or of a very long picture as much as can be made out.
    void fit();
    void showActualSize();
    /// Moves as little as needed to bring a rect of the picture into sight.
    void ensureVisible(const QRectF &rect);
    void centreOn(QPointF point);

    /// Share of the layout that is done, for the bar at the top; negative hides it.
    void setProgress(double share, const QString &text);
    /// Instead of a picture: one sentence with an icon; empty shows the picture.
    void setEmptyText(const QString &text);

Q_SIGNALS:
    void sightChanged();
    void resized();
    void focusChanged();
    void hovered(int item);
    void clicked(int item);             ///< -1 on the background
    void toggled(int item, bool below); ///< `below`: with everything inside
    void stopWanted();
    void stepped(int item, int by);
    void branchesSwitched(int item);
    void commanded(remat::studio::GraphCommand command);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

private:
    /// The card, or the frame whose header is there.
    int itemAt(QPointF position) const;
    bool hitsChevron(int item, QPointF position) const;
    bool stepAt(int item, QPointF position);
    bool hitsBranchSwitch(int item, QPointF position) const;
    void moveTo(QPointF origin);
    void paintHeader(QPainter &painter);
    void paintEmpty(QPainter &painter);
    void paintProgress(QPainter &painter);
    QRectF progressPill() const;
    GraphPicture between(double share) const;

    const GraphScene &m_scene;
    QPointF m_origin{27, 35}; ///< where the picture's corner is on the widget
    double m_scale = 1;
    QPointF m_pressed, m_originAtPress;
    bool m_pressing = false, m_dragging = false;
    bool m_spaceDown = false, m_wheelZooms = false;
    int m_covered = 0;
    std::vector<QRectF> m_from; ///< while it moves
    QVariantAnimation m_animation;
    double m_progress = -1;
    StudioButton *m_stop;
    QString m_progressText, m_emptyText;
};

} // namespace remat::studio
