// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/start_page/sample_card.h"

#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kPicture = 116;
constexpr int kCardRadius = 10;

double columnX(const QRectF &area, std::size_t column)
{
    return area.left() + area.width() * static_cast<double>(column) / static_cast<double>(kPreviewColumns);
}

/// The upper edge of columns as a staircase, closed along the lower one.
QPainterPath stairs(const QRectF &area, const std::vector<double> &upper, const std::vector<double> &lower)
{
    QPainterPath path(QPointF(area.left(), lower.front()));
    for (std::size_t i = 0; i < upper.size(); ++i) {
        path.lineTo(columnX(area, i), upper[i]);
        path.lineTo(columnX(area, i + 1), upper[i]);
    }
    for (std::size_t i = upper.size(); i-- > 0;) {
        path.lineTo(columnX(area, i + 1), lower[i]);
        path.lineTo(columnX(area, i), lower[i]);
    }
    path.closeSubpath();
    return path;
}

} // namespace

void paintPreview(QPainter &painter, const QRectF &area, const SamplePreview &preview)
{
    const Theme &theme = Theme::instance();
    const double scale = area.height() / static_cast<double>(std::max<std::int64_t>(preview.peakBytes, 1));
    const std::vector<double> ground(kPreviewColumns, area.bottom());
    std::vector<double> ghost(kPreviewColumns);
    for (std::size_t i = 0; i < kPreviewColumns; ++i)
        ghost[i] = area.bottom() - static_cast<double>(preview.keepAll[i]) * scale;
    const QPainterPath ghostPath = stairs(area, ghost, ground);
    QColor ghostFill = theme.color(Token::Ghost);
    ghostFill.setAlphaF(0.09F);
    painter.fillPath(ghostPath, ghostFill);

    if (preview.budgetBytes > 0) {
        std::vector<double> lower = ground;
        for (std::size_t category = 0; category < kCategoryCount; ++category) {
            std::vector<double> upper = lower;
            bool any = false;
            for (std::size_t i = 0; i < kPreviewColumns; ++i) {
                upper[i] -= static_cast<double>(preview.bands[category][i]) * scale;
                any = any || preview.bands[category][i] > 0;
            }
            if (any) painter.fillPath(stairs(area, upper, lower), theme.categoryColor(static_cast<Category>(category)));
            lower = std::move(upper);
        }
    }
    QPen dashed(theme.color(Token::Ghost), 1.5);
    dashed.setDashPattern({4 / 1.5, 3 / 1.5});
    painter.setPen(dashed);
    painter.setBrush(Qt::NoBrush);
    QPainterPath outline(QPointF(area.left(), area.bottom()));
    for (std::size_t i = 0; i < kPreviewColumns; ++i) {
        outline.lineTo(columnX(area, i), ghost[i]);
        outline.lineTo(columnX(area, i + 1), ghost[i]);
    }
    outline.lineTo(area.bottomRight());
    painter.drawPath(outline);
    if (preview.budgetBytes > 0) {
        const double y = area.bottom() - static_cast<double>(preview.budgetBytes) * scale;
        painter.setPen(QPen(theme.color(Token::Budget), 2));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
}

SampleCard::SampleCard(const Sample &sample, QWidget *parent) : QAbstractButton(parent), m_sample(sample)
{
    setProperty(kOwnRing, true);
    setObjectName(QStringLiteral("sample.") + sample.name);
    setText(sample.title);
    setAccessibleName(tr("Open %1").arg(sample.title));
    setAccessibleDescription(sample.subtitle);
    setToolTip(tr("Opens %1: %2").arg(sample.title, sample.subtitle));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setFixedHeight(205);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SampleCard::setPreview(const SamplePreview &preview)
{
    m_preview = preview;
    update();
}

void SampleCard::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

void SampleCard::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath card;
    card.addRoundedRect(frame, kCardRadius, kCardRadius);
    painter.fillPath(card, theme.color(Token::Panel));

    painter.save();
    painter.setClipPath(card);
    const QRectF picture(12, 20, width() - 24, kPicture - 20);
    if (m_preview) {
        paintPreview(painter, picture, *m_preview);
    } else {
        painter.setPen(QPen(theme.color(Token::Sunken), 3));
        for (int x = -kPicture; x < width(); x += 12)
            painter.drawLine(x, kPicture, x + kPicture, 0);
    }
    painter.setPen(QPen(theme.color(Token::Line), 1));
    painter.drawLine(QPointF(0, kPicture + 0.5), QPointF(width(), kPicture + 0.5));
    painter.restore();

    painter.setPen(QPen(theme.color(underMouse() ? Token::LineStrong : Token::Line), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(card);

    const int left = 16;
    const int room = width() - 2 * left;
    const auto line = [&](const QString &text, int y, FontRole role, Token token) {
        painter.setFont(theme.font(role));
        painter.setPen(theme.color(token));
        painter.drawText(QRect(left, y, room, 20), Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, room));
    };
    line(m_sample.title, kPicture + 10, FontRole::SectionTitle, Token::Text);
    line(m_sample.subtitle, kPicture + 32, FontRole::Body, Token::Text2);
    int x = left;
    const auto figure = [&](const QString &label, const QString &value) {
        painter.setFont(theme.font(FontRole::Label));
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(QPointF(x, kPicture + 73), label);
        x += painter.fontMetrics().horizontalAdvance(label) + 5;
        painter.setFont(theme.font(FontRole::Name));
        painter.setPen(theme.color(Token::Text));
        painter.drawText(QPointF(x, kPicture + 73), value);
        x += painter.fontMetrics().horizontalAdvance(value) + 16;
    };
    figure(tr("Peak"), m_preview ? memoryText(m_preview->peakBytes) : dash());
    figure(tr("Ops"), m_preview ? countText(m_preview->ops) : dash());
    if (hasFocus()) paintFocusRing(painter, QRectF(rect()).adjusted(1, 1, -1, -1), kCardRadius);
}

} // namespace remat::studio
