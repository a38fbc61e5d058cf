// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/plan_runner.h"

#include "app/studio/base/text/text.h"
#include "core/base/file.h"
#include "core/io/plan_text.h"
#include "core/model/plan_entry.h"
#include "gpu/runtime.h"
#include "gpu/torch_install.h"

namespace remat::studio {

namespace {

std::string noGpuSentence(const RuntimeInfo &runtime)
{
    return runtime.sentence.empty() ? "There is no GPU that LibTorch can use. Validate on the CPU." : runtime.sentence;
}

/// Picks the plan that keeps the most and fits the device, out of the document's others, to compare with where keep-all
/// does not; no steps without one.
std::vector<Step> referenceOf(const CostedModel &model, const PlanEntry &entry,
                              const std::vector<std::shared_ptr<const PlanEntry>> &plans, RunDevice device)
{
    const Plan &plan = *entry.plan;
    const Graph graph = plan.parametersPlanned ? withPlannedParameters(model.graph()) : model.graph();
    RunContext context;
    context.updates = model.open->updates;
    const auto room = roomForPlans(model.open->asRead(), graph, *model.costs, plan.steps, device, context);
    const PlanEntry *best = nullptr;
    for (const auto &other : plans) {
        const bool fits = room && (*room < 0 || other->timeline->peakBytes <= *room);
        if (!fits || other->plan->parametersPlanned != plan.parametersPlanned) continue;
        if (!best || other->timeline->peakBytes > best->timeline->peakBytes) best = other.get();
    }
    return best ? best->plan->steps : std::vector<Step>();
}

/// A validation, or why there is none.
struct Validation {
    Expected<std::shared_ptr<const PlanEntry>> entry;
    bool torchMissing = false;
};

} // namespace

PlanRunner::PlanRunner(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_validation(pool), m_saving(pool), m_asking(pool)
{
    connect(&m_validation, &JobTracker::runningChanged, this, &PlanRunner::progressChanged);
    connect(&m_saving, &JobTracker::runningChanged, this, &PlanRunner::progressChanged);
}

void PlanRunner::start(bool getTorch)
{
    const auto model = m_document.model();
    const auto entry = m_document.currentPlan();
    if (!model || !entry) return;
    m_validatingId = entry->id;
    m_validatingModel = model;
    setActivity(getTorch ? tr("Getting LibTorch") : tr("Loading LibTorch"), -1);
    m_validation.start(
        [this, model, entry, plans = m_document.plans(), where = m_runOn, getTorch](const Job &job) -> Validation {
            if (getTorch) {
                const Expected<TorchInstall> install = torchInstall(torchKindWanted());
                if (!install) return {tl::unexpected(install.error())};
                const auto said = [&](const std::string &line) {
                    job.post([this, line = toQString(line)] { setActivity(tr("Getting LibTorch: %1").arg(line), -1); });
                };
                if (auto got = installTorch(*install, &job.stop(), said); !got) return {tl::unexpected(got.error())};
            }
            const RuntimeInfo runtime = runtimeInfo();
            if (!runtime.available) return {fail(runtime.sentence), runtime.torchMissing};
            if (where == RunOn::Gpu && !runtime.cuda) return {fail(noGpuSentence(runtime))};
            const bool gpu = runtime.cuda && where != RunOn::Cpu;
            RunContext context;
            context.stop = &job.stop();
            context.updates = model->open->updates;
            context.pieces = mostPieces(model->open->from.chunking);
            if (model->open->whole) context.whole = &model->open->whole->asRead();
            context.progress = [&](const std::string &activity, double fraction) {
                job.post([this, activity = toQString(activity), fraction] { setActivity(activity, fraction); });
            };
            const RunDevice device = gpu ? RunDevice::Cuda : RunDevice::Cpu;
            if (gpu) context.memory = MemoryMode::Arena;
            context.reference = referenceOf(*model, *entry, plans, device);
            auto record = validatePlan(model->open->asRead(), *model->costs, *entry->plan, device, context);
            if (!record) return {tl::unexpected(record.error())};
            auto plan = std::make_shared<Plan>(*entry->plan);
            plan->validated = std::move(*record);
            return {makePlanEntry(*model, plan, entry->id, entry->title, entry->quick)};
        },
        [this, model](Validation result) {
            m_validatingId = 0;
            m_validatingModel = nullptr;
            if (result.torchMissing)
                offerTorch(toQString(result.entry.error().message));
            else if (!result.entry)
                failWith(toQString(result.entry.error().message));
            else if (m_document.model() == model)
                m_document.replacePlan(std::move(*result.entry));
            else
                Q_EMIT validatedBeside(model, *result.entry);
            Q_EMIT progressChanged();
        });
}

void PlanRunner::askForGpu()
{
    if (m_asking.running()) return;
    m_asking.start([](const Job &) { return runtimeInfo(); },
                   [this](const RuntimeInfo &runtime) {
                       if (runtime.cuda)
                           Q_EMIT gpuKnown(toQString(runtime.cudaTitle), {});
                       else
                           Q_EMIT gpuKnown({}, toQString(noGpuSentence(runtime)));
                   });
}

void PlanRunner::stopValidation()
{
    m_validation.cancel();
    m_validatingId = 0;
    m_validatingModel = nullptr;
    Q_EMIT progressChanged();
}

void PlanRunner::save(const QString &path)
{
    const auto model = m_document.model();
    const auto entry = m_document.currentPlan();
    if (!model || !entry) return;
    m_saving.start(
        [model, plan = entry->plan, path = toPath(path)](const Job &) {
            return writeFileAtomically(path, planText(*plan, model->graph(), model->open->from));
        },
        [this, path, work = m_document.work(), id = entry->id](Expected<void> result) {
            if (!result)
                failWith(toQString(result.error().message));
            else
                Q_EMIT saved(path, work.get(), id);
        });
}

void PlanRunner::setActivity(const QString &activity, double fraction)
{
    m_activity = activity;
    m_fraction = fraction;
    Q_EMIT progressChanged();
}

void PlanRunner::offerTorch(const QString &sentence)
{
    Notice notice = Notice::failure(sentence);
    if (const Expected<TorchInstall> install = torchInstall(torchKindWanted())) {
        notice.actionText = tr("Get it (%1)").arg(toQString(install->size));
        notice.action = [this] { start(true); };
    }
    Q_EMIT failed(notice);
}

void PlanRunner::failWith(const QString &sentence)
{
    Q_EMIT failed(Notice::failure(sentence));
}

} // namespace remat::studio
