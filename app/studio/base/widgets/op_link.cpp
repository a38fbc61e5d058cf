// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/op_link.h"

#include <QKeyEvent>

namespace remat::studio {

OpLink::OpLink(QWidget *parent) : TokenLabel({}, FontRole::Label, Token::Text3, parent) {}

void OpLink::setOp(OpId op)
{
    m_op = op;
    setToken(op ? Token::Accent : Token::Text3);
    setCursor(op ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setFocusPolicy(op ? Qt::StrongFocus : Qt::NoFocus);
}

void OpLink::mousePressEvent(QMouseEvent *event)
{
    if (!m_op || event->button() != Qt::LeftButton) return TokenLabel::mousePressEvent(event);
    Q_EMIT chosen(m_op);
}

void OpLink::keyPressEvent(QKeyEvent *event)
{
    const bool chooses = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return;
    if (!m_op || !chooses) return TokenLabel::keyPressEvent(event);
    Q_EMIT chosen(m_op);
}

} // namespace remat::studio
