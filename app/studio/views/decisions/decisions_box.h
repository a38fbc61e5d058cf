// SPDX-License-Identifier: Apache-2.0
// The decisions made by hand: a panel on the right, and a line of them in the plan panel.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/decisions/decisions_model.h"
#include "app/studio/work/jobs/quick_planner.h"

#include <QTableView>

namespace remat::studio {

/// Title, list with a button in each row that takes the decision back, and "Clear all"; how to decide while there are
/// none. A click selects, Delete takes back.
class DecisionsBox : public QWidget
{
    Q_OBJECT
public:
    explicit DecisionsBox(Document *document, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }

private:
    void showPins();
    void takeBack(int row);

    Document *m_document;
    DecisionsModel *m_model;
    TokenLabel *m_title;
    QTableView *m_table;
    QWidget *m_content;
    TokenLabel *m_empty;
};

/// How many there are, which leads to their list, what they cost, and why no plan follows them. Hidden while there are
/// none.
class DecisionsLine : public QWidget
{
    Q_OBJECT
public:
    DecisionsLine(Document *document, QuickPlanner *quick, QAction *showAll, QWidget *parent = nullptr);

private:
    void showPins();
    QString costText() const;

    Document *m_document;
    QuickPlanner *m_quick;
    StudioButton *m_count;
    TokenLabel *m_cost, *m_sentence;
};

} // namespace remat::studio
