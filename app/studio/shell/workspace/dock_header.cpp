#include "app/studio/shell/workspace/dock_header.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>
#include <utility>

namespace remat::studio {

namespace {

constexpr int kHeader = 32;
constexpr int kSide = 12;
constexpr int kTabGap = 20, kLeastGap = 10;

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
    const auto wanted = [&] { return std::accumulate(widths.begin(), widths.end(), 2 * kSide); };
    const int gap = count < 2 ? 0 : std::clamp((width - wanted()) / (count - 1), kLeastGap, kTabGap);
    for (int over = wanted() + gap * (count - 1) - width; over > 0; --over)
        --*std::max_element(widths.begin(), widths.end());
    QList<QRect> rects;
    int x = kSide;
    for (const int each : std::as_const(widths)) {
        rects << QRect(x, 0, std::max(each, 0), height());
        x += each + gap;
    }
    return rects;
}

int HeaderTabs::tabAt(const QPoint &point) const
{
    const QList<QRect> rects = tabRects(width());
    const auto at = std::find_if(rects.begin(), rects.end(), [&point](const QRect &rect) {
        return rect.adjusted(-kLeastGap / 2, 0, kLeastGap / 2, 0).contains(point);
    });
    return at == rects.end() ? -1 : static_cast<int>(at - rects.begin());
}

QSize HeaderTabs::sizeHint() const
{
    return {m_titles.isEmpty() ? 0 : tabRects(QWIDGETSIZE_MAX).last().right() + 1 + kSide, kHeader};
}

bool HeaderTabs::isCut(int index, const QRect &tab) const
{
    return tab.width() < fontMetrics().horizontalAdvance(m_titles[index]);
}

bool HeaderTabs::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int index = tabAt(help->pos());
    index >= 0 && isCut(index, tabRects(width())[index]) ? QToolTip::showText(help->globalPos(), m_titles[index], this)
                                                         : QToolTip::hideText();
    return true;
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
        painter.setPen(theme.color(i == m_current ? Token::Text : Token::Text2));
        painter.drawText(tab, Qt::AlignCenter | Qt::TextSingleLine,
                         isCut(i, tab) ? fontMetrics().elidedText(m_titles[i], Qt::ElideRight, tab.width())
                                       : m_titles[i]);
        if (i == m_current) painter.fillRect(tab.left(), height() - 2, tab.width(), 2, theme.color(Token::Accent));
    }
    if (hasFocus() && m_current < rects.size())
        paintFocusRing(painter, QRectF(rects[m_current]).adjusted(-6, 4, 6, -4), 4);
}

void HeaderTabs::mousePressEvent(QMouseEvent *event)
{
    setCurrent(tabAt(event->position().toPoint()));
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
