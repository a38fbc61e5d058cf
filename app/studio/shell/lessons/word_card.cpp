// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/word_card.h"

#include "app/studio/base/style/theme.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kCardWidth = 320, kBeside = 12;
constexpr int kSlack = 8; ///< that the mouse may stray on its way to the card

} // namespace

WordCard::WordCard(const std::vector<GlossaryWord> &words, const QString &before, By by, QWidget *window)
    : QWidget(window, by == By::Mouse ? Qt::ToolTip : Qt::Popup), m_by(by)
{
    setObjectName(QStringLiteral("wordCard"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Words"));
    setFixedWidth(kCardWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(4);
    const auto add = [&](const QString &text, FontRole role, Token token) {
        auto *label = new TokenLabel(text, role, token, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        column->addWidget(label);
        return label;
    };
    if (!before.isEmpty()) {
        add(before, FontRole::Body, Token::Text)->setObjectName(QStringLiteral("wordCardTip"));
        column->addSpacing(6);
    }
    for (const GlossaryWord &each : words) {
        add(each.word, FontRole::Name, Token::Text)->setObjectName(QStringLiteral("cardWord.") + each.word);
        add(each.means, FontRole::Body, Token::Text2);
        auto *show = new StudioButton(tr("Show me"), QStringLiteral("graduation-cap"), ButtonKind::Quiet, this);
        show->setObjectName(QStringLiteral("showWord.") + each.word);
        show->setAccessibleName(tr("Show me what %1 means, in a lesson").arg(each.word));
        show->setFlush(true);
        show->setFixedHeight(26);
        connect(show, &QAbstractButton::clicked, this, [this, path = each.lesson, step = each.step] {
            close();
            Q_EMIT wanted(path, step);
        });
        column->addWidget(show, 0, Qt::AlignLeft);
    }
    if (by == By::Mouse) qApp->installEventFilter(this);
}

void WordCard::showAt(const QPoint &point, const QRect &around)
{
    m_around = around;
    resize(kCardWidth, layout()->totalHeightForWidth(kCardWidth));
    const QScreen *screen = QGuiApplication::screenAt(point);
    const QRect room = (screen ? screen : QGuiApplication::primaryScreen())->availableGeometry();
    QPoint place = point + QPoint(kBeside, kBeside);
    if (place.y() + height() > room.bottom()) place.setY(point.y() - kBeside - height());
    move(std::clamp(place.x(), room.left(), std::max(room.left(), room.right() - width())),
         std::max(place.y(), room.top()));
    show();
    if (m_by == By::Keys)
        if (auto *first = findChild<StudioButton *>()) first->setFocus(Qt::PopupFocusReason);
}

bool WordCard::eventFilter(QObject *watched, QEvent *event)
{
    const auto outside = [&](const QPoint &at, bool ofIt) {
        const QRect both = geometry().adjusted(-kSlack - kBeside, -kSlack - kBeside, kSlack, kSlack);
        return !both.contains(at) && (ofIt || !m_around.contains(at));
    };
    switch (event->type()) {
    case QEvent::MouseMove:
        if (outside(static_cast<QMouseEvent *>(event)->globalPosition().toPoint(), false)) close();
        break;
    case QEvent::MouseButtonPress:
        if (outside(static_cast<QMouseEvent *>(event)->globalPosition().toPoint(), true)) close();
        break;
    case QEvent::Wheel:
    case QEvent::KeyPress:
    case QEvent::WindowDeactivate:
        if (watched != this) close();
        break;
    default:
        break;
    }
    return false;
}

void WordCard::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

void WordCard::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(Theme::instance().color(Token::LineStrong));
    painter.setBrush(Theme::instance().color(Token::Panel));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace remat::studio
