// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/breadcrumb.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QMouseEvent>
#include <QPainter>

namespace remat::studio {

namespace {

constexpr int kGap = 22; ///< between places, with the chevron in it
constexpr int kChevronSize = 13;

} // namespace

Breadcrumb::Breadcrumb(QWidget *parent) : QWidget(parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("Place in the model"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Breadcrumb::setPath(const QVector<GraphCrumb> &path)
{
    m_path = path;
    m_hovered = -1;
    QStringList titles;
    for (const GraphCrumb &crumb : path)
        titles << crumb.title;
    setAccessibleDescription(titles.join(QStringLiteral(", ")));
    update();
}

std::vector<Breadcrumb::Place> Breadcrumb::places(bool &shortened) const
{
    const QFontMetrics plain(Theme::instance().font(FontRole::Body));
    const QFontMetrics bold(Theme::instance().font(FontRole::Name));
    std::vector<int> widths;
    int total = 0;
    for (qsizetype i = 0; i < m_path.size(); ++i) {
        const QFontMetrics &metrics = i + 1 == m_path.size() ? bold : plain;
        widths.push_back(metrics.horizontalAdvance(m_path[i].title));
        total += widths.back() + (i > 0 ? kGap : 0);
    }
    std::size_t first = 0;
    while (total > width() - kGap && first + 1 < widths.size())
        total -= widths[first++] + kGap;
    shortened = first > 0;
    std::vector<Place> result;
    int x = shortened ? kGap : 0;
    for (std::size_t i = first; i < widths.size(); ++i) {
        result.push_back({static_cast<int>(i), QRect(x, 0, std::min(widths[i], width() - x), height())});
        x += widths[i] + kGap;
    }
    return result;
}

int Breadcrumb::crumbAt(const QPoint &point) const
{
    bool shortened = false;
    for (const Place &place : places(shortened))
        if (place.rect.contains(point)) return place.crumb;
    return -1;
}

void Breadcrumb::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    bool shortened = false;
    const auto all = places(shortened);
    painter.setFont(theme.font(FontRole::Body));
    if (shortened) {
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(QRect(0, 0, kGap, height()), Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("…"));
    }
    for (const Place &place : all) {
        const bool last = place.crumb + 1 == m_path.size();
        painter.setFont(theme.font(last ? FontRole::Name : FontRole::Body));
        painter.setPen(theme.color(place.crumb == m_hovered ? Token::Accent : last ? Token::Text : Token::Text2));
        painter.drawText(
            place.rect.adjusted(0, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            painter.fontMetrics().elidedText(m_path[place.crumb].title, Qt::ElideRight, place.rect.width() + 1));
        if (last) continue;
        painter.drawPixmap(
            place.rect.right() + 1 + (kGap - kChevronSize) / 2, (height() - kChevronSize) / 2,
            theme.iconPixmap(QStringLiteral("chevron-right"), kChevronSize, Token::Text3, devicePixelRatioF()));
    }
}

void Breadcrumb::mousePressEvent(QMouseEvent *event)
{
    const int crumb = crumbAt(event->position().toPoint());
    if (crumb >= 0) Q_EMIT chosen(m_path[crumb].path);
}

void Breadcrumb::mouseMoveEvent(QMouseEvent *event)
{
    const int hovered = crumbAt(event->position().toPoint());
    if (hovered == m_hovered) return;
    m_hovered = hovered;
    setCursor(hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void Breadcrumb::leaveEvent(QEvent *)
{
    m_hovered = -1;
    update();
}

} // namespace remat::studio
