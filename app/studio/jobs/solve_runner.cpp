#include "app/studio/jobs/solve_runner.h"

#include "app/studio/document/text.h"
#include "app/studio/jobs/plan_entry.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kPollMs = 33;
/// Incumbents come in bursts; drawing one costs a replay of all its steps, so only this often.
constexpr double kIncumbentSeconds = 0.1;

} // namespace

/// What the planner's threads leave for the GUI to pick up.
struct SolveRunner::Mailbox {
    std::mutex mutex;
    bool fresh = false;
    SolveProgress progress;
    std::vector<SolveSample> samples; ///< since the last poll
    std::shared_ptr<const PlanEntry> entry;
    double lastEntrySeconds = -1;
};

QString floorSentence(const CostedModel &model, std::int64_t budgetBytes)
{
    const QString needed = bytesText(model.floor.bytes, Rounding::Up);
    if (!model.floor.op)
        return SolveRunner::tr("No plan fits %1: the results alone need %2.")
            .arg(bytesText(budgetBytes, Rounding::Down), needed);
    return SolveRunner::tr("No plan fits %1: op %2 alone needs %3.")
        .arg(bytesText(budgetBytes, Rounding::Down), toQString(model.graph().op(model.floor.op).name), needed);
}

SolveRunner::SolveRunner(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    m_poll.setInterval(kPollMs);
    connect(&m_poll, &QTimer::timeout, this, &SolveRunner::poll);
}

SolveRunner::~SolveRunner() = default;

double SolveRunner::elapsedSeconds() const
{
    return running() ? static_cast<double>(m_clock.elapsed()) / 1000.0 : m_report.seconds;
}

void SolveRunner::solve(const SolveSettings &settings)
{
    const auto model = m_document.model();
    if (!model) return;
    m_report = {};
    m_report.keepAllTimeUs = model->keepAllTimeUs;
    m_report.budgetBytes = m_document.budgetBytes();

    const auto planner = findPlanner(settings.planner);
    auto options = planner ? makeOptions((*planner)->info().options, settings.options)
                           : Expected<OptionSet>(tl::unexpected(planner.error()));
    if (!options) {
        m_tracker.cancel();
        m_poll.stop();
        m_report.state = SolveReport::State::Failed;
        m_report.sentence = toQString(options.error().message);
        Q_EMIT reportChanged();
        return;
    }
    m_report.plannerTitle = toQString((*planner)->info().title);
    if (m_report.budgetBytes < model->floor.bytes) {
        m_tracker.cancel();
        m_poll.stop();
        m_report.state = SolveReport::State::Infeasible;
        m_report.sentence = floorSentence(*model, m_report.budgetBytes);
        m_report.bindingOp = model->floor.op;
        Q_EMIT reportChanged();
        return;
    }

    m_report.state = SolveReport::State::Running;
    m_clock.start();
    m_mailbox = std::make_shared<Mailbox>();
    const int entryId = m_document.nextPlanId();
    std::shared_ptr<const Plan> start;
    if (const auto current = m_document.currentPlan(); current && current->timeline->peakBytes <= m_report.budgetBytes)
        start = current->plan;

    m_tracker.start(
        [model, planner = *planner, options = std::move(*options), budget = m_report.budgetBytes, settings, start,
         entryId, title = m_report.plannerTitle, mailbox = m_mailbox](const Job &job) -> Finished {
            SolveRequest request;
            request.graph = &model->graph();
            request.costs = model->costs.get();
            if (model->open->model->program) request.program = &*model->open->model->program;
            request.budgetBytes = budget;
            request.options = options;
            request.start = start;
            SolveContext context;
            context.stop = &job.stop();
            context.deadline = Deadline(settings.timeLimitSeconds);
            context.threads = settings.threads;
            context.progress = [&](const SolveProgress &progress) {
                if (!job.wanted()) return;
                std::shared_ptr<const PlanEntry> entry;
                if (progress.incumbent && progress.elapsedSeconds - mailbox->lastEntrySeconds >= kIncumbentSeconds) {
                    mailbox->lastEntrySeconds = progress.elapsedSeconds;
                    auto made = makePlanEntry(*model, progress.incumbent, entryId, title, false);
                    if (made) entry = std::move(*made);
                }
                const std::lock_guard lock(mailbox->mutex);
                mailbox->fresh = true;
                mailbox->progress = progress;
                mailbox->progress.incumbent = nullptr;
                mailbox->samples.push_back({progress.elapsedSeconds, progress.incumbentTimeUs, progress.boundTimeUs});
                if (entry) mailbox->entry = std::move(entry);
            };
            Finished result{remat::solve(*planner, request, context), nullptr, {}};
            if (!result.outcome || !result.outcome->plan) return result;
            auto entry =
                makePlanEntry(*model, std::make_shared<const Plan>(*result.outcome->plan), entryId, title, false);
            if (entry)
                result.entry = std::move(*entry);
            else
                result.entryError = toQString(entry.error().message);
            return result;
        },
        [this, entryId](Finished result) { finish(std::move(result), entryId); });
    m_poll.start();
    Q_EMIT reportChanged();
}

void SolveRunner::poll()
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
    Q_EMIT reportChanged();
}

void SolveRunner::showEntry(std::shared_ptr<const PlanEntry> entry)
{
    const auto &plans = m_document.plans();
    const bool known = std::any_of(plans.begin(), plans.end(), [&](const auto &plan) { return plan->id == entry->id; });
    if (known)
        m_document.replacePlan(std::move(entry));
    else
        m_document.addPlan(std::move(entry));
}

void SolveRunner::finish(Finished result, int entryId)
{
    poll();
    m_poll.stop();
    m_report.seconds = static_cast<double>(m_clock.elapsed()) / 1000.0;
    for (ClusterProgress &cluster : m_report.progress.clusters)
        cluster.running = false;
    if (!result.outcome || !result.entryError.isEmpty()) {
        m_report.state = SolveReport::State::Failed;
        m_report.sentence = result.outcome ? result.entryError : toQString(result.outcome.error().message);
        m_document.removePlan(entryId);
        Q_EMIT reportChanged();
        return;
    }
    const SolveOutcome &outcome = *result.outcome;
    m_report.sentence = toQString(outcome.message);
    if (result.entry)
        takePlan(outcome, std::move(result.entry));
    else if (outcome.status == SolveStatus::Infeasible)
        sayInfeasible(outcome);
    else
        m_report.state = SolveReport::State::Stopped;
    if (m_report.state == SolveReport::State::Stopped && !outcome.plan && m_report.sentence.isEmpty())
        m_report.sentence = tr("Stopped before a first plan was found.");
    Q_EMIT reportChanged();
}

void SolveRunner::takePlan(const SolveOutcome &outcome, std::shared_ptr<const PlanEntry> entry)
{
    m_report.state = outcome.status == SolveStatus::Stopped ? SolveReport::State::Stopped : SolveReport::State::Done;
    const double timeUs = entry->timeline->timeUs;
    const double boundExtraUs = outcome.boundTimeUs - m_report.keepAllTimeUs;
    m_report.progress.incumbentTimeUs = timeUs;
    m_report.progress.boundTimeUs = outcome.boundTimeUs;
    if (timeUs <= outcome.boundTimeUs)
        m_report.progress.gap = 0;
    else
        m_report.progress.gap = boundExtraUs > 0 ? (timeUs - outcome.boundTimeUs) / boundExtraUs : -1;
    m_report.samples.push_back({m_report.seconds, timeUs, outcome.boundTimeUs});
    const int id = entry->id;
    showEntry(std::move(entry));
    if (m_document.budgetBytes() == m_report.budgetBytes) m_document.setCurrentPlan(id);
}

void SolveRunner::sayInfeasible(const SolveOutcome &outcome)
{
    m_report.state = SolveReport::State::Infeasible;
    if (!m_report.sentence.isEmpty()) return;
    m_report.sentence =
        tr("%1 found no plan within %2.").arg(m_report.plannerTitle, bytesText(m_report.budgetBytes, Rounding::Down));
    if (outcome.smallestPeakBytes > 0)
        m_report.sentence +=
            QLatin1Char(' ') +
            tr("The smallest peak it reached is %1.").arg(bytesText(outcome.smallestPeakBytes, Rounding::Up));
}

void SolveRunner::stop()
{
    if (m_report.state != SolveReport::State::Running) return;
    m_report.state = SolveReport::State::Stopping;
    m_tracker.stop();
    Q_EMIT reportChanged();
}

void SolveRunner::reset()
{
    m_tracker.cancel();
    m_poll.stop();
    m_report = {};
    Q_EMIT reportChanged();
}

} // namespace remat::studio
