// SPDX-License-Identifier: Apache-2.0
// Which planner solves, with what options, for how long.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/plan/chunk_box.h"
#include "app/studio/work/jobs/solve_runner.h"

#include <QComboBox>
#include <QJsonObject>
#include <QSpinBox>

namespace remat::studio {

class OptionsForm;

/// The choice of planner: title in bold, kind greyed beside it.
class PlannerCombo : public QComboBox
{
    Q_OBJECT
public:
    explicit PlannerCombo(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
};

/// Planner, its options, time limit and threads. Each planner remembers what was set for it.
class PlannerBox : public QWidget
{
    Q_OBJECT
public:
    explicit PlannerBox(QWidget *parent = nullptr);
    /// What a solve started now would use.
    SolveSettings settings() const;
    void setPlanner(const std::string &name);
    ChunkBox *chunkBox() const { return m_chunks; }
    /// Sets an option of the planner that is shown, as `remat plan --set` takes it; an error in its words.
    Expected<void> setOption(const std::string &key, const std::string &value);
    /// Planner, limits, and what was set for each planner.
    QJsonObject saveState() const;
    /// Planners and options that do not exist are passed over.
    void restoreState(const QJsonObject &state);

Q_SIGNALS:
    /// For the history list: `Planner Search`.
    void stateChanged(const QString &what);

private:
    void fillPlanners();
    void showPlanner();

    PlannerCombo *m_planner;
    TokenLabel *m_source;
    QSpinBox *m_timeLimit;
    QSpinBox *m_threads;
    ChunkBox *m_chunks;
    OptionsForm *m_options;
    std::string m_shown;
    std::map<std::string, std::map<std::string, std::string>> m_values; ///< by planner
};

} // namespace remat::studio
