// SPDX-License-Identifier: Apache-2.0
// The strip over the trade-off plot: starts a sweep, shows how far it is, stops it.
#pragma once

#include "app/studio/work/jobs/sweep_runner.h"

#include <QWidget>

class QLabel;
class QMenu;
class QProgressBar;

namespace remat::studio {

class StudioButton;
class TokenLabel;

/// 44 high. Planners are chosen in a menu of check boxes and stay chosen; below them, where they plan. GUI thread only.
class SweepStrip : public QWidget
{
    Q_OBJECT
public:
    explicit SweepStrip(SweepRunner *runner, QWidget *parent = nullptr);

    /// Names of the planners that a sweep would run.
    std::vector<std::string> chosen() const;
    void setChosen(const std::vector<std::string> &planners);
    StudioButton *startButton() { return m_start; }
    StudioButton *stopButton() { return m_stop; }
    void start();
    void setUsable(bool usable);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void takeReport();
    void fillMenu();
    /// Asks for the scheduler of a cluster; without one sweeps stay here.
    void askForCluster();
    void planOn(const QString &scheduler);
    QString plannersText() const;

    SweepRunner *m_runner;
    TokenLabel *m_title, *m_text, *m_rest;
    QProgressBar *m_bar;
    StudioButton *m_planners, *m_start, *m_stop;
    QMenu *m_menu;
    std::vector<QAction *> m_boxes; ///< one for each planner
    QAction *m_elsewhere = nullptr;
    QString m_scheduler; ///< address of the cluster that plans; empty: this machine
    bool m_usable = false;
};

} // namespace remat::studio
