// SPDX-License-Identifier: Apache-2.0
// The view "Results": every match of the search, in the bottom area.
#pragma once

#include "app/studio/views/search/results_table.h"

#include <QWidget>

class QSortFilterProxyModel;
class QTableView;

namespace remat::studio {

class TokenLabel;

/// GUI thread only.
class ResultsView : public QWidget
{
    Q_OBJECT
public:
    ResultsView(SearchSession &search, const Document &document, QWidget *parent = nullptr);
    SearchSession &search() const { return m_search; }
    QTableView *table() const { return m_table; }
    ResultsTable *model() { return &m_model; }
    /// Says what was looked for and how many there are; for the area's header.
    QWidget *header() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showFound();
    void showCurrent();

    SearchSession &m_search;
    ResultsTable m_model;
    QSortFilterProxyModel *m_sorted;
    QTableView *m_table;
    TokenLabel *m_summary, *m_empty;
    bool m_following = false;
};

} // namespace remat::studio
