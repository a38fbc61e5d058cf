// SPDX-License-Identifier: Apache-2.0
// Work on worker threads of which only the newest matters: a newer job stops the one before it, and what a stale job
// still brings is dropped.
#pragma once

#include "core/base/stop_token.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

namespace remat::studio {

/// What a job sees of its tracker; valid while the job runs. Any thread.
class Job
{
public:
    Job(class JobTracker &tracker, std::uint64_t id, std::shared_ptr<StopToken> stop)
        : m_tracker(tracker), m_id(id), m_stop(std::move(stop))
    {
    }

    const StopToken &stop() const { return *m_stop; }
    /// False once a newer job took over: nothing of this one is shown any more.
    bool wanted() const;
    /// Runs `message` on the GUI thread, unless the job is stale by then.
    void post(std::function<void()> message) const;

private:
    class JobTracker &m_tracker;
    std::uint64_t m_id;
    std::shared_ptr<StopToken> m_stop;
};

/// GUI thread only. The destructor stops what runs and waits for it, so a job may use what outlives its tracker.
class JobTracker : public QObject
{
    Q_OBJECT
public:
    explicit JobTracker(QThreadPool &pool, QObject *parent = nullptr);
    ~JobTracker() override;

    /// Starts `Result work(const Job &)` on a worker and hands its result to `deliver(Result)` on the GUI thread,
    /// unless a newer job was started or this one was cancelled in between.
    template <class Work, class Deliver>
    void start(Work work, Deliver deliver)
    {
        launch([work = std::move(work), deliver = std::move(deliver)](const Job &job) mutable {
            auto result = std::make_shared<decltype(work(job))>(work(job));
            return std::function<void()>([result, deliver] { deliver(std::move(*result)); });
        });
    }

    /// Asks the running job to end; its result is still delivered.
    void stop();
    /// Asks the running job to end and drops its result.
    void cancel();
    /// True from start() until the newest job's result was delivered.
    bool running() const { return m_running; }
    /// A job is on a worker still, wanted or not: the destructor would wait for it.
    bool busy();

Q_SIGNALS:
    void runningChanged();

private:
    friend class Job;
    void launch(std::function<std::function<void()>(const Job &)> work);
    void setRunning(bool running);

    QThreadPool &m_pool;
    std::atomic<std::uint64_t> m_newest{0};
    std::shared_ptr<StopToken> m_stop;
    bool m_running = false;
    std::mutex m_mutex;
    std::condition_variable m_idle;
    int m_active = 0; ///< jobs on workers, stale ones included
};

} // namespace remat::studio
