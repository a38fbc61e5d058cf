// SPDX-License-Identifier: Apache-2.0
// The right dock: budget, planner, solve, progress, figures, verdict.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/jobs/plan_runner.h"
#include "app/studio/work/jobs/solve_runner.h"

#include <QScrollArea>

class QVBoxLayout;

namespace remat::studio {

class BudgetBox;
class Figures;
class PlannerBox;
class VerdictBox;
struct Session;

/// Actions of the window that the panel shows as buttons.
struct PlanActions {
    QAction *solve = nullptr;
    QAction *stop = nullptr;
    QAction *validate = nullptr;
    QAction *save = nullptr;
    QAction *train = nullptr;
};

/// Card, budget, planner, figures and verdict. Scrolls as a whole; Solve and Stop stick to the lower edge when they
/// would be below it.
class PlanPanel : public QScrollArea
{
    Q_OBJECT
public:
    PlanPanel(Session &session, const PlanActions &actions, QWidget *parent = nullptr);

    SolveSettings settings() const;
    void setPlanner(const std::string &name);
    /// Planner and its settings.
    PlannerBox *plannerBox() const { return m_planner; }
    void focusBudget();
    /// Where features put what they show beside budget and figures.
    enum class Section { Decisions, Explain };
    /// Takes the widget over; it hides itself while it has nothing to show.
    void addSection(Section section, QWidget *widget);

Q_SIGNALS:
    void profileWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeContent(Session &session, const PlanActions &actions);
    void makeSolveRow(const PlanActions &actions);
    void showPlan();
    void placeSolveRow();

    Document *m_document;
    SolveRunner *m_solver;
    PlanRunner *m_runner;
    BudgetBox *m_budget = nullptr;
    PlannerBox *m_planner = nullptr;
    QWidget *m_solvePlace = nullptr; ///< where the solve row lies when there is room
    QWidget *m_solveRow = nullptr;
    StudioButton *m_solve = nullptr;
    StudioButton *m_validate = nullptr;
    QVBoxLayout *m_decisions = nullptr, *m_explain = nullptr;
    Figures *m_figures = nullptr;
    VerdictBox *m_verdict = nullptr;
};

} // namespace remat::studio
