// SPDX-License-Identifier: Apache-2.0
// The queues of solves, one for each open model.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/jobs/solve_job.h"

#include <QThreadPool>

#include <memory>
#include <optional>
#include <vector>

namespace remat::studio {

/// The solves for one work, which its page owns. Destroying it ends them and waits. GUI thread only.
struct SolveQueue {
    explicit SolveQueue(std::shared_ptr<ModelWork> forWork);
    ~SolveQueue();

    const std::shared_ptr<ModelWork> work;
    QThreadPool pool; ///< own threads, since they keep a low priority
    std::vector<std::unique_ptr<SolveJob>> jobs;
    std::vector<std::unique_ptr<SolveJob>> retired; ///< their workers are still coming back
    int nextId = 1;
    int shown = 0;     ///< the one that the panel shows
    bool held = false; ///< nothing that waits starts
};

/// Something waits or runs.
bool isRunning(const SolveQueue &queue);
/// The queue as sessions keep it.
std::vector<SolveRecord> recordsOf(const SolveQueue &queue);

/// Shows one queue and lets all go on. Solves start in the order of the list, as many at once in a queue as `atOnce`
/// says, and share the threads. Ended ones stay in the list until they are removed. GUI thread only.
class SolveRunner : public QObject
{
    Q_OBJECT
public:
    explicit SolveRunner(Document &document, QObject *parent = nullptr);

    /// Shows another queue, after the document shows its work. What was shown goes on with those who keep it.
    void show(std::shared_ptr<SolveQueue> queue);

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
    void reset() { empty(m_queue); }

    /// While a queue is held nothing that waits starts, and what runs ends soon with the best plan it has.
    void setHeld(const std::shared_ptr<SolveQueue> &queue, bool held);

    std::vector<SolveRecord> records() const { return recordsOf(*m_queue); }
    /// A queue as a session kept it: what waits goes on.
    void restore(const std::vector<SolveRecord> &records) { restore(m_queue, records); }
    void restore(const std::shared_ptr<SolveQueue> &queue, const std::vector<SolveRecord> &records);

    const std::vector<std::unique_ptr<SolveJob>> &jobs() const { return m_queue->jobs; }
    SolveJob *job(int id) const;
    /// Ends a solve soon, or takes one that waits back.
    void stop(int id);
    /// Takes an ended or waiting solve out of the list. Its plan stays.
    void remove(int id) { remove(m_queue, id); }
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
    int shownId() const { return m_queue->shown; }
    /// It is about the plan that is shown, or, without a plan of its own, about the budget that is set.
    bool reportIsOfShownPlan() const;
    bool running() const { return isRunning(*m_queue); }
    double elapsedSeconds() const;

Q_SIGNALS:
    void reportChanged();
    void jobsChanged();          ///< which there are, and their order
    void jobChanged(int id);     ///< its report
    void planWanted(int planId); ///< solved before: here it is
    /// As a job says it, for any queue.
    void foundInChunks(const remat::studio::ModelWork *work, const std::shared_ptr<const remat::CostedModel> &model,
                       const std::shared_ptr<const remat::PlanEntry> &entry);
    /// In a queue that is not shown: which solves there are, or one of them ended.
    void changedElsewhere(const remat::studio::SolveQueue *queue);

private:
    void add(const std::shared_ptr<SolveQueue> &queue, std::unique_ptr<SolveJob> job);
    /// Shows the solve that made the current plan, unless one is running.
    void showOfCurrent();
    void pump(const std::shared_ptr<SolveQueue> &queue);
    void empty(const std::shared_ptr<SolveQueue> &queue);
    void tellJobs(const SolveQueue &queue);
    void remove(const std::shared_ptr<SolveQueue> &queue, int id);
    void retire(const std::shared_ptr<SolveQueue> &queue, std::unique_ptr<SolveJob> job);
    /// The place it would have after a move; past the end when it cannot.
    std::size_t placeAfter(int id, int by) const;

    Document &m_document;
    std::shared_ptr<SolveQueue> m_queue; ///< the one that is shown
    int m_atOnce = 1;
};

} // namespace remat::studio
