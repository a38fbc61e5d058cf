// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/title_menu_bar.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QHBoxLayout>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

TitleMenuBar::TitleMenuBar(QWidget *parent) : QMenuBar(parent)
{
    setNativeMenuBar(false);
    setFixedHeight(28);
    // Items higher than the bar are not drawn at all.
    setStyleSheet(QStringLiteral("QMenuBar::item { padding: 0 9px; }"));
    auto *mark = new QWidget(this);
    auto *row = new QHBoxLayout(mark);
    row->setContentsMargins(12, 5, 6, 4);
    row->addWidget(new IconLabel(QStringLiteral("layers"), 18, Token::Accent, mark));
    setCornerWidget(mark, Qt::TopLeftCorner);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TitleMenuBar::setDocumentName(const QString &name, bool unsaved)
{
    m_name = name;
    m_unsaved = unsaved;
    update();
}

void TitleMenuBar::paintEvent(QPaintEvent *event)
{
    QMenuBar::paintEvent(event);
    QPainter painter(this);
    painter.setFont(Theme::instance().font(FontRole::Name));
    painter.setPen(Theme::instance().color(Token::Text));
    int menusEnd = 0;
    for (QAction *action : actions())
        menusEnd = std::max(menusEnd, actionGeometry(action).right());
    // In the middle of the window while the menus leave room for it.
    const int half = std::min(width() / 2 - menusEnd - 16, width() / 2 - 16);
    if (half < 60) return;
    const QString text = m_unsaved ? QStringLiteral("• ") + m_name : m_name;
    painter.drawText(QRect(width() / 2 - half, 0, 2 * half, height()), Qt::AlignCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text, Qt::ElideMiddle, 2 * half));
}

} // namespace remat::studio
