// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/state_glyph.h"

#include <QPainterPath>

namespace remat::studio {

namespace {

QPen rounded(const QColor &colour, double width)
{
    return {colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
}

/// Lucide's rotate-ccw on its grid of 24.
QPainterPath turningArrow()
{
    QPainterPath path;
    path.moveTo(3, 12);
    path.arcTo(QRectF(3, 3, 18, 18), 180, 270); // round the bottom and up the right side
    path.cubicTo(9.5, 3, 7.1, 4, 5.26, 5.74);
    path.lineTo(3, 8);
    path.moveTo(3, 3);
    path.lineTo(3, 8);
    path.lineTo(8, 8);
    return path;
}

QPainterPath arrowToLine()
{
    QPainterPath path;
    path.moveTo(12, 17);
    path.lineTo(12, 3);
    path.moveTo(6, 11);
    path.lineTo(12, 17);
    path.lineTo(18, 11);
    path.moveTo(19, 21);
    path.lineTo(5, 21);
    return path;
}

} // namespace

Token stateToken(NodeState state)
{
    switch (state) {
    case NodeState::Kept:
    case NodeState::Mixed:
        return Token::Kept;
    case NodeState::Recomputed:
        return Token::Recomputed;
    case NodeState::Offloaded:
        return Token::Offloaded;
    case NodeState::Freed:
        return Token::LineStrong;
    case NodeState::Backward:
        return Token::Gradients;
    }
    return Token::LineStrong;
}

void paintStateGlyph(QPainter &painter, const QRectF &square, NodeState state)
{
    const Theme &theme = Theme::instance();
    const QColor colour = theme.color(stateToken(state));
    painter.save();
    painter.translate(square.topLeft());
    painter.scale(square.width() / 24, square.height() / 24);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    switch (state) {
    case NodeState::Kept:
        painter.drawEllipse(QPointF(12, 12), 9, 9);
        break;
    case NodeState::Backward:
        painter.drawPolygon(QPolygonF() << QPointF(12, 3.5) << QPointF(21.5, 20.5) << QPointF(2.5, 20.5));
        break;
    case NodeState::Freed:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(rounded(colour, 2.5));
        painter.drawEllipse(QPointF(12, 12), 7.5, 7.5);
        break;
    case NodeState::Mixed:
        painter.drawPie(QRectF(5.5, 5.5, 13, 13), 90 * 16, 180 * 16);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(rounded(theme.color(Token::Recomputed), 2.6));
        painter.drawEllipse(QPointF(12, 12), 9, 9);
        break;
    case NodeState::Recomputed:
    case NodeState::Offloaded:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(rounded(colour, 2.8));
        painter.drawPath(state == NodeState::Recomputed ? turningArrow() : arrowToLine());
        break;
    }
    painter.restore();
}

void paintChevron(QPainter &painter, const QRectF &square, Chevron direction, const QColor &colour)
{
    const QPointF c = square.center();
    const double a = square.width() * 0.15, b = square.width() * 0.3;
    QPolygonF line;
    switch (direction) {
    case Chevron::Right:
        line << c + QPointF(-a, -b) << c + QPointF(a, 0) << c + QPointF(-a, b);
        break;
    case Chevron::Down:
        line << c + QPointF(-b, -a) << c + QPointF(0, a) << c + QPointF(b, -a);
        break;
    case Chevron::Left:
        line << c + QPointF(a, -b) << c + QPointF(-a, 0) << c + QPointF(a, b);
        break;
    }
    painter.setPen(rounded(colour, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

} // namespace remat::studio
