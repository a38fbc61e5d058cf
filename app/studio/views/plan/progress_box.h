// SPDX-License-Identifier: Apache-2.0
// How the solve is going, and how it ended.
#pragma once

#include "app/studio/work/jobs/solve_runner.h"

#include <QTimer>
#include <QWidget>

namespace remat::studio {

class ClusterTable;
class StepChart;
class StudioButton;
class TokenLabel;

/// Stage, elapsed time, gap, step chart, clusters; the sentence when there is no plan.
class ProgressBox : public QWidget
{
    Q_OBJECT
public:
    explicit ProgressBox(SolveRunner *runner, QWidget *parent = nullptr);

Q_SIGNALS:
    void floorWanted();
    /// A solve came to nothing, and the sentence says why.
    void failed();

private:
    void showReport();
    void showHeadline();

    SolveRunner *m_runner;
    TokenLabel *m_headline;
    TokenLabel *m_gap;
    TokenLabel *m_detail;
    StepChart *m_chart;
    ClusterTable *m_clusters;
    QWidget *m_problem;
    TokenLabel *m_sentence;
    StudioButton *m_toFloor;
    QTimer m_tick;
    bool m_problemShown = false;
};

} // namespace remat::studio
