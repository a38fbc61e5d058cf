// SPDX-License-Identifier: Apache-2.0
// The work that a window shows: the open model, its costs, the plans, the budget, the selection. Views read it and
// listen to its signals; they never talk to each other.
#pragma once

#include "app/studio/work/document/model_work.h"
#include "core/plan/plan_verdict.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace remat::studio {

class TimeWindow;

/// How a plan stands under a budget (0: none), in the window's language. Everything that shows a verdict asks here.
PlanVerdict verdictOf(const PlanEntry &entry, std::int64_t budgetBytes);

/// Shows one work at a time, at first an empty one of its own, and tells views when another comes to be shown or the
/// shown one changes. Jobs of works that are not shown change these through it as well. GUI thread only.
class Document : public QObject
{
    Q_OBJECT
public:
    explicit Document(QObject *parent = nullptr);

    /// The work that is shown, never null. Only for those who keep it or let jobs go on in it; all others ask below.
    const std::shared_ptr<ModelWork> &work() const { return m_work; }
    /// Shows another work. What was shown stays as it is with those who keep it.
    void show(std::shared_ptr<ModelWork> work);

    std::shared_ptr<const CostedModel> model() const { return m_work->model; } ///< none before a model is open
    std::int64_t budgetBytes() const { return m_work->budgetBytes; }
    std::shared_ptr<const PlanEntry> currentPlan() const { return m_work->current; } ///< none before the first plan
    /// Timeline of the current plan, or of keep-all before there is one; none without a model.
    std::shared_ptr<const MemoryTimeline> timeline() const;
    const std::vector<std::shared_ptr<const PlanEntry>> &plans() const { return m_work->plans; }
    /// No plan like this one is faster, in µs, as far as is proven by now; 0 when nothing is known. Never more than the
    /// plan itself takes. For the current plan that is within the budget that is set, where it fits; for any other one
    /// within the budget that it was made for.
    double boundTimeUs(const PlanEntry &entry) const;
    /// Notes what a plan made here has proven, and tells when that is news.
    void tellBound(const PlanEntry &entry) { tellBound(*m_work, entry); }
    /// Notes a bound for one plan, or for all plans that `plans` names when `planId` is 0.
    void tellBound(HoldsFor plans, int planId, std::int64_t budgetBytes, double timeUs);
    Selection selection() const { return m_work->selection; }
    /// The module that is selected as a whole, while no single op or storage is; or none.
    std::shared_ptr<const SelectedModule> selectedModule() const { return m_work->module; }
    /// Selected itself, or with its module.
    bool selects(OpId op) const
    {
        const auto &module = m_work->module;
        return op && (op == m_work->selection.op || (module && module->isOp[op.index()]));
    }
    bool selects(StorageId storage) const
    {
        const auto &module = m_work->module;
        return storage && (storage == m_work->selection.storage || (module && module->isMade[storage.index()]));
    }
    Selection hover() const { return m_hover; }          ///< what the mouse is over in any view; all views show it
    double cursorUs() const { return m_work->cursorUs; } ///< time cursor of all views; negative when there is none
    const Pins &pins() const { return m_work->pins; }    ///< decided by hand; planners work around it
    /// Plans laid side by side in Compare, A first; at most four ids of the list.
    const std::vector<int> &compared() const { return m_work->compared; }
    /// The horizontal axis that all views over time share.
    TimeWindow &time() { return *m_time; }

    /// Replaces model and costs. Plans are kept only when the graph is the same (their figures are made anew by the
    /// caller).
    void setModel(std::shared_ptr<const CostedModel> model);
    void setBudget(std::int64_t bytes);
    /// The person moves the budget, so that a plan follows. Keys, fields and buttons call only this; a drag begins,
    /// moves any number of times, and ends.
    void moveBudget(std::int64_t bytes);
    void beginBudgetDrag();
    void endBudgetDrag();
    bool draggingBudget() const { return m_draggingBudget; }
    /// Adds a plan and makes it current. A quick plan replaces the quick plan before it.
    void addPlan(std::shared_ptr<const PlanEntry> entry) { addPlan(*m_work, std::move(entry)); }
    /// Adds a plan and leaves the current one as it is, unless there is none.
    void addPlanBeside(std::shared_ptr<const PlanEntry> entry) { addPlanBeside(*m_work, std::move(entry)); }
    /// Replaces the entry with the same id (a verdict came in).
    void replacePlan(std::shared_ptr<const PlanEntry> entry) { replacePlan(*m_work, std::move(entry)); }
    void setCurrentPlan(int id) { setCurrentPlan(*m_work, id); }
    /// The person takes a plan of the list: it becomes the current one and brings the budget that it was made for, so
    /// that everything shown is about it. No other plan follows.
    void loadPlan(int id);
    void removePlan(int id) { removePlan(*m_work, id); }
    /// The list and the current one as they were before: undo, or a session that is opened.
    void restorePlans(std::vector<std::shared_ptr<const PlanEntry>> plans, int currentId);
    void selectOp(OpId op);
    void selectStorage(StorageId storage);
    /// All ops of a module, in graph order, and what they make.
    void selectModule(const std::string &path, std::vector<OpId> ops);
    void clearSelection();
    void setHover(Selection hover);
    /// Ids that the graph does not have are dropped.
    void setPins(Pins pins);
    /// Ids that are not in the list are dropped, and so are all after the fourth.
    void setCompared(std::vector<int> planIds);
    void setCursor(double timeUs);
    int nextPlanId() { return m_work->nextPlanId++; }

    /// As those above, in any work: jobs go on in the one that they were started for. Views are told of the shown one.
    void tellBound(ModelWork &work, const PlanEntry &entry);
    void addPlan(ModelWork &work, std::shared_ptr<const PlanEntry> entry);
    void addPlanBeside(ModelWork &work, std::shared_ptr<const PlanEntry> entry);
    void replacePlan(ModelWork &work, std::shared_ptr<const PlanEntry> entry);
    void setCurrentPlan(ModelWork &work, int id);
    void removePlan(ModelWork &work, int id);

Q_SIGNALS:
    void modelChanged();
    void budgetChanged();
    void budgetMoved();        ///< by the person; the document has the value already
    void budgetDragChanged();  ///< a drag began or ended: what must hold still or hurry meanwhile looks here
    void plansChanged();       ///< the list
    void currentPlanChanged(); ///< which one, or its figures
    void boundsChanged();      ///< more may be proven of the current plan
    void selectionChanged();
    void hoverChanged();
    void cursorChanged();
    void pinsChanged();
    void comparedChanged();
    /// In a work that is not shown: the list, or else the current plan.
    void changedElsewhere(const remat::studio::ModelWork *work, bool plans);

private:
    void select(Selection selection, std::shared_ptr<const SelectedModule> module);
    /// What a change touched.
    struct Change {
        bool plans = false;    ///< the list
        bool current = false;  ///< which plan is the current one, or its figures
        bool compared = false; ///< what Compare shows
    };
    /// Tells of a change in a work that is complete, so that nobody sees half of it.
    void tell(const ModelWork &work, Change change);

    std::shared_ptr<ModelWork> m_work = std::make_shared<ModelWork>();
    bool m_draggingBudget = false;
    Selection m_hover;
    TimeWindow *m_time;
};

} // namespace remat::studio
