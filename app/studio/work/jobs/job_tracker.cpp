// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/job_tracker.h"

namespace remat::studio {

namespace {

/// Held while something goes from one thread to the other, and by the other before it touches that. Qt orders the two
/// already, but by means of its own, which ThreadSanitizer cannot see.
std::mutex &handOver()
{
    static std::mutex mutex;
    return mutex;
}

struct Task {
    std::uint64_t id;
    std::shared_ptr<StopToken> stop;
    std::function<std::function<void()>(const Job &)> work;
};

} // namespace

bool Job::wanted() const
{
    return m_tracker.m_newest.load(std::memory_order_acquire) == m_id;
}

void Job::post(std::function<void()> message) const
{
    JobTracker *tracker = &m_tracker;
    const std::lock_guard handing(handOver());
    QMetaObject::invokeMethod(
        tracker,
        [tracker, id = m_id, message = std::move(message)] {
            {
                const std::lock_guard taking(handOver());
            }
            if (tracker->m_newest.load(std::memory_order_acquire) == id) message();
        },
        Qt::QueuedConnection);
}

JobTracker::JobTracker(QThreadPool &pool, QObject *parent) : QObject(parent), m_pool(pool) {}

JobTracker::~JobTracker()
{
    if (m_stop) m_stop->requestStop();
    ++m_newest;
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_active == 0; });
}

void JobTracker::launch(std::function<std::function<void()>(const Job &)> work)
{
    if (m_stop) m_stop->requestStop();
    m_stop = std::make_shared<StopToken>();
    const std::uint64_t id = ++m_newest;
    {
        const std::lock_guard lock(m_mutex);
        ++m_active;
    }
    setRunning(true);
    const std::lock_guard handing(handOver());
    // A pointer only: the pool's copy of it is not looked at before the lock is held.
    m_pool.start([this, task = std::make_unique<Task>(Task{id, m_stop, std::move(work)}).release()] {
        {
            const std::lock_guard taking(handOver());
        }
        const std::unique_ptr<Task> owned(task);
        const Job job(*this, owned->id, owned->stop);
        if (job.wanted()) {
            auto deliver = owned->work(job);
            job.post([this, deliver = std::move(deliver)] {
                setRunning(false);
                deliver();
            });
        }
        const std::lock_guard lock(m_mutex);
        --m_active;
        m_idle.notify_all();
    });
}

void JobTracker::stop()
{
    if (m_stop) m_stop->requestStop();
}

void JobTracker::cancel()
{
    stop();
    ++m_newest;
    setRunning(false);
}

bool JobTracker::busy()
{
    const std::lock_guard lock(m_mutex);
    return m_active > 0;
}

void JobTracker::setRunning(bool running)
{
    if (m_running == running) return;
    m_running = running;
    Q_EMIT runningChanged();
}

} // namespace remat::studio
