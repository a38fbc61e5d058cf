// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/session/session_state.h"

#include "app/studio/base/text/text.h"
#include "core/base/file.h"
#include "core/io/plan_text.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>

#include <set>

namespace remat::studio {

namespace {

std::string jsonText(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

std::array<double, 2> toArray(double from, double to)
{
    return {from, to};
}

const char *stateName(SolveReport::State state)
{
    using State = SolveReport::State;
    switch (state) {
    case State::Done:
        return "done";
    case State::Stopped:
        return "stopped";
    case State::Infeasible:
        return "infeasible";
    case State::Failed:
        return "failed";
    default:
        return "waiting";
    }
}

/// Decisions by name, into a session or one of its solves.
template <class Named>
void nameDecisions(const Pins &pins, const Graph &graph, Named &into)
{
    for (const StorageId storage : pins.keep)
        into.keep.push_back(graph.storage(storage).name);
    for (const OpId op : pins.recompute)
        into.recompute.push_back(graph.op(op).name);
    for (const OpId op : pins.never)
        into.never.push_back(graph.op(op).name);
}

SessionSolve sessionSolve(const SolveRecord &record, const Graph &graph)
{
    SessionSolve solve;
    solve.planner = record.settings.planner;
    solve.options.assign(record.settings.options.begin(), record.settings.options.end());
    solve.timeLimitSeconds = record.settings.timeLimitSeconds;
    solve.threads = record.settings.threads;
    solve.chunks = record.settings.chunks == ChunkUse::Always;
    solve.whole = record.settings.whole;
    solve.budgetBytes = record.budgetBytes;
    nameDecisions(record.pins, graph, solve);
    solve.state = stateName(record.state);
    solve.optimal = record.optimal;
    solve.seconds = record.seconds;
    solve.plan = record.planId;
    solve.timeUs = record.timeUs;
    solve.boundTimeUs = record.boundTimeUs;
    solve.sentence = record.sentence.toStdString();
    if (record.bindingOp) solve.bindingOp = graph.op(record.bindingOp).name;
    for (const SolveSample &sample : record.samples)
        solve.progress.push_back({sample.seconds, sample.incumbentTimeUs, sample.boundTimeUs});
    return solve;
}

} // namespace

std::shared_ptr<const ModelState> captureModel(const ModelWork &work, const ModelOrigin &origin,
                                               const std::vector<SolveRecord> &solves, const QJsonObject &views)
{
    auto state = std::make_shared<ModelState>();
    state->model = work.model;
    const Graph &graph = state->model->graph();
    SessionModel &file = state->file;
    file.modelPath = QFileInfo(origin.path).absoluteFilePath().toStdString();
    file.modelTitle = origin.title.toStdString();
    file.fingerprint = state->model->open->unchunked().model->graph.fingerprint;
    file.chunking = state->model->open->from.chunking;
    file.device = origin.costs.device.name;
    file.profileTitle = origin.costs.profileTitle;
    state->profile = origin.costs.profile;
    file.budgetBytes = work.budgetBytes;
    state->plans = work.plans;
    for (const auto &entry : state->plans)
        file.plans.push_back({entry->id, entry->title, entry->quick, nullptr});
    file.currentPlan = work.current ? work.current->id : 0;
    file.compared = work.compared;
    for (const SolveRecord &record : solves)
        file.solves.push_back(sessionSolve(record, graph));
    nameDecisions(work.pins, graph, file);
    const Selection selection = work.selection;
    if (selection.op) file.selectedOp = graph.op(selection.op).name;
    if (selection.storage) file.selectedStorage = graph.storage(selection.storage).name;
    file.cursorUs = work.cursorUs;
    const TimeAxis &time = work.time;
    file.axisInSteps = time.kind == AxisKind::Steps;
    if (!time.view.all()) file.seen = toArray(time.view.from, time.view.to);
    if (time.range) file.range = toArray(time.range->from, time.range->to);
    file.viewsText = jsonText(views);
    return state;
}

std::shared_ptr<const std::string> SessionTexts::ofPlan(const std::shared_ptr<const Plan> &plan, const OpenModel &model)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_plans.find(plan.get());
        if (known != m_plans.end() && !known->second.source.expired()) return known->second.text;
    }
    auto text = std::make_shared<const std::string>(planText(*plan, model.model->graph, model.from));
    const std::lock_guard lock(m_mutex);
    m_plans[plan.get()] = {plan, text};
    return text;
}

std::shared_ptr<const std::string> SessionTexts::of(const std::shared_ptr<const ModelState> &state,
                                                    const QString &folder)
{
    const auto key = std::pair{state.get(), folder};
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_models.find(key);
        if (known != m_models.end() && !known->second.source.expired()) return known->second.text;
    }
    SessionModel file = state->file;
    file.modelRelativePath = QDir(folder).relativeFilePath(QString::fromStdString(file.modelPath)).toStdString();
    if (state->model) {
        const Graph &graph = state->model->graph();
        if (state->profile) file.profileText = profileText(*state->profile, graph);
        for (std::size_t i = 0; i < state->plans.size(); ++i)
            file.plans[i].text = ofPlan(state->plans[i]->plan, *state->model->open);
    }
    auto text = std::make_shared<const std::string>(sessionModelText(file));
    const std::lock_guard lock(m_mutex);
    m_models[key] = {state, text};
    return text;
}

void SessionTexts::keepOnly(const SessionState &session)
{
    std::set<const Plan *> plans;
    std::set<const ModelState *> models;
    for (const auto *list : {&session.models, &session.closed})
        for (const auto &state : *list) {
            models.insert(state.get());
            for (const auto &entry : state->plans)
                plans.insert(entry->plan.get());
        }
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_plans, [&](const auto &text) { return !plans.contains(text.first); });
    std::erase_if(m_models, [&](const auto &text) { return !models.contains(text.first.first); });
}

Expected<void> writeSession(const SessionState &state, SessionTexts &texts, const QString &path)
{
    const QString folder = QFileInfo(path).absolutePath();
    SessionParts parts;
    parts.savedMs = QDateTime::currentMSecsSinceEpoch();
    for (const auto &model : state.models)
        parts.models.push_back(texts.of(model, folder));
    for (const auto &model : state.closed)
        parts.closed.push_back(texts.of(model, folder));
    parts.shown = state.shown;
    parts.windowText = state.windowText;
    texts.keepOnly(state);
    return writeFileAtomically(toPath(path), sessionText(parts));
}

} // namespace remat::studio
