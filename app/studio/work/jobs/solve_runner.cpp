// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/solve_runner.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kMostAtOnce = 8;
constexpr std::size_t kMostEnded = 100; ///< older ones leave the list by themselves
constexpr int kSweepMs = 200;           ///< between looks at retired jobs

using State = SolveReport::State;

std::size_t indexOf(const SolveQueue &queue, int id)
{
    const auto place =
        std::find_if(queue.jobs.begin(), queue.jobs.end(), [id](const auto &job) { return job->id() == id; });
    return static_cast<std::size_t>(place - queue.jobs.begin());
}

std::unique_ptr<SolveJob> takeOut(SolveQueue &queue, std::size_t at)
{
    std::unique_ptr<SolveJob> job = std::move(queue.jobs[at]);
    queue.jobs.erase(queue.jobs.begin() + static_cast<std::ptrdiff_t>(at));
    if (queue.shown == job->id()) queue.shown = 0;
    return job;
}

} // namespace

SolveQueue::SolveQueue(std::shared_ptr<ModelWork> forWork) : work(std::move(forWork))
{
    pool.setMaxThreadCount(kMostAtOnce * 2);
}

SolveQueue::~SolveQueue()
{
    for (const auto &job : jobs)
        job->cancel();
}

bool isRunning(const SolveQueue &queue)
{
    return std::any_of(queue.jobs.begin(), queue.jobs.end(),
                       [](const auto &job) { return job->report().active() || job->report().state == State::Waiting; });
}

std::vector<SolveRecord> recordsOf(const SolveQueue &queue)
{
    std::vector<SolveRecord> records;
    records.reserve(queue.jobs.size());
    for (const auto &job : queue.jobs)
        records.push_back(job->record());
    return records;
}

SolveRunner::SolveRunner(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_queue(std::make_shared<SolveQueue>(document.work()))
{
    // What was being solved is about the model before; another work brings its own queue.
    connect(&m_document, &Document::modelChanged, this, [this] {
        if (m_queue->work == m_document.work()) reset();
    });
    connect(&m_document, &Document::currentPlanChanged, this, &SolveRunner::showOfCurrent);
    connect(&m_document, &Document::budgetChanged, this, [this] {
        if (report().ended()) Q_EMIT reportChanged();
    });
}

void SolveRunner::show(std::shared_ptr<SolveQueue> queue)
{
    m_queue = std::move(queue);
    Q_EMIT jobsChanged();
    Q_EMIT reportChanged();
}

void SolveRunner::solve(const SolveSettings &settings)
{
    if (!m_document.model()) return;
    SolveQueue &queue = *m_queue;
    auto made = std::make_unique<SolveJob>(m_document, queue.work, queue.pool, queue.nextId++, settings);
    for (const auto &job : queue.jobs) {
        const SolveReport &report = job->report();
        const bool counts = report.state == State::Waiting || report.state == State::Running || report.optimal;
        if (!counts || !job->asksTheSame(*made)) continue;
        if (report.state != State::Waiting) queue.shown = job->id();
        if (report.optimal) Q_EMIT planWanted(job->planId());
        Q_EMIT reportChanged();
        return;
    }
    SolveJob *job = made.get();
    add(m_queue, std::move(made));
    if (job->report().ended() && !running()) queue.shown = job->id();
    pump(m_queue);
    tellJobs(queue);
}

void SolveRunner::solveByItself(const SolveSettings &settings)
{
    SolveQueue &queue = *m_queue;
    std::vector<int> before;
    for (const auto &job : queue.jobs)
        if (job->byItself() && !job->report().ended()) before.push_back(job->id());
    for (const int id : before) {
        std::unique_ptr<SolveJob> gone = takeOut(queue, indexOf(queue, id));
        const int planId = gone->planId();
        retire(m_queue, std::move(gone));
        m_document.removePlan(planId); // it was made for decisions that are not the present ones
    }
    const int first = queue.nextId;
    solve(settings);
    if (!queue.jobs.empty() && queue.jobs.back()->id() >= first) queue.jobs.back()->setByItself();
}

std::optional<SolveSettings> SolveRunner::settingsOf(int planId) const
{
    const auto maker =
        std::find_if(jobs().begin(), jobs().end(), [&](const auto &job) { return job->planId() == planId; });
    return planId > 0 && maker != jobs().end() ? std::optional((*maker)->settings()) : std::nullopt;
}

void SolveRunner::add(const std::shared_ptr<SolveQueue> &queue, std::unique_ptr<SolveJob> made)
{
    const SolveJob *job = made.get();
    const std::weak_ptr<SolveQueue> of = queue;
    connect(job, &SolveJob::changed, this, [this, job, of] {
        if (of.lock() != m_queue) {
            if (job->report().ended()) Q_EMIT changedElsewhere(of.lock().get());
            return;
        }
        Q_EMIT jobChanged(job->id());
        if (job->id() == m_queue->shown) Q_EMIT reportChanged();
    });
    connect(
        job, &SolveJob::ended, this,
        [this, of] {
            if (const auto ended = of.lock()) pump(ended);
        },
        Qt::QueuedConnection);
    connect(job, &SolveJob::foundInChunks, this,
            [this, work = queue->work.get()](const auto &model, const auto &entry) {
                Q_EMIT foundInChunks(work, model, entry);
            });
    queue->jobs.push_back(std::move(made));
}

void SolveRunner::tellJobs(const SolveQueue &queue)
{
    if (&queue != m_queue.get()) {
        Q_EMIT changedElsewhere(&queue);
        return;
    }
    Q_EMIT jobsChanged();
    Q_EMIT reportChanged();
}

void SolveRunner::setHeld(const std::shared_ptr<SolveQueue> &queue, bool held)
{
    if (held == queue->held) return;
    queue->held = held;
    if (!held) return pump(queue);
    for (const auto &job : queue->jobs)
        if (job->report().active()) job->stop();
}

void SolveRunner::restore(const std::shared_ptr<SolveQueue> &queue, const std::vector<SolveRecord> &records)
{
    empty(queue);
    if (!queue->work->model) return;
    for (const SolveRecord &record : records)
        add(queue, std::make_unique<SolveJob>(m_document, queue->work, queue->pool, queue->nextId++, record));
    if (!queue->jobs.empty()) queue->shown = queue->jobs.back()->id();
    pump(queue);
    tellJobs(*queue);
}

void SolveRunner::pump(const std::shared_ptr<SolveQueue> &queue)
{
    int active = 0;
    for (const auto &job : queue->jobs)
        active += job->report().active() ? 1 : 0;
    for (const auto &job : queue->jobs) {
        if (active >= m_atOnce || queue->held) break;
        if (job->report().state != State::Waiting) continue;
        ++active;
        queue->shown = job->id();
        job->start(std::max(job->settings().threads / m_atOnce, 1));
    }
    const auto ended = static_cast<std::size_t>(
        std::count_if(queue->jobs.begin(), queue->jobs.end(), [](const auto &job) { return job->report().ended(); }));
    if (ended > kMostEnded) {
        const auto oldest =
            std::find_if(queue->jobs.begin(), queue->jobs.end(), [](const auto &job) { return job->report().ended(); });
        remove(queue, (*oldest)->id());
    }
    if (queue == m_queue)
        Q_EMIT reportChanged();
    else
        Q_EMIT changedElsewhere(queue.get());
}

void SolveRunner::stop()
{
    stop(m_queue->shown);
}

void SolveRunner::stop(int id)
{
    if (SolveJob *found = job(id)) found->stop();
}

void SolveRunner::empty(const std::shared_ptr<SolveQueue> &queue)
{
    for (auto &job : queue->jobs)
        retire(queue, std::move(job));
    queue->jobs.clear();
    queue->shown = 0;
    tellJobs(*queue);
}

void SolveRunner::retire(const std::shared_ptr<SolveQueue> &queue, std::unique_ptr<SolveJob> job)
{
    job->disconnect(this);
    job->cancel();
    if (!job->busy()) return;
    queue->retired.push_back(std::move(job));
    QTimer::singleShot(kSweepMs, this, [of = std::weak_ptr(queue)] {
        // One that is still at work is looked at again when the next one retires, or when the window closes.
        if (const auto left = of.lock())
            std::erase_if(left->retired, [](const auto &retired) { return !retired->busy(); });
    });
}

void SolveRunner::remove(const std::shared_ptr<SolveQueue> &queue, int id)
{
    const std::size_t at = indexOf(*queue, id);
    if (at >= queue->jobs.size() || queue->jobs[at]->report().active()) return;
    retire(queue, takeOut(*queue, at));
    tellJobs(*queue);
}

void SolveRunner::removeEnded()
{
    std::vector<int> ended;
    for (const auto &job : m_queue->jobs)
        if (job->report().ended()) ended.push_back(job->id());
    for (const int id : ended)
        remove(id);
}

std::size_t SolveRunner::placeAfter(int id, int by) const
{
    const std::size_t at = indexOf(*m_queue, id);
    if (at >= m_queue->jobs.size() || m_queue->jobs[at]->report().state != State::Waiting || by == 0)
        return m_queue->jobs.size();
    for (std::size_t to = at + static_cast<std::size_t>(by); to < m_queue->jobs.size();
         to += static_cast<std::size_t>(by))
        if (m_queue->jobs[to]->report().state == State::Waiting) return to;
    return m_queue->jobs.size();
}

bool SolveRunner::canMove(int id, int by) const
{
    return placeAfter(id, by) < m_queue->jobs.size();
}

void SolveRunner::move(int id, int by)
{
    const std::size_t to = placeAfter(id, by);
    if (to >= m_queue->jobs.size()) return;
    std::swap(m_queue->jobs[indexOf(*m_queue, id)], m_queue->jobs[to]);
    Q_EMIT jobsChanged();
}

void SolveRunner::setAtOnce(int count)
{
    count = std::clamp(count, 1, kMostAtOnce);
    if (count == m_atOnce) return;
    m_atOnce = count;
    pump(m_queue);
    Q_EMIT jobsChanged();
}

int SolveRunner::waiting() const
{
    return static_cast<int>(std::count_if(m_queue->jobs.begin(), m_queue->jobs.end(),
                                          [](const auto &job) { return job->report().state == State::Waiting; }));
}

SolveJob *SolveRunner::job(int id) const
{
    const std::size_t at = indexOf(*m_queue, id);
    return at < m_queue->jobs.size() ? m_queue->jobs[at].get() : nullptr;
}

const SolveReport &SolveRunner::report() const
{
    static const SolveReport none;
    const SolveJob *shown = job(m_queue->shown);
    return shown ? shown->report() : none;
}

bool SolveRunner::reportIsOfShownPlan() const
{
    const SolveJob *shown = job(m_queue->shown);
    const auto current = m_queue->work->current;
    if (!shown || shown->report().active()) return true;
    const bool hasPlan = shown->report().state == State::Done || shown->report().progress.incumbentTimeUs >= 0;
    return hasPlan ? current && current->id == shown->planId()
                   : shown->report().budgetBytes == m_queue->work->budgetBytes;
}

void SolveRunner::showOfCurrent()
{
    const auto current = m_queue->work->current;
    if (!current || report().active() || report().state == State::None) return;
    const auto maker = std::find_if(m_queue->jobs.begin(), m_queue->jobs.end(), [&](const auto &job) {
        return job->report().ended() && job->planId() == current->id;
    });
    if (maker != m_queue->jobs.end()) m_queue->shown = (*maker)->id();
    Q_EMIT reportChanged();
}

double SolveRunner::elapsedSeconds() const
{
    const SolveJob *shown = job(m_queue->shown);
    return shown ? shown->elapsedSeconds() : 0;
}

} // namespace remat::studio
