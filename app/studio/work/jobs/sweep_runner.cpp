// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/sweep_runner.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/lasting_plans.h"
#include "app/studio/work/jobs/planner_titles.h"
#include "core/base/budget.h"
#include "core/model/plan_entry.h"
#include "solvers/uses/sweep_elsewhere.h"

#include <QTemporaryDir>

#include <algorithm>

namespace remat::studio {

namespace {

/// On the cluster, with the model's file and costs.
Expected<void> sweepOnDask(const std::string &scheduler, const CostedModel &model, const SweepRequest &request,
                           const StopToken &stop, const SweepListener &listener)
{
    if (model.open->traced)
        return fail(
            SweepRunner::tr("The workers of a cluster read the model's file, which knows nothing of the updates in "
                            "its step. Sweep on this machine.")
                .toStdString());
    const Graph &graph = model.graph();
    const CostTable &costs = *model.costs;
    SweepElsewhere where{scheduler, model.open->model->path, deviceOf(costs.source), {}};
    QTemporaryDir folder;
    if (model.roofline) { // measured here: they go along
        Profile profile;
        profile.fingerprint = graph.fingerprint;
        profile.graphName = graph.name;
        profile.device = "cpu";
        profile.deviceTitle = costs.source.device;
        profile.repeats = 1;
        for (std::size_t op = 0; op < graph.ops.size(); ++op)
            profile.ops.push_back({costs.timeUs[op], 0, costs.workspaceBytes[op]});
        if (costs.linkMeasured)
            for (const std::int64_t bytes : {std::int64_t(1) << 12, std::int64_t(1) << 26})
                profile.link.push_back({bytes, copyTimeUs(costs, bytes), copyTimeUs(costs, bytes)});
        where.profile = toPath(folder.filePath(QStringLiteral("profile.json")));
        if (auto written = writeProfile(*where.profile, profile, graph); !written) return written;
    }
    return sweepElsewhere(where, request, &stop, listener);
}

} // namespace

SweepRunner::SweepRunner(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_sweep(std::make_shared<WorkSweep>(document.work(), pool))
{
    connect(&m_document, &Document::modelChanged, this, [this] {
        if (m_sweep->work == m_document.work()) reset();
    });
}

void SweepRunner::show(std::shared_ptr<WorkSweep> sweep)
{
    m_sweep = std::move(sweep);
    Q_EMIT reportChanged();
}

void SweepRunner::tell(const WorkSweep &sweep)
{
    if (&sweep == m_sweep.get())
        Q_EMIT reportChanged();
    else
        Q_EMIT changedElsewhere();
}

void SweepRunner::start(const SweepSettings &settings)
{
    const auto model = m_document.model();
    if (!model || settings.planners.empty() || settings.percents.empty()) return;
    auto request = std::make_shared<SweepRequest>();
    SweepReport &report = m_sweep->report;
    report = {};
    for (const std::string &name : settings.planners) {
        const auto planner = findPlanner(name);
        auto options =
            planner ? makeOptions((*planner)->info.options, {}) : Expected<OptionSet>(tl::unexpected(planner.error()));
        if (!options) {
            report.sentence = toQString(options.error().message);
            Q_EMIT reportChanged();
            return;
        }
        request->entries.push_back({*planner, std::move(*options)});
    }
    request->graph = &model->graph();
    request->costs = model->costs.get();
    if (model->open->model->program) request->program = &*model->open->model->program;
    for (const int percent : settings.percents)
        // As the budget field reads them, so that a plan of the sweep is one for the budget that is typed.
        request->budgetBytes.push_back(
            parseBudget(std::to_string(percent) + '%', model->keepAllPeakBytes).value_or(model->keepAllPeakBytes));
    request->pins = m_document.pins();
    request->secondsPerPlan = settings.secondsPerPlan;

    m_sweep->paces.clear();
    for (const auto &entry : request->entries)
        m_sweep->paces.push_back(
            {.left = static_cast<int>(settings.percents.size()), .usesTime = entry.planner->info.usesTime});
    m_sweep->secondsPerPlan = settings.secondsPerPlan;
    report.running = true;
    report.planners = static_cast<int>(settings.planners.size());
    report.total = report.planners * static_cast<int>(settings.percents.size());
    report.fromPercent = *std::max_element(settings.percents.begin(), settings.percents.end());
    report.toPercent = *std::min_element(settings.percents.begin(), settings.percents.end());
    m_sweep->clock.start();
    m_sweep->tracker.start(
        [this, of = m_sweep.get(), model, request, threads = settings.threads,
         dask = settings.dask.toStdString()](const Job &job) {
            SolveContext context;
            context.stop = &job.stop();
            context.threads = threads;
            const auto finished = [&](const SweepProgress &progress) {
                if (!progress.finished) return;
                std::shared_ptr<const PlanEntry> entry;
                const SweepPoint &point = *progress.finished;
                if (point.plan) {
                    const std::string &title = request->entries[point.entry].planner->info.title;
                    // The document gives the number once the entry gets there.
                    if (auto made = makePlanEntry(*model, point.plan, 0, title, false)) entry = std::move(*made);
                }
                const auto &info = request->entries[point.entry].planner->info;
                const SweepMiss miss{toQString(info.title), point.budgetBytes, withPlannerTitles(point.message)};
                job.post([this, of, entry, miss, planner = point.entry, seconds = point.seconds] {
                    take(*of, entry, miss, planner, seconds);
                });
            };
            if (!dask.empty()) {
                const auto result = sweepOnDask(dask, *model, *request, job.stop(), finished);
                return result ? QString() : toQString(result.error().message);
            }
            const Expected<Sweep> result = sweep(*request, context, finished);
            return result ? QString() : toQString(result.error().message);
        },
        [this, of = m_sweep.get()](const QString &sentence) { finish(*of, sentence); });
    Q_EMIT reportChanged();
}

void SweepRunner::take(WorkSweep &sweep, std::shared_ptr<const PlanEntry> entry, const SweepMiss &miss,
                       std::size_t planner, double seconds)
{
    SweepReport &report = sweep.report;
    ++report.done;
    PlannerPace &pace = sweep.paces[planner];
    --pace.left;
    ++pace.done;
    pace.seconds += seconds;
    report.secondsLeft =
        secondsLeft(sweep.paces, sweep.secondsPerPlan, static_cast<double>(sweep.clock.elapsed()) / 1000);
    if (!entry) report.misses.push_back(miss);
    // Planners of few plans give the same one for many budgets.
    const auto known = [&](const std::shared_ptr<const PlanEntry> &plan) {
        return plan->plan->origin.solver == entry->plan->origin.solver &&
               plan->timeline->peakBytes == entry->timeline->peakBytes &&
               plan->timeline->timeUs == entry->timeline->timeUs;
    };
    if (entry && std::ranges::none_of(lastingPlans(sweep.work->plans), known)) {
        auto numbered = std::make_shared<PlanEntry>(*entry);
        numbered->id = sweep.work->nextPlanId++;
        m_document.addPlanBeside(*sweep.work, std::move(numbered));
    }
    tell(sweep);
}

void SweepRunner::finish(WorkSweep &sweep, const QString &sentence)
{
    sweep.report.running = sweep.report.stopping = false;
    sweep.report.sentence = sentence;
    tell(sweep);
    if (&sweep == m_sweep.get()) Q_EMIT ended();
}

void SweepRunner::end(WorkSweep &sweep)
{
    if (!sweep.report.running || sweep.report.stopping) return;
    sweep.report.stopping = true;
    sweep.tracker.stop();
    tell(sweep);
}

void SweepRunner::reset()
{
    m_sweep->tracker.cancel();
    m_sweep->report = {};
    Q_EMIT reportChanged();
}

} // namespace remat::studio
