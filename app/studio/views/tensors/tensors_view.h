// SPDX-License-Identifier: Apache-2.0
// The view "Tensors": everything that is saved for the backward pass, as a table, summed, and by module at a moment.
#pragma once

#include "app/studio/views/tensors/tensors_table.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace remat::studio {

class IcicleCanvas;
class TokenLabel;

/// Hidden it does nothing; it is brought up to date when it is seen. GUI thread only.
class TensorsView : public QWidget
{
    Q_OBJECT
public:
    explicit TensorsView(Document *document, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }
    /// What is said beside the filter: how many there are, and how large.
    QString summary();

protected:
    void showEvent(QShowEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *makeStrip();
    QTableView *makeTable(RowTable &rows, QSortFilterProxyModel &sorted, const char *name, const QString &title);
    void spoil();
    void refresh();
    void setFilter(const QString &text);
    /// Lists the tensors of a group of the sums.
    void openGroup(int row);
    void showSelection();

    Document *m_document;
    TensorsData m_data;
    TensorsTable m_tensors;
    SumsTable m_sums;
    QSortFilterProxyModel *m_sortedTensors, *m_sortedSums;
    QTableView *m_table, *m_sumsTable;
    QComboBox *m_by;
    QLineEdit *m_filter;
    TokenLabel *m_summary;
    QStackedLayout *m_stack;
    IcicleCanvas *m_icicle;
    bool m_stale = true;
    bool m_following = false;
};

} // namespace remat::studio
