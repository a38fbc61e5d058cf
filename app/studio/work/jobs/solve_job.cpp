// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/solve_job.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/jobs/planner_titles.h"
#include "app/studio/work/jobs/thread_priority.h"
#include "core/model/plan_entry.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kPollMs = 33;
/// Incumbents come in bursts; drawing one costs a replay of all its steps and a proof, so only this often, and so much
/// longer than the last one took.
constexpr double kIncumbentSeconds = 0.1, kIncumbentShare = 10;
/// The planner that takes chunks by itself.
constexpr const char *kAutomatic = "auto";

using State = SolveReport::State;

SolveRecord waitingRecord(const SolveSettings &settings, std::int64_t budgetBytes, const Pins &pins)
{
    SolveRecord record;
    record.settings = settings;
    record.budgetBytes = budgetBytes;
    record.pins = pins;
    return record;
}

} // namespace

/// What the planner's threads leave for the GUI to pick up.
struct SolveJob::Mailbox {
    std::mutex mutex;
    bool fresh = false;
    SolveProgress progress;
    std::vector<SolveSample> samples; ///< since the last poll
    std::shared_ptr<const PlanEntry> entry;
    double nextEntrySeconds = 0;
};

namespace {

/// A plan on the way, with the bound of its own order: the planner waits for that until the end.
std::shared_ptr<const PlanEntry> incumbentEntry(const CostedModel &model, const std::shared_ptr<const Plan> &plan,
                                                int id, const std::string &title)
{
    auto made = makePlanEntry(model, plan, id, title, false);
    if (!made) return nullptr;
    if (model.graph().ops.size() > kMostProvenOps || plan->parametersPlanned) return std::move(*made);
    auto proven = provenPlanEntry(model, **made);
    return proven ? proven : std::move(*made);
}

} // namespace

QString floorSentence(const CostedModel &model, std::int64_t budgetBytes)
{
    const QString needed = memoryText(model.floor.bytes);
    if (!model.floor.op)
        return SolveJob::tr("No plan fits %1: the results alone need %2.")
            .arg(memoryText(budgetBytes, model.floor.bytes), needed);
    return SolveJob::tr("No plan fits %1: op %2 alone needs %3.")
        .arg(memoryText(budgetBytes, model.floor.bytes), OpLabels(model.graph()).op(model.graph(), model.floor.op),
             needed);
}

SolveJob::SolveJob(Document &document, std::shared_ptr<ModelWork> work, QThreadPool &pool, int id,
                   const SolveSettings &settings)
    : SolveJob(document, work, pool, id, waitingRecord(settings, work->budgetBytes, work->pins))
{
}

SolveJob::SolveJob(Document &document, std::shared_ptr<ModelWork> work, QThreadPool &pool, int id,
                   const SolveRecord &record)
    : m_document(document),
      m_work(std::move(work)),
      m_id(id),
      m_settings(record.settings),
      m_model(m_work->model),
      m_pins(record.pins),
      m_tracker(pool)
{
    m_report.budgetBytes = record.budgetBytes;
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &SolveJob::poll);
    judgeRequest();
    if (record.state == State::Waiting) return;
    m_report.state = record.state;
    m_report.sentence = record.sentence;
    m_report.optimal = record.optimal;
    m_report.seconds = record.seconds;
    m_report.progress.incumbentTimeUs = record.timeUs;
    m_report.progress.boundTimeUs = record.boundTimeUs;
    m_report.samples = record.samples;
    m_report.bindingOp = record.bindingOp;
    m_planId = record.planId;
    if (m_planId > 0) measureGap();
}

SolveJob::~SolveJob() = default;

SolveRecord SolveJob::record() const
{
    SolveRecord record = waitingRecord(m_settings, m_report.budgetBytes, m_pins);
    if (!m_report.ended()) return record;
    record.state = m_report.state;
    record.optimal = m_report.optimal;
    record.seconds = m_report.seconds;
    record.planId = m_planId;
    record.timeUs = m_report.progress.incumbentTimeUs;
    record.boundTimeUs = m_report.progress.boundTimeUs;
    record.sentence = m_report.sentence;
    record.bindingOp = m_report.bindingOp;
    record.samples = m_report.samples;
    return record;
}

void SolveJob::judgeRequest()
{
    m_report.keepAllTimeUs = m_model->keepAllTimeUs;
    const auto planner = findPlanner(m_settings.planner);
    if (planner) m_report.plannerTitle = toQString((*planner)->info.title);
    auto options = planner ? makeOptions((*planner)->info.options, m_settings.options)
                           : Expected<OptionSet>(tl::unexpected(planner.error()));
    if (!options) {
        m_report.state = State::Failed;
        m_report.sentence = toQString(options.error().message);
        return;
    }
    m_planner = *planner;
    m_options = std::move(*options);
    if (m_settings.chunks == ChunkUse::BelowFloor) {
        const bool takes = m_settings.planner == kAutomatic && m_report.budgetBytes < m_model->floor.bytes &&
                           whyNotInChunks(*m_model, m_pins).isEmpty();
        m_settings.chunks = takes ? ChunkUse::Always : ChunkUse::Never;
    }
    if (m_settings.chunks == ChunkUse::Always) {
        m_report.sentence = whyNotInChunks(*m_model, m_pins);
        m_report.state = m_report.sentence.isEmpty() ? State::Waiting : State::Failed;
        return;
    }
    if (m_report.budgetBytes < m_model->floor.bytes) {
        m_report.state = State::Infeasible;
        m_report.sentence = floorSentence(*m_model, m_report.budgetBytes);
        m_report.bindingOp = m_model->floor.op;
        return;
    }
    m_report.state = State::Waiting;
}

double SolveJob::elapsedSeconds() const
{
    return m_report.active() ? static_cast<double>(m_clock.elapsed()) / 1000.0 : m_report.seconds;
}

bool SolveJob::asksTheSame(const SolveJob &other) const
{
    return m_settings == other.m_settings && m_report.budgetBytes == other.m_report.budgetBytes &&
           m_pins == other.m_pins && m_model == other.m_model;
}

void SolveJob::start(int threads)
{
    if (m_report.state != State::Waiting) return;
    m_report.state = State::Running;
    m_clock.start();
    m_mailbox = std::make_shared<Mailbox>();
    m_planId = m_work->nextPlanId++;
    std::shared_ptr<const Plan> start;
    if (const auto current = m_work->current; current && current->timeline->peakBytes <= m_report.budgetBytes)
        start = current->plan;

    m_tracker.start(
        [model = m_model, planner = m_planner, options = m_options, pins = m_pins, budget = m_report.budgetBytes,
         seconds = m_settings.timeLimitSeconds, threads, start, planId = m_planId,
         chunks = m_settings.chunks == ChunkUse::Always, whole = m_settings.whole,
         title = m_report.plannerTitle.toStdString(), mailbox = m_mailbox](const Job &job) -> Finished {
            // The planner's own threads take after this one.
            yieldToInput();
            SolveRequest request;
            request.graph = &model->graph();
            request.costs = model->costs.get();
            if (model->open->model->program) request.program = &*model->open->model->program;
            request.budgetBytes = budget;
            request.options = options;
            request.start = start;
            request.pins = pins;
            SolveContext context;
            context.stop = &job.stop();
            context.deadline = Deadline(seconds);
            context.threads = threads;
            context.progress = [&](const SolveProgress &progress) {
                if (!job.wanted()) return;
                std::shared_ptr<const PlanEntry> entry;
                if (!chunks && progress.incumbent && progress.elapsedSeconds >= mailbox->nextEntrySeconds) {
                    QElapsedTimer took;
                    took.start();
                    entry = incumbentEntry(*model, progress.incumbent, planId, title);
                    const double tookSeconds = static_cast<double>(took.elapsed()) / 1000;
                    mailbox->nextEntrySeconds =
                        progress.elapsedSeconds + std::max(kIncumbentSeconds, kIncumbentShare * tookSeconds);
                }
                const std::lock_guard lock(mailbox->mutex);
                mailbox->fresh = true;
                mailbox->progress = progress;
                mailbox->progress.incumbent = nullptr;
                if (chunks) { // bound and clusters are of one of the graphs that are tried
                    mailbox->progress.boundTimeUs = mailbox->progress.gap = -1;
                    mailbox->progress.clusters.clear();
                }
                mailbox->samples.push_back(
                    {progress.elapsedSeconds, progress.incumbentTimeUs, mailbox->progress.boundTimeUs});
                if (entry) mailbox->entry = std::move(entry);
            };
            ChunkSolve solved = chunks ? solveInChunks(*model, *planner, whole, request, context)
                                       : ChunkSolve{remat::solve(*planner, request, context), nullptr};
            return finished(std::move(solved), *model, planId, title);
        },
        [this](Finished result) { finish(std::move(result)); });
    m_poll.start();
    Q_EMIT changed();
}

SolveJob::Finished SolveJob::finished(ChunkSolve solved, const CostedModel &model, int planId, const std::string &title)
{
    Finished result{std::move(solved.outcome), nullptr, {}, std::move(solved.of)};
    if (!result.outcome || !result.outcome->plan) return result;
    auto entry = makePlanEntry(result.of ? *result.of : model, std::make_shared<const Plan>(*result.outcome->plan),
                               planId, title, false);
    if (entry)
        result.entry = std::move(*entry);
    else
        result.entryError = toQString(entry.error().message);
    return result;
}

void SolveJob::poll()
{
    std::shared_ptr<const PlanEntry> entry;
    {
        const std::lock_guard lock(m_mailbox->mutex);
        if (!m_mailbox->fresh) return;
        m_mailbox->fresh = false;
        m_report.progress = m_mailbox->progress;
        for (const SolveSample &sample : m_mailbox->samples) {
            // Only changes matter to a step chart.
            if (!m_report.samples.empty() && m_report.samples.back().incumbentTimeUs == sample.incumbentTimeUs &&
                m_report.samples.back().boundTimeUs == sample.boundTimeUs)
                continue;
            m_report.samples.push_back(sample);
        }
        m_mailbox->samples.clear();
        entry = std::move(m_mailbox->entry);
    }
    if (entry) showEntry(std::move(entry));
    Q_EMIT changed();
}

bool SolveJob::beatsTheShown(const PlanEntry &entry) const
{
    const auto current = m_work->current;
    if (!current || current->timeline->peakBytes > m_report.budgetBytes) return true;
    if (entry.timeline->timeUs <= current->timeline->timeUs) return true;
    return pinsViolated(m_model->graph(), current->plan->steps, m_pins).has_value();
}

void SolveJob::showEntry(std::shared_ptr<const PlanEntry> entry)
{
    const auto &plans = m_work->plans;
    const bool known = std::any_of(plans.begin(), plans.end(), [&](const auto &plan) { return plan->id == entry->id; });
    const bool takesOver = !m_tookOver && hasBudgetThatIsSet() && beatsTheShown(*entry);
    m_tookOver = m_tookOver || takesOver;
    const int id = entry->id;
    m_document.tellBound(*m_work, *entry);
    if (known) {
        m_document.replacePlan(*m_work, std::move(entry));
        if (takesOver) m_document.setCurrentPlan(*m_work, id);
    } else if (takesOver) {
        m_document.addPlan(*m_work, std::move(entry));
    } else {
        m_document.addPlanBeside(*m_work, std::move(entry));
    }
}

void SolveJob::end(State state)
{
    m_report.state = state;
    Q_EMIT changed();
    Q_EMIT ended();
}

void SolveJob::finish(Finished result)
{
    poll();
    m_poll.stop();
    m_report.seconds = static_cast<double>(m_clock.elapsed()) / 1000.0;
    for (ClusterProgress &cluster : m_report.progress.clusters)
        cluster.running = false;
    if (!result.outcome || !result.entryError.isEmpty()) {
        m_report.sentence = result.outcome ? result.entryError : withPlannerTitles(result.outcome.error().message);
        m_document.removePlan(*m_work, m_planId);
        return end(State::Failed);
    }
    const SolveOutcome &outcome = *result.outcome;
    m_report.sentence = withPlannerTitles(outcome.message);
    if (result.entry) {
        if (result.of)
            handOver(result);
        else
            takePlan(outcome, std::move(result.entry));
        return end(outcome.status == SolveStatus::Stopped ? State::Stopped : State::Done);
    }
    if (outcome.status == SolveStatus::Infeasible) {
        sayInfeasible(outcome);
        return end(State::Infeasible);
    }
    if (m_report.sentence.isEmpty()) m_report.sentence = tr("Stopped before a first plan was found.");
    end(State::Stopped);
}

void SolveJob::takePlan(const SolveOutcome &outcome, std::shared_ptr<const PlanEntry> entry)
{
    const double timeUs = entry->timeline->timeUs;
    m_report.optimal = outcome.status == SolveStatus::Optimal;
    m_report.progress.incumbentTimeUs = timeUs;
    m_report.progress.boundTimeUs = outcome.boundTimeUs;
    measureGap();
    m_report.samples.push_back({m_report.seconds, timeUs, outcome.boundTimeUs});
    const int id = entry->id;
    showEntry(std::move(entry));
    if (hasBudgetThatIsSet()) m_document.setCurrentPlan(*m_work, id);
}

void SolveJob::handOver(const Finished &result)
{
    const Chunking &chunking = result.of->open->from.chunking;
    m_report.sentence = chunking.regions.empty()
                            ? tr("Found with all ops whole; it is open beside this one.")
                            : tr("Found in %1; it is open beside this one.").arg(chunksText(chunking));
    m_report.progress.incumbentTimeUs = result.entry->timeline->timeUs;
    m_report.samples.clear();
    m_planId = 0;
    Q_EMIT foundInChunks(result.of, result.entry);
}

void SolveJob::measureGap()
{
    SolveProgress &progress = m_report.progress;
    const double boundExtraUs = progress.boundTimeUs - m_report.keepAllTimeUs;
    if (progress.incumbentTimeUs <= progress.boundTimeUs)
        progress.gap = 0;
    else
        progress.gap = boundExtraUs > 0 ? (progress.incumbentTimeUs - progress.boundTimeUs) / boundExtraUs : -1;
}

void SolveJob::sayInfeasible(const SolveOutcome &outcome)
{
    if (!m_report.sentence.isEmpty()) return;
    m_report.sentence = tr("%1 found no plan within %2.")
                            .arg(m_report.plannerTitle, memoryText(m_report.budgetBytes, outcome.smallestPeakBytes));
    if (outcome.smallestPeakBytes > 0)
        m_report.sentence +=
            QLatin1Char(' ') + tr("The smallest peak it reached is %1.").arg(memoryText(outcome.smallestPeakBytes));
}

void SolveJob::stop()
{
    if (m_report.state == State::Waiting) {
        m_report.sentence = tr("Taken back before it started.");
        return end(State::Stopped);
    }
    if (m_report.state != State::Running) return;
    m_report.state = State::Stopping;
    m_tracker.stop();
    Q_EMIT changed();
}

void SolveJob::cancel()
{
    m_poll.stop();
    m_tracker.cancel();
    m_report.state = State::Stopped;
}

} // namespace remat::studio
