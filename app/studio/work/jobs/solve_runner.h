// SPDX-License-Identifier: Apache-2.0
// The queue of solves.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/jobs/solve_job.h"

#include <QThreadPool>

#include <memory>
#include <optional>
#include <vector>

namespace remat::studio {

/// GUI thread only. Solves start in the order of the list, as many at once as `atOnce` says, and share the threads.
/// Ended ones stay in the list until they are removed.
class SolveRunner : public QObject
{
    Q_OBJECT
public:
    explicit SolveRunner(Document &document, QObject *parent = nullptr);
    ~SolveRunner() override;

    /// Solves for the document's budget around its pins, once those before have ended. Asking for what waits, runs or
    /// was solved to the proven best already adds nothing and shows the older one.
    void solve(const SolveSettings &settings);
    /// As solve(), for a change of the person's that asks for it: takes the place of an earlier one that has not ended.
    /// The plan belongs to that change, so that undo takes both back.
    void solveByItself(const SolveSettings &settings);
    /// The settings of the solve that made a plan of the document; none when no solve in the list did.
    std::optional<SolveSettings> settingsOf(int planId) const;
    /// Ends the shown solve soon; the best plan found so far stays.
    void stop();
    /// Ends all solves and forgets them: another model was opened.
    void reset();

    /// Takes the queue of `other` and gives it this one. Each goes on, and its plans go into the document of the runner
    /// that has it. Both tell.
    void trade(SolveRunner &other);
    /// While held nothing that waits starts, and what runs ends soon with the best plan it has.
    void setHeld(bool held);

    /// The queue as sessions keep it, and as they bring it back: what waits goes on.
    std::vector<SolveRecord> records() const;
    void restore(const std::vector<SolveRecord> &records);

    const std::vector<std::unique_ptr<SolveJob>> &jobs() const { return m_jobs; }
    SolveJob *job(int id) const;
    /// Ends a solve soon, or takes one that waits back.
    void stop(int id);
    /// Takes an ended or waiting solve out of the list. Its plan stays.
    void remove(int id);
    void removeEnded();
    /// Moves a waiting solve among those that wait, by one place forward (-1) or back (1).
    void move(int id, int by);
    bool canMove(int id, int by) const;
    int atOnce() const { return m_atOnce; }
    /// 1 to 8.
    void setAtOnce(int count);
    int waiting() const;

    /// Report on the solve that the panel shows: the newest that was started, or that could not be.
    const SolveReport &report() const;
    int shownId() const { return m_shown; }
    /// It is about the plan that is shown, or, without a plan of its own, about the budget that is set.
    bool reportIsOfShownPlan() const;
    bool running() const;
    double elapsedSeconds() const;

Q_SIGNALS:
    void reportChanged();
    void jobsChanged();          ///< which there are, and their order
    void jobChanged(int id);     ///< its report
    void planWanted(int planId); ///< solved before: here it is
    void foundInChunks(const std::shared_ptr<const remat::CostedModel> &model,
                       const std::shared_ptr<const remat::PlanEntry> &entry); ///< as a job says it

private:
    void add(std::unique_ptr<SolveJob> job);
    void follow(SolveJob *job);
    /// Shows the solve that made the current plan, unless one is running.
    void showOfCurrent();
    void pump();
    void retire(std::unique_ptr<SolveJob> job);
    std::size_t indexOf(int id) const;
    /// The place it would have after a move; past the end when it cannot.
    std::size_t placeAfter(int id, int by) const;

    Document &m_document;
    /// Own threads, since they keep a low priority; the pool goes with the jobs that run on it.
    std::unique_ptr<QThreadPool> m_pool = std::make_unique<QThreadPool>();
    std::vector<std::unique_ptr<SolveJob>> m_jobs;
    std::vector<std::unique_ptr<SolveJob>> m_retired; ///< their workers are still coming back
    int m_nextId = 1;
    int m_shown = 0;
    int m_atOnce = 1;
    bool m_held = false;
};

} // namespace remat::studio
