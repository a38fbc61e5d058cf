// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_painter.h"

#include "app/studio/base/style/state_glyph.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/edge_routes.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

using M = PictureMetrics;

constexpr double kDimmed = 0.35; // opacity for what a search did not find

} // namespace

GraphPainter::GraphPainter(QPainter &painter, const GraphScene &scene, const GraphPicture &picture, const QRectF &sight,
                           double scale)
    : m_painter(painter),
      m_scene(scene),
      m_picture(picture),
      m_theme(Theme::instance()),
      m_sight(sight),
      m_detail(detailAt(scale)),
      m_clusterFont(m_theme.font(FontRole::Name)),
      m_opFont(m_clusterFont),
      m_label(m_theme.font(FontRole::Label)),
      m_small(m_theme.font(FontRole::Small))
{
    m_clusterFont.setWeight(QFont::DemiBold);
    m_opFont.setWeight(QFont::Medium);
}

void GraphPainter::paint(const std::vector<char> &isNew, double opacity)
{
    m_painter.setRenderHint(QPainter::Antialiasing, m_detail != Detail::Colours);
    const auto &items = m_picture.items;
    for (std::size_t i = 0; i < items.size();) {
        if (!inSight(items[i].rect.adjusted(-6, -6, 6, 6 + M::kStackEdges))) {
            i = static_cast<std::size_t>(items[i].end);
            continue;
        }
        const double clear = isNew.empty() || !isNew[i] ? 1 : opacity;
        m_painter.setOpacity(isDimmed(items[i]) ? clear * kDimmed : clear);
        if (!isNew.empty() && isNew[i] && opacity <= 0) {
            i = static_cast<std::size_t>(items[i].end);
            continue;
        }
        paintItem(static_cast<int>(i));
        ++i;
    }
    m_painter.setOpacity((isNew.empty() ? 1 : opacity) * (m_scene.matches.searching ? kDimmed : 1));
    paintEdges();
    m_painter.setOpacity(1);
    if (m_scene.matches.searching) paintMatches();
    paintMarks();
}

bool GraphPainter::isDimmed(const GraphItem &item) const
{
    return m_scene.matches.searching && item.shape != ItemShape::Frame && matchesIn(m_scene, item) == 0;
}

void GraphPainter::paintMatches()
{
    for (const GraphItem &item : m_picture.items) {
        const bool closed = item.shape != ItemShape::Frame;
        const int count = closed ? matchesIn(m_scene, item) : 0;
        if (count == 0 || !inSight(item.rect)) continue;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(color(Token::Accent), 1.5));
        const double radius = item.shape == ItemShape::OpCard ? kOpRadius : kCardRadius;
        m_painter.drawRoundedRect(item.rect.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius);
        if (m_detail < Detail::Kinds || item.shape == ItemShape::OpCard || !m_scene.nodeOf(item).expandable()) continue;
        const QString text = QString::number(count);
        const double width = std::max(16.0, QFontMetricsF(m_small).horizontalAdvance(text) + 8);
        const QRectF pill(item.rect.left() - 4, item.rect.top() - 7, width, 15);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(Token::Accent));
        m_painter.drawRoundedRect(pill, 7.5, 7.5);
        drawText(pill, m_small, color(Token::OnAccent), text, Qt::AlignCenter);
    }
}

void GraphPainter::paintItem(int index)
{
    const GraphItem &item = m_picture.item(index);
    if (m_detail == Detail::Colours)
        paintFlat(item);
    else if (item.shape == ItemShape::Frame)
        paintFrame(index, item);
    else if (item.shape == ItemShape::LossCard)
        paintLoss(index, item);
    else
        paintCard(index, item);
}

void GraphPainter::paintFlat(const GraphItem &item)
{
    if (item.shape == ItemShape::Frame) {
        m_painter.fillRect(item.rect, color(item.depth % 2 == 0 ? Token::Raised : Token::Panel));
        m_painter.setPen(QPen(color(Token::Line), 0));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(item.rect);
        return;
    }
    const QColor state = m_scene.colourBy == ColourBy::PlanState
                             ? color(stateToken(cardState(m_scene, item)))
                             : rampColor(rampStep(rampValue(m_scene, item), m_scene.rampTop));
    m_painter.fillRect(item.rect, state);
    if (m_scene.colourBy == ColourBy::PlanState && cardState(m_scene, item) == NodeState::Mixed)
        m_painter.fillRect(item.rect.adjusted(item.rect.width() / 2, 0, 0, 0), color(Token::Recomputed));
}

void GraphPainter::paintFrame(int index, const GraphItem &item)
{
    const QRectF &r = item.rect;
    m_painter.setBrush(color(item.depth % 2 == 0 ? Token::Raised : Token::Panel));
    const bool selected = m_scene.marks.selected == index;
    m_painter.setPen(QPen(color(selected ? Token::Accent : Token::LineStrong), 1));
    m_painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius, kCardRadius);

    const double middle = r.top() + item.headerHeight() / 2 + 1;
    const bool forward = item.side == Side::Forward;
    double right = r.right() - 10;
    double x = r.left() + 28;
    const QString title = cardTitle(m_scene, item);
    const double wanted = QFontMetricsF(m_clusterFont).horizontalAdvance(title) + 1;
    if (m_detail == Detail::Full) {
        paintChevron(m_painter, chevronRect(m_picture, item), Chevron::Down, color(Token::Text2));
        if (item.branching != Branching::None) {
            paintBranchSwitch(item);
            right = branchSwitchRect(item).left() - 6;
        }
        const QString chip = recomputeChip(m_scene, item);
        const double width = QFontMetricsF(m_label).horizontalAdvance(chip) + 34;
        // Beside other branches there may be room for the name only.
        if (!chip.isEmpty() && (!item.narrow || x + wanted + 8 + width <= right)) {
            paintChip(QRectF(right - width, middle - 9, width, 18), middle, chip);
            right -= width + 8;
        }
        if (forward && m_scene.nodeOf(item).run >= 0) {
            paintStepper(item);
            right = stepperRect(m_picture, item, false).left() - 8;
        }
    }
    const double width = std::min(wanted, right - x);
    drawText(QRectF(x, middle - 10, width, 20), m_clusterFont, color(Token::Text), title);
    if (m_detail < Detail::Kinds) return;
    x += width + 10;
    const QString badge = cardBadge(m_scene, item);
    if (!badge.isEmpty() && x + 30 < right) x = paintBadge(x, middle, badge) + 10;
    if (m_detail == Detail::Full)
        drawText(QRectF(x, middle - 10, right - x, 20), m_label, color(Token::Text3), frameNote(m_scene, item));
}

void GraphPainter::paintEdges()
{
    if (m_detail == Detail::Colours) return;
    QPainterPath lines, arrows;
    arrows.setFillRule(Qt::WindingFill); // arrows that meet do not cancel each other
    std::vector<std::pair<std::vector<QPointF>, int>> bundles;
    for (const GraphEdge &edge : m_picture.edges) {
        const QRectF &a = m_picture.item(edge.from).rect, &b = m_picture.item(edge.to).rect;
        if (std::min(a.top(), b.top()) > m_sight.bottom() + 40 || std::max(a.bottom(), b.bottom()) < m_sight.top() - 40)
            continue;
        const std::vector<QPointF> corners = routeEdge(m_picture, edge);
        addRoundedLine(lines, corners);
        addArrow(arrows, corners);
        if (edge.kind == EdgeKind::Bundle) bundles.emplace_back(corners, edge.more);
    }
    const QColor colour = color(Token::LineStrong);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(colour, 1.5));
    m_painter.drawPath(lines);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(colour);
    m_painter.drawPath(arrows);
    for (const auto &[corners, more] : bundles)
        paintBundle(corners, more);
}

void GraphPainter::paintBundle(const std::vector<QPointF> &corners, int more)
{
    if (m_detail < Detail::Kinds) return;
    const QString text = QStringLiteral("+%1").arg(more);
    const double width = std::max(20.0, QFontMetricsF(m_small).horizontalAdvance(text) + 8);
    // Beside the middle of what is in sight, so that it is there on long lines too.
    const double top = std::max(std::min(corners.front().y(), corners.back().y()), m_sight.top());
    const double bottom = std::min(std::max(corners.front().y(), corners.back().y()), m_sight.bottom());
    const QRectF pill(corners[1].x() - 7, (top + bottom) / 2 - 8, width, 16);
    m_painter.setPen(QPen(color(Token::LineStrong), 1));
    m_painter.setBrush(color(Token::Panel));
    m_painter.drawRoundedRect(pill, 8, 8);
    drawText(pill, m_small, color(Token::Text2), text, Qt::AlignCenter);
}

void GraphPainter::paintMarks()
{
    const GraphMarks &marks = m_scene.marks;
    const auto ring = [&](int index, Token token, double away, double width) {
        const GraphItem &item = m_picture.item(index);
        if (!inSight(item.rect.adjusted(-8, -8, 8, 8))) return;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(color(token), width));
        const double radius = (item.shape == ItemShape::OpCard ? kOpRadius : kCardRadius) + away;
        m_painter.drawRoundedRect(item.rect.adjusted(-away, -away, away, away), radius, radius);
    };
    for (const int live : marks.live)
        ring(live, Token::Ok, 1, 2);
    if (marks.running >= 0) ring(marks.running, Token::Ok, 1, 2);
    if (marks.selected >= 0) ring(marks.selected, marks.focusRing ? Token::Focus : Token::Accent, 3, 2);
    if (m_detail == Detail::Colours) return;

    QPainterPath lines, arrows;
    arrows.setFillRule(Qt::WindingFill); // arrows that meet do not cancel each other
    for (const auto &[from, to] : marks.arcs) {
        const std::vector<QPointF> corners = routeArc(m_picture, from, to);
        addRoundedLine(lines, corners);
        addArrow(arrows, corners);
    }
    if (lines.isEmpty()) return;
    QPen pen(color(Token::Accent), 2);
    pen.setDashPattern({2.5, 1.5}); // in pen widths: 5 and 3 pixels
    pen.setCapStyle(Qt::FlatCap);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(pen);
    m_painter.drawPath(lines);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(Token::Accent));
    m_painter.drawPath(arrows);
}

void GraphPainter::drawText(const QRectF &rect, const QFont &font, const QColor &colour, const QString &text,
                            Qt::Alignment alignment)
{
    if (text.isEmpty() || rect.width() < 8) return;
    const QFontMetricsF metrics(font);
    const bool fits = metrics.horizontalAdvance(text) <= rect.width() + 0.5;
    m_painter.setFont(font);
    m_painter.setPen(colour);
    m_painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
                       fits ? text : metrics.elidedText(text, Qt::ElideRight, rect.width()));
}

} // namespace remat::studio
