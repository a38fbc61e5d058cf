// SPDX-License-Identifier: Apache-2.0
// Paints the scene: only what is in sight, and only what can be read at the scale.
#pragma once

#include "app/studio/base/style/theme.h"
#include "app/studio/views/graph/card_parts.h"

#include <QPainter>
#include <QPainterPath>

namespace remat::studio {

/// GUI thread only.
class GraphPainter
{
public:
    /// `painter` already maps picture coordinates to the screen; `sight` is what of the picture is on it. `picture` is
    /// the scene's, or what it passes through on the way there.
    GraphPainter(QPainter &painter, const GraphScene &scene, const GraphPicture &picture, const QRectF &sight,
                 double scale);

    /// `opacity` (0 to 1) is of the items that `isNew` marks: those that fade in.
    void paint(const std::vector<char> &isNew = {}, double opacity = 1);

private:
    bool isDimmed(const GraphItem &item) const;
    void paintMatches();
    void paintItem(int index);
    void paintFlat(const GraphItem &item);
    void paintFrame(int index, const GraphItem &item);
    void paintCard(int index, const GraphItem &item);
    void paintLoss(int index, const GraphItem &item);
    void paintBody(int index, const GraphItem &item, double radius);
    QColor bodyColor(const GraphItem &item) const;
    bool paintPin(const GraphItem &item, QPointF at);
    void paintStateBar(const GraphItem &item);
    /// Bytes and time; `bar`: with the bar of the bytes, too.
    void paintFigures(const GraphItem &item, bool bar);
    /// Where the figure of the bytes begins.
    double bytesLeft(const GraphItem &item) const;
    void paintNarrow(const GraphItem &item, double left, double right);
    void paintBytesBar(const GraphItem &item, const QRectF &trough);
    void paintChip(const QRectF &frame, double middle, const QString &text);
    double badgeWidthOf(const QString &text) const;
    double paintBadge(double x, double middle, const QString &text);
    void paintStepper(const GraphItem &item);
    void paintBranchSwitch(const GraphItem &item);
    void paintEdges();
    void paintBundle(const std::vector<QPointF> &corners, int more);
    void paintMarks();
    void drawText(const QRectF &rect, const QFont &font, const QColor &colour, const QString &text,
                  Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
    bool inSight(const QRectF &rect) const { return rect.intersects(m_sight); }
    QColor color(Token token) const { return m_theme.color(token); }

    QPainter &m_painter;
    const GraphScene &m_scene;
    const GraphPicture &m_picture;
    const Theme &m_theme;
    const QRectF m_sight;
    const Detail m_detail;
    QFont m_clusterFont, m_opFont, m_label, m_small;
};

} // namespace remat::studio
