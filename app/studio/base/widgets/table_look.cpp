// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/widgets/table_look.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kCellPadding = 4;

} // namespace

void PlainDelegate::paintRow(QPainter &painter, const QStyleOptionViewItem &option)
{
    const Theme &theme = Theme::instance();
    if (option.state & QStyle::State_Selected)
        painter.fillRect(option.rect, theme.color(Token::AccentSoft));
    else if (option.state & QStyle::State_MouseOver)
        painter.fillRect(option.rect, theme.color(Token::Raised));
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Selected)) {
        painter.setPen(QPen(theme.color(Token::Focus), 2));
        painter.drawLine(option.rect.left() + 1, option.rect.top(), option.rect.left() + 1, option.rect.bottom());
    }
}

void PlainDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    paintRow(*painter, option);
    if (index.data(kGreyedRole).toBool()) painter->setOpacity(0.45);
    const Theme &theme = Theme::instance();
    const bool quiet = index.data(kQuietRole).toBool();
    painter->setFont(theme.font(quiet || index.data(kPlainNameRole).toBool() ? FontRole::Body : FontRole::Name));
    painter->setPen(theme.color(quiet ? Token::Text2 : Token::Text));
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    const QRect cell = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    painter->drawText(
        cell, (alignment.isValid() ? alignment.toInt() : int(Qt::AlignLeft | Qt::AlignVCenter)) | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, cell.width()));
    painter->restore();
}

void PlainDelegate::paintName(QPainter &painter, const QStyleOptionViewItem &option, const QString &name, int room)
{
    painter.save();
    painter.setFont(Theme::instance().font(FontRole::Body));
    painter.setPen(Theme::instance().color(Token::Text));
    const QRect cell = option.rect.adjusted(room, 0, -kCellPadding, 0);
    painter.drawText(cell, Qt::AlignVCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(name, Qt::ElideMiddle, cell.width()));
    painter.restore();
}

QSize PlainDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {40, kTableRow};
}

namespace {

constexpr int kArrow = 11, kArrowGap = 2;

/// Draws the arrow of sorting itself: the style's lies on the title where that stands at the right.
class SortHeader : public QHeaderView
{
public:
    explicit SortHeader(QWidget *parent) : QHeaderView(Qt::Horizontal, parent) {}

protected:
    void initStyleOptionForIndex(QStyleOptionHeader *option, int section) const override
    {
        QHeaderView::initStyleOptionForIndex(option, section);
        option->sortIndicator = QStyleOptionHeader::None;
    }

    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        painter->save();
        QHeaderView::paintSection(painter, rect, section);
        painter->restore();
        if (!isSortIndicatorShown() || section != sortIndicatorSection()) return;
        const QString title = model()->headerData(section, orientation()).toString();
        const int alignment = model()->headerData(section, orientation(), Qt::TextAlignmentRole).toInt();
        const int width = fontMetrics().horizontalAdvance(title);
        const int x = (alignment & Qt::AlignRight) ? rect.right() - kCellPadding - width - kArrowGap - kArrow
                                                   : rect.left() + kCellPadding + width + kArrowGap;
        const QString icon =
            sortIndicatorOrder() == Qt::DescendingOrder ? QStringLiteral("chevron-down") : QStringLiteral("chevron-up");
        painter->drawPixmap(std::clamp(x, rect.left(), std::max(rect.left(), rect.right() - kArrow)),
                            rect.center().y() - kArrow / 2,
                            Theme::instance().iconPixmap(icon, kArrow, Token::Text2, devicePixelRatioF()));
    }
};

void makePlain(QHeaderView &header)
{
    header.setFixedHeight(kTableRow);
    header.setStyleSheet(QStringLiteral("QHeaderView::section { padding: 0 %1px; }").arg(kCellPadding));
    header.setHighlightSections(false);
    header.setSectionsClickable(false);
    header.setMinimumSectionSize(20);
}

} // namespace

void makeSortable(QTableView &table)
{
    auto *header = new SortHeader(&table);
    makePlain(*header);
    table.setHorizontalHeader(header);
    header->setSectionsClickable(true);
    table.setSortingEnabled(true);
}

void makePlain(QTableView &table)
{
    table.setShowGrid(false);
    table.setFrameShape(QFrame::NoFrame);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(kTableRow);
    table.verticalHeader()->setMinimumSectionSize(kTableRow);
    makePlain(*table.horizontalHeader());
    table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setTabKeyNavigation(false); // Tab leaves it
    table.setMouseTracking(true);
    table.setWordWrap(false);
}

void setWidths(QTableView &table, std::initializer_list<int> widths, int least)
{
    int column = 0, rest = table.viewport()->width();
    for (const int width : widths)
        rest -= table.isColumnHidden(column++) ? 0 : width;
    column = 0;
    for (const int width : widths)
        table.setColumnWidth(column++, width > 0 ? width : std::max(rest, least));
}

} // namespace remat::studio
