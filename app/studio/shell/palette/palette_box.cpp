// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/palette/palette_box.h"

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kIcon = 15, kSide = 12, kGap = 10;

/// Icon, name with its matched letters, place, and the key at the right.
class PaletteDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const Theme &theme = Theme::instance();
        painter->save();
        paintRow(*painter, option);
        if (!index.data(PaletteList::EnabledRole).toBool()) painter->setOpacity(0.45);
        const QRect row = option.rect.adjusted(kSide, 0, -kSide, 0);
        const QString icon = index.data(PaletteList::IconRole).toString();
        if (!icon.isEmpty()) {
            const qreal ratio = painter->device()->devicePixelRatioF();
            painter->drawPixmap(row.left(), row.center().y() - kIcon / 2,
                                theme.iconPixmap(icon, kIcon, Token::Text2, ratio));
        }
        int right = row.right();
        const QString key = index.data(PaletteList::KeyRole).toString();
        painter->setFont(theme.font(FontRole::Label));
        if (!key.isEmpty()) {
            const int width = painter->fontMetrics().horizontalAdvance(key);
            painter->setPen(theme.color(Token::Text3));
            painter->drawText(QRect(right - width, row.top(), width + 1, row.height()), Qt::AlignVCenter, key);
            right -= width + kGap;
        }
        const int left = row.left() + kIcon + kGap;
        const QString place = index.data(PaletteList::PlaceRole).toString();
        const int placeWidth = std::min(painter->fontMetrics().horizontalAdvance(place) + 1, (right - left) * 2 / 5);
        const int end =
            paintName(*painter, QRect(left, row.top(), right - left - placeWidth - kGap, row.height()), index);
        painter->setFont(theme.font(FontRole::Label));
        painter->setPen(theme.color(Token::Text3));
        painter->drawText(QRect(end + kGap, row.top(), right - end - kGap, row.height()),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                          painter->fontMetrics().elidedText(place, Qt::ElideRight, right - end - kGap));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, PaletteBox::kRow}; }

private:
    /// Letters that match in 600. Returns where the name ends.
    static int paintName(QPainter &painter, const QRect &cell, const QModelIndex &index)
    {
        const Theme &theme = Theme::instance();
        QFont plain = theme.font(FontRole::Body), bold = plain;
        bold.setWeight(QFont::DemiBold);
        painter.setPen(theme.color(Token::Text));
        QString name = index.data().toString();
        const auto matched = index.data(PaletteList::MatchedRole).value<std::vector<int>>();
        // Measured in 600, which is never narrower.
        const QString shown = QFontMetrics(bold).elidedText(name, Qt::ElideRight, cell.width());
        int x = cell.left();
        for (qsizetype from = 0; from < shown.size();) {
            const auto isMatched = [&](qsizetype at) {
                return std::binary_search(matched.begin(), matched.end(), static_cast<int>(at));
            };
            qsizetype to = from + 1;
            while (to < shown.size() && isMatched(to) == isMatched(from))
                ++to;
            painter.setFont(isMatched(from) ? bold : plain);
            const QString piece = shown.mid(from, to - from);
            painter.drawText(QRect(x, cell.top(), cell.right() + 20 - x, cell.height()),
                             Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, piece);
            x += painter.fontMetrics().horizontalAdvance(piece);
            from = to;
        }
        return x;
    }
};

} // namespace

PaletteBox::PaletteBox(QWidget *parent)
    : QWidget(parent),
      m_field(new QLineEdit(this)),
      m_view(new QListView(this)),
      m_hints(new TokenLabel({}, FontRole::Label, Token::Text3, this))
{
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(tr("Command palette"));
    m_field->setObjectName(QStringLiteral("paletteField"));
    m_field->setAccessibleName(tr("Search ops, storages, commands"));
    m_field->setPlaceholderText(tr("Search ops, storages, commands"));
    m_field->setFixedHeight(kField);
    m_field->setFrame(false);
    m_field->setStyleSheet(QStringLiteral("QLineEdit { border: none; background: transparent; padding: 0; }"));
    m_field->setAttribute(Qt::WA_MacShowFocusRect, false);
    m_view->setObjectName(QStringLiteral("paletteList"));
    m_view->setAccessibleName(tr("What was found"));
    m_view->setModel(&m_list);
    m_view->setItemDelegate(new PaletteDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setUniformItemSizes(true);
    m_view->setMouseTracking(true);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hints->setObjectName(QStringLiteral("paletteHints"));
    m_hints->setFixedHeight(kHints);

    auto *fieldRow = new QHBoxLayout;
    fieldRow->setContentsMargins(kSide, 0, kSide, 0);
    fieldRow->setSpacing(kGap);
    fieldRow->addWidget(new IconLabel(QStringLiteral("search"), kIcon, Token::Text3, this));
    fieldRow->addWidget(m_field, 1);
    auto *hintRow = new QHBoxLayout;
    hintRow->setContentsMargins(kSide, 0, kSide, 0);
    hintRow->addWidget(m_hints, 1);
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(kShadow + 1, kShadow + 1, kShadow + 1, kShadow + 1);
    rows->setSpacing(0);
    rows->addLayout(fieldRow);
    rows->addWidget(new Rule(this));
    rows->addWidget(m_view);
    rows->addWidget(new Rule(this));
    rows->addLayout(hintRow);

    m_field->installEventFilter(this);
    parent->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &PaletteBox::asked);
    connect(m_view, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) { choose(index.row()); });
    connect(&m_list, &PaletteList::ranked, this, [this] {
        if (!m_view->currentIndex().isValid()) m_view->setCurrentIndex(m_list.index(0));
        place();
    });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    setSentence({}, false);
    hide();
}

void PaletteBox::open(const QString &text)
{
    if (!isVisible()) m_focusBefore = QApplication::focusWidget();
    if (m_field->text() == text)
        Q_EMIT asked(text);
    else
        m_field->setText(text);
    place();
    show();
    raise();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->deselect();
    m_field->end(false);
}

void PaletteBox::close()
{
    if (isHidden()) return;
    const bool hadFocus = m_field->hasFocus();
    hide();
    if (hadFocus && m_focusBefore && parentWidget()->isAncestorOf(m_focusBefore))
        m_focusBefore->setFocus(Qt::OtherFocusReason);
    m_focusBefore = nullptr;
}

void PaletteBox::setSentence(const QString &sentence, bool isProblem)
{
    m_hints->setToken(isProblem ? Token::Error : Token::Text3);
    m_hints->setText(sentence.isEmpty() ? tr("> commands    @ ops    # storages    ? help") : sentence);
}

void PaletteBox::place()
{
    const int shown = std::clamp(m_list.rowCount(), 1, kRowsShown);
    m_view->setFixedHeight(shown * kRow);
    const QSize size(kWidth + 2 * kShadow, 2 * (kShadow + 1) + kField + 2 + shown * kRow + kHints);
    setGeometry(QRect(QPoint((parentWidget()->width() - size.width()) / 2, kTop - kShadow), size));
}

void PaletteBox::choose(int row)
{
    if (row < 0 || row >= m_list.rowCount() || !m_list.itemAt(row).enabled()) return;
    const PaletteItem item = m_list.itemAt(row);
    close();
    Q_EMIT chosen(item);
}

void PaletteBox::move(int by)
{
    const int rows = m_list.rowCount();
    if (rows == 0) return;
    int next = m_view->currentIndex().row() + by;
    // One step goes round, a page stops at the end.
    if (std::abs(by) == 1)
        next = (next + rows) % rows;
    else
        next = std::clamp(next, 0, rows - 1);
    m_view->setCurrentIndex(m_list.index(next));
}

bool PaletteBox::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible()) place();
        return false;
    }
    if (event->type() == QEvent::FocusOut) {
        const auto reason = static_cast<QFocusEvent *>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) hide();
        return false;
    }
    // The keys that are shortcuts of the window elsewhere belong to the field while it is open.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::KeyPress) return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    switch (key->key()) {
    case Qt::Key_Escape:
        close();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (key->modifiers() & Qt::ControlModifier) {
            const QString text = m_field->text();
            close();
            Q_EMIT allWanted(text);
            return true;
        }
        m_list.finish();
        choose(std::max(0, m_view->currentIndex().row()));
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_PageUp:
        move(-kRowsShown);
        return true;
    case Qt::Key_PageDown:
        move(kRowsShown);
        return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
        return true; // there is one field
    default:
        return false;
    }
}

void PaletteBox::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(kShadow, kShadow, -kShadow, -kShadow);
    painter.setPen(Qt::NoPen);
    QColor shade(Qt::black);
    shade.setAlphaF(theme.scheme() == Scheme::Light ? 0.018F : 0.05F);
    painter.setBrush(shade);
    for (int away = kShadow; away > 0; away -= 2)
        painter.drawRoundedRect(box.adjusted(-away, -away + 3, away, away), 8 + away, 8 + away);
    painter.setPen(QPen(theme.color(Token::LineStrong), 1));
    painter.setBrush(theme.color(Token::Panel));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace remat::studio
