// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/solve_runner.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kMostAtOnce = 8;
constexpr std::size_t kMostEnded = 100; ///< older ones leave the list by themselves
constexpr int kSweepMs = 200;           ///< between looks at retired jobs

using State = SolveReport::State;

} // namespace

SolveRunner::SolveRunner(Document &document, QObject *parent) : QObject(parent), m_document(document)
{
    m_pool->setMaxThreadCount(kMostAtOnce * 2);
    connect(&m_document, &Document::currentPlanChanged, this, &SolveRunner::showOfCurrent);
    connect(&m_document, &Document::budgetChanged, this, [this] {
        if (report().ended()) Q_EMIT reportChanged();
    });
}

SolveRunner::~SolveRunner()
{
    for (const auto &job : m_jobs)
        job->cancel();
}

void SolveRunner::solve(const SolveSettings &settings)
{
    if (!m_document.model()) return;
    auto made = std::make_unique<SolveJob>(m_document, *m_pool, m_nextId++, settings);
    for (const auto &job : m_jobs) {
        const SolveReport &report = job->report();
        const bool counts = report.state == State::Waiting || report.state == State::Running || report.optimal;
        if (!counts || !job->asksTheSame(*made)) continue;
        if (report.state != State::Waiting) m_shown = job->id();
        if (report.optimal) Q_EMIT planWanted(job->planId());
        Q_EMIT reportChanged();
        return;
    }
    SolveJob *job = made.get();
    add(std::move(made));
    if (job->report().ended() && !running()) m_shown = job->id();
    pump();
    Q_EMIT jobsChanged();
    Q_EMIT reportChanged();
}

void SolveRunner::solveByItself(const SolveSettings &settings)
{
    std::vector<int> before;
    for (const auto &job : m_jobs)
        if (job->byItself() && !job->report().ended()) before.push_back(job->id());
    for (const int id : before) {
        const std::size_t at = indexOf(id);
        std::unique_ptr<SolveJob> gone = std::move(m_jobs[at]);
        m_jobs.erase(m_jobs.begin() + static_cast<std::ptrdiff_t>(at));
        const int planId = gone->planId();
        retire(std::move(gone));
        m_document.removePlan(planId); // it was made for decisions that are not the present ones
        if (m_shown == id) m_shown = 0;
    }
    const int first = m_nextId;
    solve(settings);
    if (!m_jobs.empty() && m_jobs.back()->id() >= first) m_jobs.back()->setByItself();
}

std::optional<SolveSettings> SolveRunner::settingsOf(int planId) const
{
    const auto maker =
        std::find_if(m_jobs.begin(), m_jobs.end(), [&](const auto &job) { return job->planId() == planId; });
    return planId > 0 && maker != m_jobs.end() ? std::optional((*maker)->settings()) : std::nullopt;
}

void SolveRunner::add(std::unique_ptr<SolveJob> made)
{
    follow(made.get());
    m_jobs.push_back(std::move(made));
}

void SolveRunner::follow(SolveJob *job)
{
    job->setDocument(m_document);
    connect(job, &SolveJob::changed, this, [this, job] {
        Q_EMIT jobChanged(job->id());
        if (job->id() == m_shown) Q_EMIT reportChanged();
    });
    connect(job, &SolveJob::ended, this, &SolveRunner::pump, Qt::QueuedConnection);
    connect(job, &SolveJob::foundInChunks, this, &SolveRunner::foundInChunks);
}

void SolveRunner::trade(SolveRunner &other)
{
    for (const auto &job : m_jobs)
        job->disconnect(this);
    for (const auto &job : other.m_jobs)
        job->disconnect(&other);
    std::swap(m_pool, other.m_pool);
    std::swap(m_jobs, other.m_jobs);
    std::swap(m_retired, other.m_retired);
    std::swap(m_nextId, other.m_nextId);
    std::swap(m_shown, other.m_shown);
    for (SolveRunner *runner : {this, &other}) {
        for (const auto &job : runner->m_jobs)
            runner->follow(job.get());
        Q_EMIT runner->jobsChanged();
        Q_EMIT runner->reportChanged();
        // One that ended in between told nobody.
        QMetaObject::invokeMethod(runner, &SolveRunner::pump, Qt::QueuedConnection);
    }
}

void SolveRunner::setHeld(bool held)
{
    if (held == m_held) return;
    m_held = held;
    if (!held) return pump();
    for (const auto &job : m_jobs)
        if (job->report().active()) job->stop();
}

std::vector<SolveRecord> SolveRunner::records() const
{
    std::vector<SolveRecord> records;
    records.reserve(m_jobs.size());
    for (const auto &job : m_jobs)
        records.push_back(job->record());
    return records;
}

void SolveRunner::restore(const std::vector<SolveRecord> &records)
{
    reset();
    if (!m_document.model()) return;
    for (const SolveRecord &record : records)
        add(std::make_unique<SolveJob>(m_document, *m_pool, m_nextId++, record));
    if (!m_jobs.empty()) m_shown = m_jobs.back()->id();
    pump();
    Q_EMIT jobsChanged();
    Q_EMIT reportChanged();
}

void SolveRunner::pump()
{
    int active = 0;
    for (const auto &job : m_jobs)
        active += job->report().active() ? 1 : 0;
    for (const auto &job : m_jobs) {
        if (active >= m_atOnce || m_held) break;
        if (job->report().state != State::Waiting) continue;
        ++active;
        m_shown = job->id();
        job->start(std::max(job->settings().threads / m_atOnce, 1));
    }
    const auto ended = static_cast<std::size_t>(
        std::count_if(m_jobs.begin(), m_jobs.end(), [](const auto &job) { return job->report().ended(); }));
    if (ended > kMostEnded) {
        const auto oldest =
            std::find_if(m_jobs.begin(), m_jobs.end(), [](const auto &job) { return job->report().ended(); });
        remove((*oldest)->id());
    }
    Q_EMIT reportChanged();
}

void SolveRunner::stop()
{
    stop(m_shown);
}

void SolveRunner::stop(int id)
{
    if (SolveJob *found = job(id)) found->stop();
}

void SolveRunner::reset()
{
    for (auto &job : m_jobs)
        retire(std::move(job));
    m_jobs.clear();
    m_shown = 0;
    Q_EMIT jobsChanged();
    Q_EMIT reportChanged();
}

void SolveRunner::retire(std::unique_ptr<SolveJob> job)
{
    job->disconnect(this);
    job->cancel();
    if (job->busy()) {
        m_retired.push_back(std::move(job));
        QTimer::singleShot(kSweepMs, this, [this] {
            // One that is still at work is looked at again when the next one retires, or when the window closes.
            std::erase_if(m_retired, [](const auto &retired) { return !retired->busy(); });
        });
    }
}

void SolveRunner::remove(int id)
{
    const std::size_t at = indexOf(id);
    if (at >= m_jobs.size() || m_jobs[at]->report().active()) return;
    std::unique_ptr<SolveJob> gone = std::move(m_jobs[at]);
    m_jobs.erase(m_jobs.begin() + static_cast<std::ptrdiff_t>(at));
    retire(std::move(gone));
    if (m_shown == id) m_shown = 0;
    Q_EMIT jobsChanged();
    Q_EMIT reportChanged();
}

void SolveRunner::removeEnded()
{
    std::vector<int> ended;
    for (const auto &job : m_jobs)
        if (job->report().ended()) ended.push_back(job->id());
    for (const int id : ended)
        remove(id);
}

std::size_t SolveRunner::placeAfter(int id, int by) const
{
    const std::size_t at = indexOf(id);
    if (at >= m_jobs.size() || m_jobs[at]->report().state != State::Waiting || by == 0) return m_jobs.size();
    for (std::size_t to = at + static_cast<std::size_t>(by); to < m_jobs.size(); to += static_cast<std::size_t>(by))
        if (m_jobs[to]->report().state == State::Waiting) return to;
    return m_jobs.size();
}

bool SolveRunner::canMove(int id, int by) const
{
    return placeAfter(id, by) < m_jobs.size();
}

void SolveRunner::move(int id, int by)
{
    const std::size_t to = placeAfter(id, by);
    if (to >= m_jobs.size()) return;
    std::swap(m_jobs[indexOf(id)], m_jobs[to]);
    Q_EMIT jobsChanged();
}

void SolveRunner::setAtOnce(int count)
{
    count = std::clamp(count, 1, kMostAtOnce);
    if (count == m_atOnce) return;
    m_atOnce = count;
    pump();
    Q_EMIT jobsChanged();
}

int SolveRunner::waiting() const
{
    return static_cast<int>(std::count_if(m_jobs.begin(), m_jobs.end(),
                                          [](const auto &job) { return job->report().state == State::Waiting; }));
}

std::size_t SolveRunner::indexOf(int id) const
{
    const auto place = std::find_if(m_jobs.begin(), m_jobs.end(), [id](const auto &job) { return job->id() == id; });
    return static_cast<std::size_t>(place - m_jobs.begin());
}

SolveJob *SolveRunner::job(int id) const
{
    const std::size_t at = indexOf(id);
    return at < m_jobs.size() ? m_jobs[at].get() : nullptr;
}

const SolveReport &SolveRunner::report() const
{
    static const SolveReport none;
    const SolveJob *shown = job(m_shown);
    return shown ? shown->report() : none;
}

bool SolveRunner::running() const
{
    return std::any_of(m_jobs.begin(), m_jobs.end(),
                       [](const auto &job) { return job->report().active() || job->report().state == State::Waiting; });
}

bool SolveRunner::reportIsOfShownPlan() const
{
    const SolveJob *shown = job(m_shown);
    const auto current = m_document.currentPlan();
    if (!shown || shown->report().active()) return true;
    const bool hasPlan = shown->report().state == State::Done || shown->report().progress.incumbentTimeUs >= 0;
    return hasPlan ? current && current->id == shown->planId()
                   : shown->report().budgetBytes == m_document.budgetBytes();
}

void SolveRunner::showOfCurrent()
{
    const auto current = m_document.currentPlan();
    if (!current || report().active() || report().state == State::None) return;
    const auto maker = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const auto &job) {
        return job->report().ended() && job->planId() == current->id;
    });
    if (maker != m_jobs.end()) m_shown = (*maker)->id();
    Q_EMIT reportChanged();
}

double SolveRunner::elapsedSeconds() const
{
    const SolveJob *shown = job(m_shown);
    return shown ? shown->elapsedSeconds() : 0;
}

} // namespace remat::studio
