// SPDX-License-Identifier: Apache-2.0
// One solve: what was asked for, how it stands, and its plan in the work while it gets better.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/chunk_solve.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "solvers/interface/solver.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>

namespace remat::studio {

/// Which solves decide what of the graph runs in chunks.
enum class ChunkUse {
    Never,
    BelowFloor, ///< those by Automatic for a budget that no plan of whole ops can meet
    Always
};

/// What the person asked for besides the budget.
struct SolveSettings {
    std::string planner;
    std::map<std::string, std::string> options; ///< as `--set` takes them, only those that differ from their default
    double timeLimitSeconds = 10;
    int threads = 1;
    ChunkUse chunks = ChunkUse::Never; ///< in a solve that was asked for: Never or Always
    std::vector<std::string> whole;    ///< ops that run in no chunks
    bool operator==(const SolveSettings &) const = default;
};

/// One point of the step chart. Times of whole plans in µs; negative when not known yet.
struct SolveSample {
    double seconds = 0;
    double incumbentTimeUs = -1;
    double boundTimeUs = -1;
};

/// How a solve stands, or stood when it ended.
struct SolveReport {
    enum class State { None, Waiting, Running, Stopping, Done, Stopped, Infeasible, Failed };
    State state = State::None;
    QString plannerTitle;
    std::int64_t budgetBytes = 0;
    double keepAllTimeUs = 0;
    SolveProgress progress;
    std::vector<SolveSample> samples;
    double seconds = 0;
    QString sentence;     ///< why there is no plan, or what the planner wants to be known
    OpId bindingOp;       ///< infeasible because of this op alone; may be none
    bool optimal = false; ///< done, and proven to be the best
    bool active() const { return state == State::Running || state == State::Stopping; }
    bool ended() const { return state > State::Stopping; }
};

/// A solve as sessions keep it: what was asked for, and how it ended. One that ran waits again.
struct SolveRecord {
    SolveSettings settings;
    std::int64_t budgetBytes = 0;
    Pins pins;
    SolveReport::State state = SolveReport::State::Waiting;
    bool optimal = false;
    double seconds = 0;
    int planId = 0;
    double timeUs = -1, boundTimeUs = -1; ///< negative when not known
    QString sentence;
    OpId bindingOp;                   ///< infeasible because of this op alone; may be none
    std::vector<SolveSample> samples; ///< how it got there
};

/// GUI thread only. Progress reaches the GUI at most 30 times a second, the newest snapshot always. Takes model, budget
/// and pins of its work as they are when it is made; its plans go into that work, shown or not.
class SolveJob : public QObject
{
    Q_OBJECT
public:
    SolveJob(Document &document, std::shared_ptr<ModelWork> work, QThreadPool &pool, int id,
             const SolveSettings &settings);
    /// As a session kept it.
    SolveJob(Document &document, std::shared_ptr<ModelWork> work, QThreadPool &pool, int id, const SolveRecord &record);
    ~SolveJob() override;

    int id() const { return m_id; }
    const SolveSettings &settings() const { return m_settings; }
    const SolveReport &report() const { return m_report; }
    SolveRecord record() const;
    /// The entry of its plan in the work; none is there before it has a plan.
    int planId() const { return m_planId; }
    double elapsedSeconds() const;
    /// Started by the program after a change of the person's, who did not press Solve.
    bool byItself() const { return m_byItself; }
    void setByItself() { m_byItself = true; }
    /// Asks for the same plan: planner, options, budget, decisions and costs.
    bool asksTheSame(const SolveJob &other) const;

    /// Only for one that waits.
    void start(int threads);
    /// Ends the solve soon; the best plan found so far stays. One that waits does not start any more.
    void stop();
    /// Ends the solve and drops what it still brings.
    void cancel();
    /// Its worker has not come back yet: destroying it would wait.
    bool busy() { return m_tracker.busy(); }

Q_SIGNALS:
    void changed();
    void ended();
    /// Its plan is of the model in other chunks than its own, so that it belongs to another page.
    void foundInChunks(const std::shared_ptr<const remat::CostedModel> &model,
                       const std::shared_ptr<const remat::PlanEntry> &entry);

private:
    struct Mailbox;
    struct Finished {
        Expected<SolveOutcome> outcome;
        std::shared_ptr<const PlanEntry> entry;
        QString entryError;
        std::shared_ptr<const CostedModel> of; ///< what the entry is of, where that is not the job's model
    };
    void judgeRequest();
    static Finished finished(ChunkSolve solved, const CostedModel &model, int planId, const std::string &title);
    void handOver(const Finished &result);
    void poll();
    void finish(Finished result);
    void end(SolveReport::State state);
    /// It is not slower than the plan that is shown, where that one fits and follows the decisions.
    bool beatsTheShown(const PlanEntry &entry) const;
    void showEntry(std::shared_ptr<const PlanEntry> entry);
    void takePlan(const SolveOutcome &outcome, std::shared_ptr<const PlanEntry> entry);
    void sayInfeasible(const SolveOutcome &outcome);
    void measureGap();
    bool hasBudgetThatIsSet() const { return m_work->budgetBytes == m_report.budgetBytes; }

    Document &m_document;
    const std::shared_ptr<ModelWork> m_work;
    const int m_id;
    SolveSettings m_settings;
    const std::shared_ptr<const CostedModel> m_model;
    const Pins m_pins;
    const Planner *m_planner = nullptr;
    OptionSet m_options;
    int m_planId = 0;
    bool m_byItself = false;
    bool m_tookOver = false; ///< its plan became the one that is shown; from then on the person decides
    SolveReport m_report;
    QElapsedTimer m_clock;
    QTimer m_poll;
    std::shared_ptr<Mailbox> m_mailbox;
    JobTracker m_tracker;
};

/// "No plan fits 2.10 GiB: op addmm_36 alone needs 2.30 GiB."
QString floorSentence(const CostedModel &model, std::int64_t budgetBytes);

} // namespace remat::studio
