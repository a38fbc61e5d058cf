// Runs planners in the background and puts their plans into the document while they get better.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/jobs/job_tracker.h"
#include "app/studio/jobs/notice.h"
#include "solvers/solver.h"

#include <QElapsedTimer>
#include <QTimer>

#include <map>

namespace remat::studio {

/// What the person asked for besides the budget.
struct SolveSettings {
    std::string planner;
    std::map<std::string, std::string> options; ///< as `--set` takes them, only those that differ from their default
    double timeLimitSeconds = 10;
    int threads = 1;
};

/// One point of the step chart. Times of whole plans in µs; negative when not known yet.
struct SolveSample {
    double seconds = 0;
    double incumbentTimeUs = -1;
    double boundTimeUs = -1;
};

/// How the newest solve stands, or stood when it ended.
struct SolveReport {
    enum class State { None, Running, Stopping, Done, Stopped, Infeasible, Failed };
    State state = State::None;
    QString plannerTitle;
    std::int64_t budgetBytes = 0;
    double keepAllTimeUs = 0;
    SolveProgress progress;
    std::vector<SolveSample> samples;
    double seconds = 0;
    QString sentence; ///< why there is no plan, or what the planner wants to be known
    OpId bindingOp;   ///< infeasible because of this op alone; may be none
    bool active() const { return state == State::Running || state == State::Stopping; }
};

/// GUI thread only. Progress reaches the GUI at most 30 times a second, the newest snapshot always.
class SolveRunner : public QObject
{
    Q_OBJECT
public:
    SolveRunner(Document &document, QThreadPool &pool, QObject *parent = nullptr);
    ~SolveRunner() override;

    /// Solves for the document's budget. A solve that runs already is replaced.
    void solve(const SolveSettings &settings);
    /// Ends the solve soon; the best plan found so far stays.
    void stop();
    /// Ends the solve and forgets it: another model was opened.
    void reset();
    const SolveReport &report() const { return m_report; }
    bool running() const { return m_report.active(); }
    double elapsedSeconds() const;

Q_SIGNALS:
    void reportChanged();
    void failed(const remat::studio::Notice &notice);

private:
    struct Mailbox;
    struct Finished {
        Expected<SolveOutcome> outcome;
        std::shared_ptr<const PlanEntry> entry;
        QString entryError;
    };
    void poll();
    void finish(Finished result, int entryId);
    void showEntry(std::shared_ptr<const PlanEntry> entry);
    void takePlan(const SolveOutcome &outcome, std::shared_ptr<const PlanEntry> entry);
    void sayInfeasible(const SolveOutcome &outcome);

    Document &m_document;
    SolveReport m_report;
    QElapsedTimer m_clock;
    QTimer m_poll;
    std::shared_ptr<Mailbox> m_mailbox;
    JobTracker m_tracker;
};

/// "No plan fits 2.10 GiB: op addmm_36 alone needs 2.30 GiB."
QString floorSentence(const CostedModel &model, std::int64_t budgetBytes);

} // namespace remat::studio
