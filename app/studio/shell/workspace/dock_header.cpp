#include "app/studio/shell/workspace/dock_header.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace remat::studio {

namespace {

constexpr int kHeader = 32;
constexpr int kSide = 12;
constexpr int kTabGap = 20;

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

QRect HeaderTabs::tabRect(int index) const
{
    int x = kSide;
    for (int i = 0; i < index; ++i)
        x += fontMetrics().horizontalAdvance(m_titles[i]) + kTabGap;
    return {x, 0, fontMetrics().horizontalAdvance(m_titles[index]), height()};
}

QSize HeaderTabs::sizeHint() const
{
    return {m_titles.isEmpty() ? 0 : tabRect(static_cast<int>(m_titles.size()) - 1).right() + kSide, kHeader};
}

void HeaderTabs::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    paintHeader(*this, painter);
    painter.setFont(font());
    for (int i = 0; i < m_titles.size(); ++i) {
        const QRect tab = tabRect(i);
        painter.setPen(theme.color(i == m_current ? Token::Text : Token::Text2));
        painter.drawText(tab, Qt::AlignCenter | Qt::TextSingleLine, m_titles[i]);
        if (i == m_current) painter.fillRect(tab.left(), height() - 2, tab.width(), 2, theme.color(Token::Accent));
    }
    if (hasFocus()) paintFocusRing(painter, QRectF(tabRect(m_current)).adjusted(-6, 4, 6, -4), 4);
}

void HeaderTabs::mousePressEvent(QMouseEvent *event)
{
    for (int i = 0; i < m_titles.size(); ++i)
        if (tabRect(i).adjusted(-kTabGap / 2, 0, kTabGap / 2, 0).contains(event->position().toPoint())) setCurrent(i);
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
