#include "app/studio/session_file/session_state.h"

#include "app/studio/document/text.h"
#include "app/studio/document/time_window.h"
#include "app/studio/window/session.h"
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
    solve.budgetBytes = record.budgetBytes;
    nameDecisions(record.pins, graph, solve);
    solve.state = stateName(record.state);
    solve.optimal = record.optimal;
    solve.seconds = record.seconds;
    solve.plan = record.planId;
    solve.timeUs = record.timeUs;
    solve.boundTimeUs = record.boundTimeUs;
    solve.sentence = record.sentence.toStdString();
    return solve;
}

} // namespace

SessionState captureSession(Session &session, const QJsonObject &window)
{
    Document &document = session.document;
    SessionState state;
    state.model = document.model();
    const Graph &graph = state.model->graph();
    SessionFile &file = state.file;
    file.savedMs = QDateTime::currentMSecsSinceEpoch();
    file.modelPath = QFileInfo(session.loader.modelPath()).absoluteFilePath().toStdString();
    file.modelTitle = session.loader.modelTitle().toStdString();
    file.fingerprint = graph.fingerprint;
    const CostChoice &costs = session.loader.costChoice();
    file.device = costs.device.name;
    file.profileTitle = costs.profileTitle.toStdString();
    state.profile = costs.profile;
    file.budgetBytes = document.budgetBytes();
    state.plans = document.plans();
    for (const auto &entry : state.plans)
        file.plans.push_back({entry->id, entry->title.toStdString(), entry->quick, nullptr});
    file.currentPlan = document.currentPlan() ? document.currentPlan()->id : 0;
    file.compared = document.compared();
    for (const SolveRecord &record : session.solver.records())
        file.solves.push_back(sessionSolve(record, graph));
    nameDecisions(document.pins(), graph, file);
    const Selection selection = document.selection();
    if (selection.op) file.selectedOp = graph.op(selection.op).name;
    if (selection.storage) file.selectedStorage = graph.storage(selection.storage).name;
    file.cursorUs = document.cursorUs();
    const TimeWindow &time = document.time();
    file.axisInSteps = time.kind() == AxisKind::Steps;
    if (!time.view().all()) file.seen = toArray(time.view().from, time.view().to);
    if (time.range()) file.range = toArray(time.range()->from, time.range()->to);
    file.viewsText = jsonText(session.viewStates.save());
    file.windowText = jsonText(window);
    return state;
}

std::shared_ptr<const std::string> PlanTexts::of(const std::shared_ptr<const PlanEntry> &entry, const Graph &graph)
{
    const Plan *key = entry->plan.get();
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_texts.find(key);
        if (known != m_texts.end() && !known->second.plan.expired()) return known->second.text;
    }
    auto text = std::make_shared<const std::string>(planText(*entry->plan, graph));
    const std::lock_guard lock(m_mutex);
    m_texts[key] = {entry->plan, text};
    return text;
}

void PlanTexts::keepOnly(const std::vector<std::shared_ptr<const PlanEntry>> &plans)
{
    std::set<const Plan *> used;
    for (const auto &entry : plans)
        used.insert(entry->plan.get());
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_texts, [&](const auto &text) { return !used.contains(text.first); });
}

Expected<void> writeSession(SessionState state, PlanTexts &texts, const QString &path)
{
    const Graph &graph = state.model->graph();
    const QDir folder = QFileInfo(path).absoluteDir();
    state.file.modelRelativePath = folder.relativeFilePath(QString::fromStdString(state.file.modelPath)).toStdString();
    if (state.profile) state.file.profileText = profileText(*state.profile, graph);
    for (std::size_t i = 0; i < state.plans.size(); ++i)
        state.file.plans[i].text = texts.of(state.plans[i], graph);
    texts.keepOnly(state.plans);
    return writeFileAtomically(toPath(path), sessionText(state.file));
}

} // namespace remat::studio
