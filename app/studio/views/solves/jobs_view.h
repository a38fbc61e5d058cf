// SPDX-License-Identifier: Apache-2.0
// The queue of solves: list at the left, the chosen one's chart and clusters at the right.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/solves/jobs_model.h"

#include <QSpinBox>
#include <QTableView>
#include <QTimer>

namespace remat::studio {

class ClusterTable;
class StepChart;

/// GUI thread only.
class JobsView : public QWidget
{
    Q_OBJECT
public:
    JobsView(Document *document, SolveRunner *runner, QWidget *parent = nullptr);
    QTableView *table() const { return m_table; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QWidget *makeButtons();
    int chosen() const;
    void showChosen();
    /// Beside the list, where there is room and a solve to tell of.
    void placeDetail();
    void showJobs();

    QWidget *m_detail = nullptr; ///< details of the chosen solve
    Document *m_document;
    SolveRunner *m_runner;
    JobsModel *m_model;
    QTableView *m_table;
    TokenLabel *m_empty;
    TokenLabel *m_sentence;
    StepChart *m_chart;
    ClusterTable *m_clusters;
    StudioButton *m_stop, *m_remove, *m_up, *m_down, *m_removeEnded;
    QSpinBox *m_atOnce;
    QTimer m_tick;
    int m_chosen = 0; ///< follows the shown solve until another row is clicked
};

} // namespace remat::studio
