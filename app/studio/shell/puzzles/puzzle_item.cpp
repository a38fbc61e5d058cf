// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/puzzles/puzzle_item.h"

#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QKeyEvent>
#include <QPainter>

namespace remat::studio {

namespace {

constexpr qreal kRadius = 6, kChipRadius = 5;
constexpr int kPad = 8;
constexpr qreal kLeastName = 62; // a figure beside a name leaves it so much

void drawText(QPainter &painter, const QRectF &area, Qt::Alignment align, FontRole role, Token token,
              const QString &text)
{
    painter.setFont(Theme::instance().font(role));
    painter.setPen(Theme::instance().color(token));
    const QString shown = painter.fontMetrics().elidedText(text, Qt::ElideMiddle, static_cast<int>(area.width()));
    painter.drawText(area, static_cast<int>(align | Qt::AlignVCenter), shown);
}

} // namespace

PuzzleItem::PuzzleItem(const PuzzleRun &run, OpId op, QWidget *parent) : QAbstractButton(parent), m_run(run), m_op(op)
{
    setProperty(kOwnRing, true);
    begin(graph().op(op).name, "puzzleOp.");
}

PuzzleItem::PuzzleItem(const PuzzleRun &run, StorageId storage, QWidget *parent)
    : QAbstractButton(parent), m_run(run), m_storage(storage)
{
    begin(graph().storage(storage).name, "puzzleStorage.");
}

void PuzzleItem::begin(const std::string &name, const char *kind)
{
    setObjectName(QLatin1String(kind) + toQString(name));
    setText(toQString(name));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    connect(this, &QAbstractButton::clicked, this, [this] { want(usualMove()); });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void PuzzleItem::want(const PuzzleMove &move)
{
    Q_EMIT wanted(move);
}

PuzzleMove PuzzleItem::usualMove() const
{
    if (isOp()) return {Step::compute(m_op), false};
    const bool away = !where().held && where().hostReadyUs >= 0;
    return {away ? Step::prefetch(m_storage) : Step::free(m_storage), false};
}

QString PuzzleItem::stateText() const
{
    if (isOp()) {
        const int times = m_run.position().computed[m_op.index()];
        const QString time = timeText(m_run.puzzle().costs.time(m_op));
        if (times == 0)
            return m_legal ? tr("op, %1, can be computed").arg(time) : tr("op, %1, not computed yet").arg(time);
        return tr("op, %1, computed %n times", nullptr, times).arg(time);
    }
    const QString size = bytesText(graph().storage(m_storage).bytes);
    if (where().held && graph().storage(m_storage).isOutput) return tr("result, %1, there to stay").arg(size);
    if (where().held)
        return where().hostReadyUs >= 0 ? tr("storage, %1, in memory and in host memory").arg(size)
                                        : tr("storage, %1, in memory").arg(size);
    if (where().hostReadyUs >= 0) return tr("storage, %1, in host memory").arg(size);
    return where().freed ? tr("storage, %1, freed").arg(size) : tr("storage, %1, not made yet").arg(size);
}

void PuzzleItem::showState()
{
    m_legal = isOp() && whyNot(m_run.puzzle(), m_run.position(), {Step::compute(m_op), false}).empty();
    setAccessibleName(text() + QStringLiteral(", ") + stateText());
    setToolTip(text() + QStringLiteral(": ") + stateText());
    update();
}

bool PuzzleItem::proposed() const
{
    const auto &move = m_run.proposed();
    return move && (isOp() ? move->step.op == m_op : move->step.storage == m_storage);
}

void PuzzleItem::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(3.5, 3.5, -3.5, -3.5);
    if (isOp())
        paintOp(painter, frame);
    else
        paintStorage(painter, frame);
    if (proposed()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Theme::instance().color(Token::Warn), 2, Qt::DashLine));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius + 2, kRadius + 2);
    }
    if (hasFocus()) paintFocusRing(painter, frame, kRadius);
}

void PuzzleItem::paintOp(QPainter &painter, const QRectF &frame) const
{
    const Theme &theme = Theme::instance();
    const int times = m_run.position().computed[m_op.index()];
    const bool over = underMouse() || isDown();
    painter.setBrush(theme.color(over && m_legal ? Token::AccentSoft : times > 0 ? Token::Raised : Token::Panel));
    painter.setPen(QPen(theme.color(m_legal ? Token::Accent : Token::LineStrong), m_legal ? 1.5 : 1));
    painter.drawRoundedRect(frame, kRadius, kRadius);
    QRectF area = frame.adjusted(kPad, 0, -kPad, 0);
    const QString icon = times > 1   ? QStringLiteral("rotate-ccw")
                         : times > 0 ? QStringLiteral("check")
                         : m_legal   ? QStringLiteral("play")
                                     : QStringLiteral("circle");
    const Token token = times > 1 ? Token::Recomputed : times > 0 ? Token::Ok : m_legal ? Token::Accent : Token::Text3;
    painter.drawPixmap(QPointF(area.left(), area.center().y() - 7.5),
                       theme.iconPixmap(icon, 15, token, devicePixelRatioF()));
    area.setLeft(area.left() + 21);
    QString time = timeText(m_run.puzzle().costs.time(m_op));
    if (times > 1) time = QStringLiteral("%1 ×%2").arg(time).arg(times);
    const qreal room = times > 1 ? 76 : 54;
    if (area.width() > room + kLeastName) {
        drawText(painter, QRectF(area.right() - room, area.top(), room, area.height()), Qt::AlignRight, FontRole::Small,
                 Token::Text3, time);
        area.setRight(area.right() - room - 2);
    }
    drawText(painter, area, Qt::AlignLeft, FontRole::Name, Token::Text, text());
}

void PuzzleItem::paintStorage(QPainter &painter, const QRectF &frame) const
{
    const Theme &theme = Theme::instance();
    const Storage &storage = graph().storage(m_storage);
    const bool held = where().held, host = where().hostReadyUs >= 0;
    const Category category = storage.isOutput                                       ? Category::ParameterGradients
                              : graph().op(storage.producer).phase == Phase::Forward ? Category::KeptActivations
                                                                                     : Category::Gradients;
    const bool again = m_run.position().computed[storage.producer.index()] > 1;
    const Category shown = again && category == Category::KeptActivations ? Category::RecomputedActivations : category;
    painter.setBrush(theme.color(underMouse() && held ? Token::Raised : Token::Panel));
    QPen pen(held ? theme.categoryColor(shown) : theme.color(Token::LineStrong), held ? 1.5 : 1);
    if (!held) pen.setStyle(where().freed ? Qt::DashLine : Qt::DotLine);
    painter.setPen(pen);
    painter.drawRoundedRect(frame, kChipRadius, kChipRadius);
    constexpr qreal kSwatch = 12;
    const QRectF swatch(frame.left() + kPad, frame.center().y() - kSwatch / 2, kSwatch, kSwatch);
    if (held) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.categoryBrush(shown, devicePixelRatioF()));
        painter.drawRoundedRect(swatch, 2, 2);
    }
    if (host)
        painter.drawPixmap(
            QPointF(swatch.left() - (held ? 0 : 1.5), swatch.top() - 1.5),
            theme.iconPixmap(QStringLiteral("arrow-down-to-line"), 15, Token::Text, devicePixelRatioF()));
    const Token words = held ? Token::Text : Token::Text3;
    QRectF area = frame.adjusted(kPad + kSwatch + 6, 0, -kPad, 0);
    constexpr qreal kBytes = 54;
    if (area.width() > kBytes + kLeastName) { // else the tooltip has it
        drawText(painter, QRectF(area.right() - kBytes, area.top(), kBytes, area.height()), Qt::AlignRight,
                 FontRole::Small, words, bytesText(storage.bytes));
        area.setRight(area.right() - kBytes - 2);
    }
    drawText(painter, area, Qt::AlignLeft, FontRole::Label, words, text());
}

void PuzzleItem::mousePressEvent(QMouseEvent *event)
{
    const bool other = event->button() == Qt::RightButton || (event->modifiers() & Qt::ShiftModifier) != 0;
    if (!other) {
        QAbstractButton::mousePressEvent(event);
        return;
    }
    setFocus(Qt::MouseFocusReason);
    want(isOp() ? PuzzleMove{Step::compute(m_op), true} : PuzzleMove{Step::offload(m_storage), false});
}

void PuzzleItem::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (plain && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        click();
    } else if (plain && isOp() && key == Qt::Key_C) {
        want({Step::compute(m_op), false});
    } else if (plain && isOp() && key == Qt::Key_T) {
        want({Step::compute(m_op), true});
    } else if (plain && !isOp() && (key == Qt::Key_F || key == Qt::Key_Delete)) {
        want({Step::free(m_storage), false});
    } else if (plain && !isOp() && key == Qt::Key_O) {
        want({Step::offload(m_storage), false});
    } else if (plain && !isOp() && key == Qt::Key_B) {
        want({Step::prefetch(m_storage), false});
    } else {
        QAbstractButton::keyPressEvent(event);
    }
}

} // namespace remat::studio
