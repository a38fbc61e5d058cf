// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/workspace/dock_header.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <numeric>
#include <utility>

namespace remat::studio {

namespace {

constexpr int kHeader = 32;
constexpr int kSide = 12;
constexpr int kTabGap = 20, kLeastGap = 9;
constexpr int kMore = 24, kMoreIcon = 15;

void paintHeader(QWidget &widget, QPainter &painter)
{
    painter.fillRect(widget.rect(), Theme::instance().color(Token::Panel));
    painter.fillRect(0, widget.height() - 1, widget.width(), 1, Theme::instance().color(Token::Line));
}

} // namespace

DockHeader::DockHeader(const QString &icon, const QString &title, QWidget *parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_title(new TokenLabel(title, FontRole::Name, Token::Text, this))
{
    setFixedHeight(kHeader);
    m_row->setContentsMargins(kSide, 0, 4, 1);
    m_row->setSpacing(8);
    if (!icon.isEmpty()) m_row->addWidget(new IconLabel(icon, 15, Token::Text2, this));
    m_row->addWidget(m_title, 1);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DockHeader::setBody(QWidget *widget)
{
    delete m_row->replaceWidget(m_title, widget);
    m_title->hide();
    m_row->setStretchFactor(widget, 1);
}

void DockHeader::addButton(QWidget *button)
{
    m_row->addWidget(button);
}

void DockHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintHeader(*this, painter);
}

HeaderTabs::HeaderTabs(const QStringList &titles, QWidget *parent) : QWidget(parent), m_titles(titles)
{
    setFixedHeight(kHeader);
    setFocusPolicy(Qt::StrongFocus);
    setFont(Theme::instance().font(FontRole::Name));
    setAccessibleName(titles.join(QStringLiteral(", ")));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void HeaderTabs::setCurrent(int index)
{
    if (index < 0 || index >= m_titles.size() || index == m_current) return;
    m_current = index;
    updateGeometry();
    update();
    Q_EMIT currentChanged(index);
}

void HeaderTabs::setTitles(const QStringList &titles)
{
    m_titles = titles;
    setAccessibleName(titles.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QList<QRect> HeaderTabs::tabRects(int width) const
{
    QList<int> widths;
    for (const QString &title : m_titles)
        widths << fontMetrics().horizontalAdvance(title);
    const int count = static_cast<int>(widths.size());
    const int wanted = std::accumulate(widths.begin(), widths.end(), 2 * kSide);
    int gap = count < 2 ? 0 : std::clamp((width - wanted) / (count - 1), kLeastGap, kTabGap);
    QList<bool> shown(count, true);
    if (wanted + gap * (count - 1) > width) {
        gap = kLeastGap;
        int room = width - kSide - kMore - widths.value(m_current);
        for (int i = 0; i < count; ++i) {
            if (i == m_current) continue;
            shown[i] = widths[i] + gap <= room;
            room = shown[i] ? room - widths[i] - gap : 0; // in order: none is skipped for a shorter one
        }
    }
    QList<QRect> rects;
    int x = kSide;
    for (int i = 0; i < count; ++i) {
        rects << (shown[i] ? QRect(x, 0, widths[i], height()) : QRect());
        if (shown[i]) x += widths[i] + gap;
    }
    return rects;
}

QList<int> HeaderTabs::hidden(const QList<QRect> &rects)
{
    QList<int> found;
    for (qsizetype i = 0; i < rects.size(); ++i)
        if (rects[i].isNull()) found << static_cast<int>(i);
    return found;
}

QRect HeaderTabs::moreRect(const QList<QRect> &rects) const
{
    if (hidden(rects).isEmpty()) return {};
    int end = 0;
    for (const QRect &rect : rects)
        end = std::max(end, rect.isNull() ? 0 : rect.right() + 1);
    return {end + 2, 0, kMore, height()};
}

int HeaderTabs::tabAt(const QPoint &point) const
{
    const QList<QRect> rects = tabRects(width());
    const auto at = std::find_if(rects.begin(), rects.end(), [&point](const QRect &rect) {
        return !rect.isNull() && rect.adjusted(-kLeastGap / 2, 0, kLeastGap / 2, 0).contains(point);
    });
    return at == rects.end() ? -1 : static_cast<int>(at - rects.begin());
}

QSize HeaderTabs::sizeHint() const
{
    return {m_titles.isEmpty() ? 0 : tabRects(QWIDGETSIZE_MAX).last().right() + 1 + kSide, kHeader};
}

QSize HeaderTabs::minimumSizeHint() const
{
    return {m_titles.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_titles.value(m_current)) + kSide + kMore + 2,
            kHeader};
}

void HeaderTabs::openMore()
{
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("moreTabs"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QList<QRect> rects = tabRects(width());
    for (const int index : hidden(rects))
        connect(menu->addAction(m_titles[index]), &QAction::triggered, this, [this, index] { setCurrent(index); });
    menu->popup(mapToGlobal(moreRect(rects).bottomLeft()));
}

void HeaderTabs::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    paintHeader(*this, painter);
    painter.setFont(font());
    const QList<QRect> rects = tabRects(width());
    for (int i = 0; i < m_titles.size(); ++i) {
        const QRect &tab = rects[i];
        if (tab.isNull()) continue;
        painter.setPen(theme.color(i == m_current ? Token::Text : Token::Text2));
        painter.drawText(tab, Qt::AlignCenter | Qt::TextSingleLine, m_titles[i]);
        if (i == m_current) painter.fillRect(tab.left(), height() - 2, tab.width(), 2, theme.color(Token::Accent));
    }
    if (const QRect more = moreRect(rects); !more.isNull())
        painter.drawPixmap(more.center() - QPoint(kMoreIcon / 2, kMoreIcon / 2),
                           theme.iconPixmap(QStringLiteral("chevron-down"), kMoreIcon, Token::Text2,
                                            painter.device()->devicePixelRatioF()));
    if (hasFocus() && m_current < rects.size())
        paintFocusRing(painter, QRectF(rects[m_current]).adjusted(-6, 4, 6, -4), 4);
}

void HeaderTabs::mousePressEvent(QMouseEvent *event)
{
    const QPoint at = event->position().toPoint();
    moreRect(tabRects(width())).contains(at) ? openMore() : setCurrent(tabAt(at));
}

void HeaderTabs::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Left)
        setCurrent(m_current - 1);
    else if (event->key() == Qt::Key_Right)
        setCurrent(m_current + 1);
    else
        QWidget::keyPressEvent(event);
}

} // namespace remat::studio
