// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/planner_look.h"

#include <QPolygonF>

#include <array>

namespace remat::studio {

namespace {

constexpr std::array kColours = {Token::Kept,      Token::Offloaded, Token::Gradients, Token::Recomputed,
                                 Token::Workspace, Token::PlanB,     Token::Parameters};
constexpr std::array kMarkers = {Marker::Disc,    Marker::Triangle, Marker::Square, Marker::Downward,
                                 Marker::Diamond, Marker::Plus,     Marker::Ring};
constexpr std::array kDashes = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

} // namespace

PlannerLook lookOf(std::size_t place)
{
    const std::size_t round = place / kColours.size();
    return {kColours[place % kColours.size()], kMarkers[(place + 2 * round) % kMarkers.size()],
            kDashes[(place + round) % kDashes.size()]};
}

void paintMarker(QPainter &painter, const QPointF &at, Marker marker, const QColor &colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const QPen stroke(colour, 2.2, Qt::SolidLine, Qt::RoundCap);
    const auto polygon = [&](std::initializer_list<QPointF> points) {
        QPolygonF shape;
        for (const QPointF &point : points)
            shape << at + point;
        painter.drawPolygon(shape);
    };
    switch (marker) {
    case Marker::Disc:
        painter.drawEllipse(at, 4.5, 4.5);
        break;
    case Marker::Triangle:
        polygon({{0, -5.2}, {5, 4}, {-5, 4}});
        break;
    case Marker::Square:
        painter.drawRect(QRectF(at.x() - 4, at.y() - 4, 8, 8));
        break;
    case Marker::Downward: // a cross means that no plan was found
        polygon({{0, 5.2}, {5, -4}, {-5, -4}});
        break;
    case Marker::Diamond:
        polygon({{0, -5.6}, {5.6, 0}, {0, 5.6}, {-5.6, 0}});
        break;
    case Marker::Plus:
        painter.setPen(stroke);
        painter.drawLine(at + QPointF(-4.6, 0), at + QPointF(4.6, 0));
        painter.drawLine(at + QPointF(0, -4.6), at + QPointF(0, 4.6));
        break;
    case Marker::Ring:
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour, 2));
        painter.drawEllipse(at, 4, 4);
        break;
    }
    painter.restore();
}

} // namespace remat::studio
