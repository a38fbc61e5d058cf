// The decisions made by hand, in the plan panel.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/decisions/decisions_model.h"
#include "app/studio/work/jobs/quick_planner.h"

#include <QTableView>

namespace remat::studio {

/// Title, list with a button in each row that takes the decision back, "Clear all", and why no plan follows them.
/// Hidden while there are none. A click selects, Delete takes back.
class DecisionsBox : public QWidget
{
    Q_OBJECT
public:
    DecisionsBox(Document *document, QuickPlanner *quick, QAction *clearAll, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }

private:
    void showPins();
    void takeBack(int row);

    Document *m_document;
    QuickPlanner *m_quick;
    DecisionsModel *m_model;
    TokenLabel *m_title;
    QTableView *m_table;
    TokenLabel *m_sentence;
};

} // namespace remat::studio
