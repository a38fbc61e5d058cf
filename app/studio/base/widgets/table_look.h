// SPDX-License-Identifier: Apache-2.0
// The look all tables and trees share: rows of 24, no grid, selection in `accentSoft`.
#pragma once

#include "app/studio/base/style/theme.h"

#include <QStyledItemDelegate>
#include <QTableView>

namespace remat::studio {

constexpr int kTableRow = 24;
/// True: the cell is drawn in `text2` and normal weight; otherwise as a name.
constexpr int kQuietRole = Qt::UserRole + 100;
/// True: a name in normal weight, for lists where every row is one.
constexpr int kPlainNameRole = Qt::UserRole + 102;
/// True: the cell is drawn at 45 %.
constexpr int kGreyedRole = Qt::UserRole + 101;

/// Property of a table that is true where rows stand for ops or storages, which a click on the first cell selects.
constexpr const char *kRowsOfGraph = "rowsOfGraph";

/// Draws one line of text with the theme's colours.
class PlainDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    /// Background of a row: selected, hovered or none; and the focus mark on its first cell.
    static void paintRow(QPainter &painter, const QStyleOptionViewItem &option);
    /// A name in normal weight, after `room` for a mark; cut in the middle, since both of its ends say something.
    static void paintName(QPainter &painter, const QStyleOptionViewItem &option, const QString &name, int room);
};

/// Takes grid, frame and row header away; Tab leaves the table.
void makePlain(QTableView &table);

/// Rows are sorted by a click on a title, and an arrow tells by which. It stands at the free side of its title, so that
/// titles stay over their columns. After makePlain().
void makeSortable(QTableView &table);

/// Widths of all columns; the one of 0 has the rest, and at least `least`.
void setWidths(QTableView &table, std::initializer_list<int> widths, int least = 0);

} // namespace remat::studio
