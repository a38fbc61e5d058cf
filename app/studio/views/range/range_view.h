// SPDX-License-Identifier: Apache-2.0
// The view "Range": what a chosen stretch of time is made of, in sums.
#pragma once

#include "app/studio/base/widgets/row_table.h"
#include "app/studio/work/document/document.h"
#include "core/views/range_sums.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QSortFilterProxyModel;
class QTableView;

namespace remat::studio {

class TokenLabel;

/// One row per group. GUI thread only.
class RangeTable : public RowTable
{
    Q_OBJECT
public:
    enum { Group, Came, Went, Time, Again, Runs };

    explicit RangeTable(QObject *parent = nullptr);
    /// `labels` are the rows' names, as people read them.
    void set(std::vector<RangeSum> sums, QStringList labels);
    const RangeSum &sum(int row) const { return m_sums[static_cast<std::size_t>(row)]; }

private:
    int rows() const override;
    QVariant cell(int row, int column, int role) const override;

    std::vector<RangeSum> m_sums;
    QStringList m_labels;
};

/// Hidden it does nothing; it is brought up to date when it is seen. GUI thread only.
class RangeView : public QWidget
{
    Q_OBJECT
public:
    explicit RangeView(Document *document, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }

protected:
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void spoil();
    void refresh();
    void choose(int row);

    Document *m_document;
    std::optional<RangeMeter> m_meter; ///< measures the plan that is shown
    RangeTable m_rows;
    QSortFilterProxyModel *m_sorted;
    QComboBox *m_by;
    TokenLabel *m_summary;
    QTableView *m_table;
    bool m_stale = true;
};

} // namespace remat::studio
