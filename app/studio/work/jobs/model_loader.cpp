// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/model_loader.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/jobs/chunk_solve.h"
#include "core/model/plan_entry.h"
#include "gpu/runtime.h"
#include "solvers/chunk/by_name.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace remat::studio {

struct ModelLoader::Opened {
    CostChoice choice;
    Expected<std::shared_ptr<const CostedModel>> model;
};

struct ModelLoader::Recosted {
    CostChoice choice;
    Expected<std::shared_ptr<const CostedModel>> model;
    std::vector<std::shared_ptr<const PlanEntry>> entries; ///< the document's plans under the new costs
};

namespace {

constexpr SamplingLimits kMeasuring{7}; ///< somebody waits; `remat profile` takes more steps

/// What a title says besides the model's name.
QString updatesSuffix(const Updates &updates)
{
    if (!updates.given()) return {};
    const auto known = findOptimizer(updates.optimizer);
    const QString optimizer = known && known->title ? QString::fromLatin1(known->title) : QString();
    return updates.onHost ? ModelLoader::tr(" + %1 on the host").arg(optimizer)
                          : QStringLiteral(" + %1").arg(optimizer);
}

} // namespace

ModelLoader::Recosted ModelLoader::makeRecosted(CostChoice choice, std::shared_ptr<const OpenModel> open,
                                                const std::vector<std::shared_ptr<const PlanEntry>> &plans)
{
    auto model = costModel(std::move(open), choice);
    Recosted result{std::move(choice), std::move(model), {}};
    if (!result.model) return result;
    for (const auto &plan : plans) {
        auto entry = recostPlanEntry(**result.model, *plan);
        if (entry) result.entries.push_back(std::move(*entry));
    }
    return result;
}

ModelLoader::ModelLoader(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    std::vector<LeftOutDevice> leftOut;
    auto devices = readDevices(&leftOut);
    if (devices && !devices->empty()) {
        m_devices = std::move(*devices);
        m_choice.device = m_devices.front();
        if (!leftOut.empty())
            m_deviceError = tr("A device is left out of the list. %1").arg(toQString(leftOut.front().why));
    } else {
        m_deviceError = devices ? tr("There are no device files. Install the program's resources again.")
                                : toQString(devices.error().message);
    }
    connect(&m_tracker, &JobTracker::runningChanged, this, &ModelLoader::progressChanged);
}

void ModelLoader::open(const QString &path, const QString &title, const Updates &updates)
{
    start(
        [path = toPath(path), device = m_choice.device, updates]() -> Opened {
            CostChoice choice;
            choice.device = device;
            auto open = openModel(path, device, updates);
            if (!open) return {choice, tl::unexpected(open.error())};
            return {choice, costModel(std::move(*open), choice)};
        },
        path,
        [path, title](const CostedModel &model) {
            const std::string &name = model.graph().name;
            const QString own = name.empty() ? QFileInfo(path).completeBaseName() : toQString(name);
            return (title.isEmpty() ? own : title) + updatesSuffix(model.open->updates);
        });
}

void ModelLoader::openInChunks(const Chunking &chunking)
{
    openAs([chunking](const CostedModel &) -> Expected<Chunking> { return chunking; });
}

void ModelLoader::openInChunks(const QString &names)
{
    openAs([names = names.toStdString()](const CostedModel &model) {
        return chunkingByName(names, model.open->unchunked().asRead(), chunkSetting(model));
    });
}

void ModelLoader::openInChunks(const QString &op, int chunks)
{
    openAs([op = op.toStdString(), chunks](const CostedModel &model) {
        return withRegion(model.open->from.chunking, op, chunks, model.open->unchunked().asRead(), chunkSetting(model));
    });
}

void ModelLoader::openAs(std::function<Expected<Chunking>(const CostedModel &)> chunking)
{
    const auto model = m_document.model();
    if (!model) return;
    if (const QString why = whyNotInChunks(*model, {}); !why.isEmpty()) return failWith(why);
    const QString whole = titleWithoutChunks(m_title, model->open->from.chunking);
    start(
        [model, chunking = std::move(chunking)]() -> Opened {
            const auto wanted = chunking(*model);
            if (!wanted) return {model->choice, tl::unexpected(wanted.error())};
            return {model->choice, costedInChunks(*model, *wanted)};
        },
        m_path, [whole](const CostedModel &opened) { return titleInChunks(whole, opened.open->from.chunking); });
}

void ModelLoader::start(std::function<Opened()> open, const QString &path,
                        std::function<QString(const CostedModel &)> title)
{
    setActivity(tr("Opening %1").arg(QFileInfo(path).fileName()), -1);
    m_opening = true;
    m_tracker.start([open = std::move(open)](const Job &) { return open(); },
                    [this, path, title = std::move(title)](Opened result) {
                        if (!result.model) {
                            failWith(toQString(result.model.error().message));
                            return;
                        }
                        Q_EMIT opening(path, *result.model);
                        m_path = path;
                        m_title = title(**result.model);
                        const auto before = m_document.model();
                        const bool again =
                            before && before->graph().fingerprint == (*result.model)->graph().fingerprint;
                        CostChoice choice = std::exchange(m_choice, std::move(result.choice));
                        m_document.setModel(std::move(*result.model));
                        Q_EMIT costChoiceChanged();
                        Q_EMIT opened(path);
                        // Its plans stay, under the costs they had.
                        if (again) recost(std::move(choice), tr("Opening %1").arg(QFileInfo(path).fileName()));
                    });
}

void ModelLoader::useDevice(const QString &name)
{
    const auto place = std::find_if(m_devices.begin(), m_devices.end(),
                                    [&](const Device &device) { return toQString(device.name) == name; });
    if (place == m_devices.end()) return;
    CostChoice choice;
    choice.device = *place;
    recost(std::move(choice), tr("Estimating the times of %1").arg(toQString(place->title)));
}

void ModelLoader::recost(CostChoice choice, const QString &activity)
{
    const auto model = m_document.model();
    if (!model) {
        m_choice = std::move(choice);
        Q_EMIT costChoiceChanged();
        return;
    }
    setActivity(activity, -1);
    m_opening = false;
    m_tracker.start([choice = std::move(choice), open = model->open, plans = m_document.plans()](
                        const Job &) mutable { return makeRecosted(std::move(choice), open, plans); },
                    [this](Recosted result) { takeRecosted(std::move(result)); });
}

void ModelLoader::useProfile(const QString &path)
{
    const auto model = m_document.model();
    if (!model) return;
    setActivity(tr("Reading %1").arg(QFileInfo(path).fileName()), -1);
    m_opening = false;
    m_tracker.start(
        [path = toPath(path), title = QFileInfo(path).fileName(), choice = m_choice, open = model->open,
         plans = m_document.plans()](const Job &) mutable -> Recosted {
            auto profile = readProfile(path, open->asRead().graph);
            if (!profile) return {choice, tl::unexpected(profile.error()), {}};
            choice.profile = std::make_shared<const Profile>(std::move(*profile));
            choice.profileTitle = title.toStdString();
            return makeRecosted(std::move(choice), open, plans);
        },
        [this](Recosted result) { takeRecosted(std::move(result)); });
}

void ModelLoader::measure()
{
    const auto model = m_document.model();
    if (!model) return;
    setActivity(tr("Loading LibTorch"), -1);
    m_opening = false;
    m_tracker.start(
        [this, choice = m_choice, open = model->open, plans = m_document.plans()](const Job &job) mutable -> Recosted {
            const RuntimeInfo runtime = runtimeInfo();
            if (!runtime.available) return {choice, fail(runtime.sentence), {}};
            RunContext context;
            context.stop = &job.stop();
            context.progress = [&](const std::string &activity, double fraction) {
                job.post([this, activity = toQString(activity), fraction] { setActivity(activity, fraction); });
            };
            auto profile =
                profileModel(open->asRead(), runtime.cuda ? RunDevice::Cuda : RunDevice::Cpu, kMeasuring, context);
            if (!profile) return {choice, tl::unexpected(profile.error()), {}};
            choice.profileTitle = tr("Measured on %1").arg(toQString(profile->deviceTitle)).toStdString();
            choice.profile = std::make_shared<const Profile>(std::move(*profile));
            return makeRecosted(std::move(choice), open, plans);
        },
        [this](Recosted result) { takeRecosted(std::move(result)); });
}

void ModelLoader::takeRecosted(Recosted result)
{
    if (!result.model) {
        failWith(toQString(result.model.error().message));
        Q_EMIT costChoiceChanged(); // choosers go back to what is in use
        return;
    }
    if (!m_document.model() || (*result.model)->open != m_document.model()->open) return;
    m_choice = std::move(result.choice);
    m_document.setModel(std::move(*result.model));
    for (auto &entry : result.entries)
        m_document.replacePlan(std::move(entry));
    Q_EMIT costChoiceChanged();
}

void ModelLoader::restore(std::shared_ptr<const CostedModel> model, CostChoice choice)
{
    m_tracker.cancel();
    m_choice = std::move(choice);
    m_document.setModel(std::move(model));
    Q_EMIT costChoiceChanged();
}

void ModelLoader::adopt(const QString &path, const QString &title, CostChoice choice)
{
    if (!m_opening) m_tracker.cancel();
    m_path = path;
    m_title = title;
    m_choice = std::move(choice);
    Q_EMIT costChoiceChanged();
}

void ModelLoader::cancel()
{
    m_tracker.cancel();
    Q_EMIT costChoiceChanged();
}

void ModelLoader::setActivity(const QString &activity, double fraction)
{
    m_activity = activity;
    m_fraction = fraction;
    Q_EMIT progressChanged();
}

void ModelLoader::failWith(const QString &sentence)
{
    Q_EMIT failed(Notice::failure(sentence));
}

} // namespace remat::studio
