// SPDX-License-Identifier: Apache-2.0
// The whole picture in a small box, with what is in sight as a frame that can be dragged.
#pragma once

#include "app/studio/views/graph/graph_scene.h"

#include <QPixmap>
#include <QWidget>

namespace remat::studio {

class GraphMinimap : public QWidget
{
    Q_OBJECT
public:
    /// `scene` outlives the map.
    explicit GraphMinimap(const GraphScene &scene, QWidget *parent = nullptr);

    /// The picture, its colours or the theme changed.
    void refresh();
    void setSight(const QRectF &sight);
    /// The frame of what is in sight, on the map.
    QRectF frame() const;

Q_SIGNALS:
    void centred(QPointF point); ///< what is to be in the middle, in the picture

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    QRectF toMap(const QRectF &rect) const;
    void paintPicture();

    const GraphScene &m_scene;
    QRectF m_sight;
    QPixmap m_picture; ///< null until it is needed
    QPointF m_grabbed; ///< from the frame's middle to where it was taken
};

} // namespace remat::studio
