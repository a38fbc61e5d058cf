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

// Number columns, from the column's right edge.
constexpr double kTimeBar = 110, kTimeBarWidth = 20, kTimeRight = 38;

/// In a narrow column the bars give way to names.
struct BytesColumn {
    double bar = 226, barWidth = 44, right = 124;
    bool timeBar = true;
};

BytesColumn bytesColumn(const GraphPicture &picture)
{
    return picture.columnWidth >= M::kFullColumn ? BytesColumn{} : BytesColumn{178, 24, 94, false};
}

constexpr double kChevronLeft = 35, kChevron = 13, kBarHeight = 6;
constexpr double kGlyphLeft = 10, kGlyph = 14, kNameLeft = M::kNameLeft;
constexpr double kCardRadius = 8, kOpRadius = 6;
constexpr double kStepper = M::kStepper, kStepperText = M::kStepperText, kSwitchIcon = 14;
constexpr double kTint = 0.22, kPin = 11;
constexpr double kDimmed = 0.35; // opacity for what a search did not find

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

bool canOpen(const GraphScene &scene, const GraphItem &item)
{
    const GraphNode &node = scene.nodeOf(item);
    // A side of one op has nothing to open, even when the other side has.
    return node.expandable() && (item.shape == ItemShape::LossCard || node.ops(item.side).size() > 1);
}

Detail detailAt(double scale)
{
    return scale < 0.2 ? Detail::Colours : scale < 0.35 ? Detail::Names : scale < 0.6 ? Detail::Kinds : Detail::Full;
}

double bytesRight(const GraphPicture &picture)
{
    return bytesColumn(picture).right;
}

QRectF chevronRect(const GraphPicture &picture, const GraphItem &item)
{
    if (item.shape == ItemShape::Frame)
        return {item.rect.left() + 8, item.rect.top() + (item.headerHeight() - kChevron) / 2, kChevron, kChevron};
    if (item.shape == ItemShape::LossCard)
        return {item.rect.right() - 20, item.rect.center().y() - kChevron / 2, kChevron, kChevron};
    const double left = item.narrow ? item.rect.right() - 20 : picture.columnRight(item.side) - kChevronLeft;
    return {left, item.rect.center().y() - kChevron / 2, kChevron, kChevron};
}

QRectF stepperRect(const GraphPicture &picture, const GraphItem &item, bool later)
{
    if (item.side != Side::Forward) return {};
    if (item.shape == ItemShape::Frame) {
        const double end = item.branching == Branching::None ? item.rect.right() - 8 : branchSwitchRect(item).left();
        const double right = end - (later ? 0 : kStepper + kStepperText);
        return {right - kStepper, item.rect.top() + (item.headerHeight() - kStepper) / 2, kStepper, kStepper};
    }
    const double end =
        item.narrow ? item.rect.right() - 22 : picture.columnRight(item.side) - bytesColumn(picture).bar - 6;
    const double right = end - (later ? 0 : kStepper);
    return {right - kStepper, item.rect.center().y() - kStepper / 2, kStepper, kStepper};
}

QRectF branchSwitchRect(const GraphItem &item)
{
    if (item.shape != ItemShape::Frame || item.branching == Branching::None) return {};
    return {item.rect.right() - M::kSwitch - 4, item.rect.top() + (item.headerHeight() - M::kSwitch) / 2 + 1,
            M::kSwitch, M::kSwitch};
}

QColor rampColor(int step)
{
    const Theme &theme = Theme::instance();
    const QColor low = theme.color(Token::Sunken), high = theme.color(Token::Accent);
    const double t = static_cast<double>(step) / (kRampSteps - 1);
    const auto mix = [t](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * t)); };
    return {mix(low.red(), high.red()), mix(low.green(), high.green()), mix(low.blue(), high.blue())};
}

int rampStep(double value, double top)
{
    if (top <= 0) return 0;
    return std::clamp(static_cast<int>(value / top * kRampSteps), 0, kRampSteps - 1);
}

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

QColor GraphPainter::bodyColor(const GraphItem &item) const
{
    const QColor panel = color(Token::Panel);
    if (m_scene.colourBy == ColourBy::PlanState) return panel;
    // A tint of the ramp's colour that text can still be read on.
    const QColor ramp = rampColor(rampStep(rampValue(m_scene, item), m_scene.rampTop));
    const auto mix = [](int a, int b) { return static_cast<int>(a + (b - a) * kTint); };
    return {mix(panel.red(), ramp.red()), mix(panel.green(), ramp.green()), mix(panel.blue(), ramp.blue())};
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
    if (numbers) {
        if (!item.narrow) paintFigures(item);
        if (item.side == Side::Forward && m_scene.nodeOf(item).run >= 0) {
            paintStepper(item);
            right = stepperRect(m_picture, item, false).left() - 4;
        }
    }
    QString badge = m_detail >= Detail::Kinds ? cardBadge(m_scene, item) : QString();
    const QFont &font = isOp ? m_opFont : m_clusterFont;
    const QString title = cardTitle(m_scene, item);
    double x = r.left() + kNameLeft;
    if (m_detail >= Detail::Kinds && paintPin(item, QPointF(x, middle - kPin / 2))) x += kPin + 4;
    const double wanted = QFontMetricsF(font).horizontalAdvance(title) + 1;
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

void GraphPainter::paintFigures(const GraphItem &item)
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
    m_painter.drawRoundedRect(bytesTrough, 1, 1);
    if (bytes.timeBar) m_painter.drawRoundedRect(timeTrough, 1, 1);
    paintBytesBar(item, bytesTrough);

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
