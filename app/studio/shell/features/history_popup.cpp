// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/history_popup.h"

#include "app/studio/base/widgets/building_blocks.h"

#include <QPainter>
#include <QUndoView>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr QSize kSize(300, 380);

} // namespace

HistoryPopup::HistoryPopup(QUndoStack *stack, QWidget *parent)
    : QFrame(parent, Qt::Popup), m_list(new QUndoView(stack, this))
{
    setObjectName(QStringLiteral("historyPopup"));
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::NoFrame);
    setFixedSize(kSize);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(1, 10, 1, 1);
    column->setSpacing(6);
    auto *title = new TokenLabel(tr("History"), FontRole::Name, Token::Text, this);
    title->setContentsMargins(14, 0, 14, 0);
    column->addWidget(title);
    m_list->setObjectName(QStringLiteral("historyList"));
    m_list->setAccessibleName(tr("What was done, oldest first"));
    m_list->setEmptyLabel(tr("As it was opened"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    column->addWidget(m_list, 1);
    setFocusProxy(m_list);
}

void HistoryPopup::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Panel));
    painter.setPen(Theme::instance().color(Token::LineStrong));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace remat::studio
