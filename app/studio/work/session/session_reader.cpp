// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/session/session_reader.h"

#include "app/studio/base/text/text.h"
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/io/plan_text.h"
#include "core/model/plan_entry.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <unordered_map>

namespace remat::studio {

namespace {

using Problem = tl::unexpected<SessionProblem>;

struct SessionReaderText {
    Q_DECLARE_TR_FUNCTIONS(SessionReader)
};

Problem problem(const QString &sentence, bool wantsModel = false)
{
    return Problem(SessionProblem{sentence, wantsModel});
}

Problem problem(const Error &error)
{
    return problem(toQString(error.message));
}

/// Where the model is: beside the session, else where it was.
QString findModel(const QString &sessionPath, const SessionModel &file)
{
    const QDir folder = QFileInfo(sessionPath).absoluteDir();
    const QString relative = QString::fromStdString(file.modelRelativePath);
    if (!relative.isEmpty()) {
        const QString beside = QDir::cleanPath(folder.absoluteFilePath(relative));
        if (QFileInfo(beside).isFile()) return beside;
    }
    return QString::fromStdString(file.modelPath);
}

template <class Id, class Item>
std::unordered_map<std::string, Id> idsOf(const std::vector<Item> &items)
{
    std::unordered_map<std::string, Id> ids;
    for (std::size_t i = 0; i < items.size(); ++i)
        ids.emplace(items[i].name, Id(i));
    return ids;
}

SolveReport::State solveState(const std::string &name)
{
    using State = SolveReport::State;
    if (name == "done") return State::Done;
    if (name == "stopped") return State::Stopped;
    if (name == "infeasible") return State::Infeasible;
    return name == "failed" ? State::Failed : State::Waiting;
}

SolveRecord solveRecord(const SessionSolve &saved)
{
    SolveRecord record;
    record.settings.planner = saved.planner;
    record.settings.options = {saved.options.begin(), saved.options.end()};
    record.settings.timeLimitSeconds = saved.timeLimitSeconds;
    record.settings.threads = saved.threads;
    record.settings.chunks = saved.chunks ? ChunkUse::Always : ChunkUse::Never;
    record.settings.whole = saved.whole;
    record.budgetBytes = saved.budgetBytes;
    record.state = solveState(saved.state);
    record.optimal = saved.optimal;
    record.seconds = saved.seconds;
    record.planId = saved.plan;
    record.timeUs = saved.timeUs;
    record.boundTimeUs = saved.boundTimeUs;
    record.sentence = QString::fromStdString(saved.sentence);
    for (const auto &[seconds, timeUs, boundUs] : saved.progress)
        record.samples.push_back({seconds, timeUs, boundUs});
    return record;
}

/// Names that the graph does not have give nothing: the fingerprint says nothing about names.
void takeNames(OpenedModel &session)
{
    const Graph &graph = session.model->graph();
    const auto ops = idsOf<OpId>(graph.ops);
    const auto storages = idsOf<StorageId>(graph.storages);
    const auto take = [](const std::vector<std::string> &names, const auto &ids, auto &into) {
        for (const std::string &name : names)
            if (const auto place = ids.find(name); place != ids.end()) into.push_back(place->second);
    };
    const auto takeDecisions = [&](const auto &named, Pins &pins) {
        take(named.keep, storages, pins.keep);
        take(named.recompute, ops, pins.recompute);
        take(named.never, ops, pins.never);
    };
    takeDecisions(session.file, session.pins);
    for (const SessionSolve &saved : session.file.solves) {
        SolveRecord record = solveRecord(saved);
        takeDecisions(saved, record.pins);
        if (const auto op = ops.find(saved.bindingOp); op != ops.end()) record.bindingOp = op->second;
        session.solves.push_back(std::move(record));
    }
    if (const auto op = ops.find(session.file.selectedOp); op != ops.end()) session.selection.op = op->second;
    if (const auto storage = storages.find(session.file.selectedStorage); storage != storages.end())
        session.selection.storage = storage->second;
}

} // namespace

QStringList sessionPatterns()
{
    return {QLatin1Char('*') + kSessionEnding, QLatin1Char('*') + kOldSessionEnding};
}

Expected<SessionFile> readSessionFile(const QString &path)
{
    const Expected<std::string> text = readFile(toPath(path), kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    return parseSession(*text, QFileInfo(path).fileName().toStdString());
}

tl::expected<OpenedModel, SessionProblem> readSessionModel(const SessionModel &file, const QString &sessionPath,
                                                           const QString &modelPath, const std::vector<Device> &devices,
                                                           const StopToken &stop)
{
    OpenedModel session;
    session.file = file;
    session.modelPath = modelPath.isEmpty() ? findModel(sessionPath, file) : modelPath;
    const QString modelName = QFileInfo(session.modelPath).fileName();
    const QString sessionName = QFileInfo(sessionPath).fileName();
    if (session.modelPath.isEmpty())
        return problem(SessionReaderText::tr("Choose the model that %1 was made for.").arg(sessionName), true);
    if (!QFileInfo(session.modelPath).isFile())
        return problem(SessionReaderText::tr("%1, the model of %2, is not at %3 any more.")
                           .arg(modelName, sessionName, QFileInfo(session.modelPath).absolutePath()),
                       true);
    if (devices.empty())
        return problem(SessionReaderText::tr("There are no device files. Install the program's resources again."));
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const Device &each) { return each.name == session.file.device; });
    session.costs.device = device == devices.end() ? devices.front() : *device;
    auto model = readModel(toPath(session.modelPath));
    if (!model) return problem(toQString(model.error().message), true);
    const Updates updates = updatesOf(*model, session.file.fingerprint);
    auto open = openModel(std::move(*model), modelName.toStdString(), session.costs.device, updates);
    if (!open) return problem(toQString(open.error().message), true);
    if ((*open)->model->graph.fingerprint != session.file.fingerprint)
        return problem(
            SessionReaderText::tr("%1 is another graph than the one that %2 was made with, so its plans do not fit.")
                .arg(modelName, sessionName),
            true);
    if (!session.file.chunking.regions.empty()) {
        open = openInChunks(*open, session.file.chunking, session.costs.device);
        if (!open) return problem(open.error());
    }
    if (!session.file.profileText.empty()) {
        auto profile = parseProfile(session.file.profileText, sessionName.toStdString(), (*open)->asRead().graph);
        if (!profile) return problem(profile.error());
        session.costs.profile = std::make_shared<const Profile>(std::move(*profile));
        session.costs.profileTitle = session.file.profileTitle;
    }
    auto costed = costModel(std::move(*open), session.costs);
    if (!costed) return problem(costed.error());
    session.model = std::move(*costed);
    for (const SessionPlan &saved : session.file.plans) {
        if (stop.stopRequested()) return problem(QString());
        auto plan = parsePlan(
            *saved.text, SessionReaderText::tr("%1, plan %2").arg(sessionName, toQString(saved.title)).toStdString(),
            session.model->graph(), session.model->open->from);
        if (!plan) return problem(plan.error());
        auto entry = makePlanEntry(*session.model, std::make_shared<const Plan>(std::move(*plan)), saved.id,
                                   saved.title, saved.quick);
        if (!entry) return problem(entry.error());
        session.plans.push_back(std::move(*entry));
    }
    takeNames(session);
    return session;
}

} // namespace remat::studio
