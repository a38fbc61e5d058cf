// SPDX-License-Identifier: Apache-2.0
// GraphPainter: cards, with their figures, badges and switches.
#include "app/studio/base/style/state_glyph.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_painter.h"

#include <QFontMetricsF>

#include <algorithm>

namespace remat::studio {

namespace {

using M = PictureMetrics;

// From the column's right edge.
constexpr double kTimeBar = 110, kTimeBarWidth = 20, kTimeRight = 38;

constexpr double kBarHeight = 6, kGlyphLeft = 10, kGlyph = 14, kNameLeft = M::kNameLeft;
constexpr double kSwitchIcon = 14, kTint = 0.22, kPin = 11;

/// Icon for a decision by hand, as the list of decisions shows it.
QString pinIcon(PinState state)
{
    switch (state) {
    case PinState::None:
        return {};
    case PinState::Kept:
        return QStringLiteral("pin");
    case PinState::Recomputed:
        return QStringLiteral("rotate-ccw");
    case PinState::Locked:
        return QStringLiteral("lock");
    case PinState::Several:
        break;
    }
    return QStringLiteral("sliders-horizontal");
}

} // namespace

QColor GraphPainter::bodyColor(const GraphItem &item) const
{
    const QColor panel = color(Token::Panel);
    if (m_scene.colourBy == ColourBy::PlanState) return panel;
    // A tint of the ramp's colour that text can still be read on.
    const QColor ramp = rampColor(rampStep(rampValue(m_scene, item), m_scene.rampTop));
    const auto mix = [](int a, int b) { return static_cast<int>(a + (b - a) * kTint); };
    return {mix(panel.red(), ramp.red()), mix(panel.green(), ramp.green()), mix(panel.blue(), ramp.blue())};
}

void GraphPainter::paintBody(int index, const GraphItem &item, double radius)
{
    const bool selected = m_scene.marks.selected == index, hovered = m_scene.marks.hovered == index;
    const bool running = m_scene.marks.running == index;
    const bool reads =
        std::find(m_scene.marks.readers.begin(), m_scene.marks.readers.end(), index) != m_scene.marks.readers.end();
    QColor border = color(hovered ? Token::LineStrong : Token::Line);
    if (reads) border = color(Token::Accent);
    m_painter.setPen(QPen(border, reads ? 1.5 : 1));
    const QRectF body = item.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    if (item.shape == ItemShape::StackCard && m_detail >= Detail::Kinds) {
        m_painter.setBrush(color(Token::Panel));
        m_painter.drawRoundedRect(body.adjusted(7, 8, -7, 8), radius, radius);
        m_painter.drawRoundedRect(body.adjusted(3.5, 4, -3.5, 4), radius, radius);
    }
    m_painter.setBrush(selected ? color(Token::AccentSoft) : running ? color(Token::OkSoft) : bodyColor(item));
    m_painter.drawRoundedRect(body, radius, radius);
}

void GraphPainter::paintStateBar(const GraphItem &item)
{
    const double inset = 3;
    const QRectF bar(item.rect.left(), item.rect.top() + inset, 3, item.rect.height() - 2 * inset);
    m_painter.setPen(Qt::NoPen);
    if (m_scene.colourBy != ColourBy::PlanState) {
        m_painter.setBrush(rampColor(rampStep(rampValue(m_scene, item), m_scene.rampTop)));
        m_painter.drawRoundedRect(bar.adjusted(0, 0, 3, 0), 1, 1);
        return;
    }
    const NodeState state = cardState(m_scene, item);
    m_painter.setBrush(color(stateToken(state)));
    m_painter.drawRoundedRect(bar, 1, 1);
    if (state != NodeState::Mixed) return;
    m_painter.setBrush(color(Token::Recomputed));
    m_painter.drawRoundedRect(bar.adjusted(0, bar.height() / 2, 0, 0), 1, 1);
}

void GraphPainter::paintCard(int index, const GraphItem &item)
{
    const bool isOp = item.shape == ItemShape::OpCard;
    const QRectF &r = item.rect;
    paintBody(index, item, isOp ? kOpRadius : kCardRadius);
    paintStateBar(item);
    const double middle = r.center().y();
    const double columnRight = m_picture.columnRight(item.side);
    const bool numbers = m_detail == Detail::Full;
    double right = numbers && !item.narrow ? columnRight - bytesColumn(m_picture).bar - 8 : r.right() - 8;
    if (numbers && item.narrow && canOpen(m_scene, item)) right = chevronRect(m_picture, item).left() - 2;
    if (m_detail >= Detail::Kinds)
        paintStateGlyph(m_painter, QRectF(r.left() + kGlyphLeft, middle - kGlyph / 2, kGlyph, kGlyph),
                        cardState(m_scene, item));
    const QFont &font = isOp ? m_opFont : m_clusterFont;
    const QString title = cardTitle(m_scene, item);
    const double wanted = QFontMetricsF(font).horizontalAdvance(title) + 1;
    if (numbers) {
        const bool stepper = item.side == Side::Forward && m_scene.nodeOf(item).run >= 0;
        // Deep in a narrow column a name goes before the bar of its bytes, which stand beside it as a figure.
        const bool bar = stepper || wanted <= right - r.left() - kNameLeft;
        if (!item.narrow) {
            paintFigures(item, bar);
            if (!bar) right = bytesLeft(item);
        }
        if (stepper) {
            paintStepper(item);
            right = stepperRect(m_picture, item, false).left() - 4;
        }
    }
    QString badge = m_detail >= Detail::Kinds ? cardBadge(m_scene, item) : QString();
    double x = r.left() + kNameLeft;
    if (m_detail >= Detail::Kinds && paintPin(item, QPointF(x, middle - kPin / 2))) x += kPin + 4;
    // The name goes before the badge, since a range says how many there are.
    const double badgeWidth = badge.isEmpty() ? 0 : badgeWidthOf(badge) + 8;
    if (wanted > right - x - badgeWidth && item.shape == ItemShape::StackCard) badge.clear();
    const double width = std::min(wanted, right - x - (badge.isEmpty() ? 0 : badgeWidth));
    drawText(QRectF(x, middle - 10, width, 20), font, color(Token::Text), title);
    if (m_detail < Detail::Kinds) return;
    x += width + (badge.isEmpty() ? 8 : 6);
    if (!badge.isEmpty()) x = paintBadge(x, middle, badge) + 8;
    if (item.narrow) {
        if (numbers) paintNarrow(item, x, right);
        return;
    }
    const bool kinds = m_picture.columnWidth >= M::kFullColumn;
    if (!kinds || right - x < 24) return;
    const QString kind = cardKind(m_scene, item);
    // A word and a half still says something; less does not.
    if (right - x > 60 || QFontMetricsF(m_label).horizontalAdvance(kind) <= right - x)
        drawText(QRectF(x, middle - 9.5, right - x, 20), m_label, color(Token::Text3), kind);
}

/// Paints the bytes, beside other branches, where there is room for any figure.
void GraphPainter::paintNarrow(const GraphItem &item, double left, double right)
{
    constexpr double kAnyBytes = 60;
    if (canOpen(m_scene, item))
        paintChevron(m_painter, chevronRect(m_picture, item), Chevron::Right, color(Token::Text2));
    else
        right -= M::kLaneChevron;
    const QString bytes = cardBytes(m_scene, item);
    if (std::max(kAnyBytes, QFontMetricsF(m_label).horizontalAdvance(bytes)) > right - left) return;
    drawText(QRectF(left, item.rect.center().y() - 10, right - left, 20), m_label, color(Token::Text2), bytes,
             Qt::AlignRight | Qt::AlignVCenter);
}

double GraphPainter::bytesLeft(const GraphItem &item) const
{
    const double width = QFontMetricsF(m_label).horizontalAdvance(cardBytes(m_scene, item));
    return m_picture.columnRight(item.side) - bytesColumn(m_picture).right - width - 6;
}

void GraphPainter::paintFigures(const GraphItem &item, bool bar)
{
    const double columnRight = m_picture.columnRight(item.side), middle = item.rect.center().y();
    const auto parent = static_cast<std::size_t>(m_scene.nodeOf(item).parent);
    const BytesColumn bytes = bytesColumn(m_picture);
    const QRectF bytesTrough(columnRight - bytes.bar, middle - kBarHeight / 2, bytes.barWidth, kBarHeight);
    const QRectF timeTrough(columnRight - kTimeBar, middle - kBarHeight / 2, kTimeBarWidth, kBarHeight);
    // Without a tone of their own, troughs need a line.
    const bool lines = m_theme.scheme() == Scheme::HighContrast;
    m_painter.setPen(lines ? QPen(color(Token::Line), 1) : QPen(Qt::NoPen));
    m_painter.setBrush(color(Token::Sunken));
    if (bar) m_painter.drawRoundedRect(bytesTrough, 1, 1);
    if (bytes.timeBar) m_painter.drawRoundedRect(timeTrough, 1, 1);
    if (bar) paintBytesBar(item, bytesTrough);

    const double timeUs = m_scene.figuresOf(item).side(item.side).timeUs;
    const double longest = m_scene.figures.bars(item.side).timeUs[parent];
    if (bytes.timeBar && timeUs > 0 && longest > 0) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(Token::Text3));
        m_painter.drawRoundedRect(
            QRectF(timeTrough.topLeft(), QSizeF(std::max(1.5, kTimeBarWidth * timeUs / longest), kBarHeight)), 1, 1);
    }
    const QColor text = color(Token::Text2);
    drawText(QRectF(columnRight - bytes.right - 60, middle - 10, 60, 20), m_label, text, cardBytes(m_scene, item),
             Qt::AlignRight | Qt::AlignVCenter);
    drawText(QRectF(columnRight - kTimeRight - 52, middle - 10, 52, 20), m_label, text, cardTime(m_scene, item),
             Qt::AlignRight | Qt::AlignVCenter);
    if (canOpen(m_scene, item))
        paintChevron(m_painter, chevronRect(m_picture, item), Chevron::Right, color(Token::Text2));
}

void GraphPainter::paintBytesBar(const GraphItem &item, const QRectF &trough)
{
    const SideFigures &figures = m_scene.figuresOf(item).side(item.side);
    const auto parent = static_cast<std::size_t>(m_scene.nodeOf(item).parent);
    const auto largest = static_cast<double>(m_scene.figures.bars(item.side).bytes[parent]);
    if (largest <= 0) return;
    double x = trough.left();
    const auto part = [&](std::int64_t bytes, const QBrush &brush) {
        if (bytes <= 0) return;
        const double width = std::max(1.5, trough.width() * static_cast<double>(bytes) / largest);
        const QRectF rect(x, trough.top(), std::min(width, trough.right() - x), trough.height());
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(brush);
        m_painter.setBrushOrigin(rect.topLeft());
        m_painter.drawRoundedRect(rect, 1, 1);
        x = rect.right();
    };
    part(figures.bytes, color(item.side == Side::Forward ? Token::Kept : Token::Gradients));
    part(figures.offloadedBytes, m_theme.categoryBrush(Category::Offloaded));
    part(figures.recomputedBytes, m_theme.categoryBrush(Category::RecomputedActivations));
}

void GraphPainter::paintLoss(int index, const GraphItem &item)
{
    const QRectF &r = item.rect;
    paintBody(index, item, kOpRadius);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(Token::Text3));
    m_painter.drawRoundedRect(QRectF(r.left(), r.top() + 3, 3, r.height() - 6), 1, 1);
    const double middle = r.center().y(), x = r.left() + 16;
    const QString title = cardTitle(m_scene, item);
    const double width = QFontMetricsF(m_clusterFont).horizontalAdvance(title) + 1;
    drawText(QRectF(x, middle - 10, width, 20), m_clusterFont, color(Token::Text), title);
    if (m_detail >= Detail::Kinds)
        drawText(QRectF(x + width + 8, middle - 9.5, 100, 20), m_label, color(Token::Text3), cardKind(m_scene, item));
    if (m_detail < Detail::Full) return;
    const bool opens = canOpen(m_scene, item);
    drawText(QRectF(r.right() - 92, middle - 10, opens ? 66 : 80, 20), m_label, color(Token::Text2),
             cardTime(m_scene, item), Qt::AlignRight | Qt::AlignVCenter);
    if (opens) paintChevron(m_painter, chevronRect(m_picture, item), Chevron::Right, color(Token::Text2));
}

void GraphPainter::paintChip(const QRectF &chip, double middle, const QString &text)
{
    m_painter.setPen(QPen(color(Token::Warn), 1));
    m_painter.setBrush(color(Token::WarnSoft));
    m_painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
    paintStateGlyph(m_painter, QRectF(chip.left() + 9, middle - 5.5, 11, 11), NodeState::Recomputed);
    drawText(chip.adjusted(24, 0, -10, 0), m_label, color(Token::Warn), text, Qt::AlignRight | Qt::AlignVCenter);
}

bool GraphPainter::paintPin(const GraphItem &item, QPointF at)
{
    const auto node = static_cast<std::size_t>(item.node);
    if (node >= m_scene.pins.size() || m_scene.pins[node] == PinState::None) return false;
    const QString icon = pinIcon(m_scene.pins[node]);
    m_painter.drawPixmap(at, m_theme.iconPixmap(icon, static_cast<int>(kPin), Token::Accent,
                                                m_painter.device()->devicePixelRatioF(), 2.25));
    return true;
}

double GraphPainter::badgeWidthOf(const QString &text) const
{
    return std::max(30.0, QFontMetricsF(m_small).horizontalAdvance(text) + 12);
}

double GraphPainter::paintBadge(double x, double middle, const QString &text)
{
    const QRectF badge(x, middle - 9, badgeWidthOf(text), 18);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(Token::Sunken));
    m_painter.drawRoundedRect(badge, 9, 9);
    drawText(badge, m_small, color(Token::Text), text, Qt::AlignCenter);
    return badge.right();
}

void GraphPainter::paintStepper(const GraphItem &item)
{
    const QRectF earlier = stepperRect(m_picture, item, false), later = stepperRect(m_picture, item, true);
    const Run &run = m_scene.tree.runs[static_cast<std::size_t>(m_scene.nodeOf(item).run)];
    const int count = static_cast<int>(run.paths.size());
    const auto arrow = [&](const QRectF &rect, Chevron direction, bool enabled) {
        const QRectF square(rect.center() - QPointF(5.5, 5.5), QSizeF(11, 11));
        paintChevron(m_painter, square, direction, color(enabled ? Token::Text2 : Token::Line));
    };
    arrow(earlier, Chevron::Left, run.chosen > 0);
    arrow(later, Chevron::Right, run.chosen + 1 < count);
    if (later.left() - earlier.right() > 20)
        drawText(QRectF(earlier.right(), earlier.top(), later.left() - earlier.right(), earlier.height()), m_label,
                 color(Token::Text3), QStringLiteral("%1 / %2").arg(run.chosen + 1).arg(count), Qt::AlignCenter);
}

void GraphPainter::paintBranchSwitch(const GraphItem &item)
{
    const QRectF rect = branchSwitchRect(item);
    const QPointF corner = rect.center() - QPointF(kSwitchIcon / 2, kSwitchIcon / 2);
    const bool beside = item.branching == Branching::Beside;
    if (beside) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(Token::AccentSoft));
        m_painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4);
    }
    m_painter.drawPixmap(corner, m_theme.iconPixmap(QStringLiteral("git-branch"), static_cast<int>(kSwitchIcon),
                                                    beside ? Token::Accent : Token::Text3,
                                                    m_painter.device()->devicePixelRatioF(), 2));
}

} // namespace remat::studio
