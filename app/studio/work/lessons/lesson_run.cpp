// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/lessons/lesson_run.h"

#include "app/studio/base/style/translation.h"
#include "app/studio/base/text/text.h"
#include "app/studio/work/session/session.h"
#include "core/base/budget.h"
#include "core/teaching/lessons/lesson_json.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace remat::studio {

namespace {

QString keyOf(const QString &lesson, const char *part)
{
    return QStringLiteral("lessons/%1/%2").arg(lesson, QLatin1String(part));
}

/// Questions that were answered wrong, as `sqrt:11`: lesson, and step from 1.
QString returningKey()
{
    return QStringLiteral("lessons/returning");
}

/// The question with the figures that its own lesson has.
LessonStep withItsFigures(const Lesson &lesson, LessonStep step)
{
    step.question.text = withFigures(lesson, step.question.text);
    for (std::string &choice : step.question.choices)
        choice = withFigures(lesson, choice);
    step.question.because = withFigures(lesson, step.question.because);
    return step;
}

/// `-1:0:2:1`: choice, tries, hints, done.
QString written(const LessonStepState &state)
{
    return QStringLiteral("%1:%2:%3:%4").arg(state.chosen).arg(state.tries).arg(state.hints).arg(state.done ? 1 : 0);
}

LessonStepState readState(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char(':'));
    if (parts.size() != 4) return {};
    LessonStepState state;
    state.chosen = std::clamp(parts[0].toInt(), -1, 5);
    state.tries = std::max(parts[1].toInt(), 0);
    state.hints = std::clamp(parts[2].toInt(), 0, 100);
    state.done = parts[3].toInt() == 1;
    return state;
}

double cursorOf(const Document &document, const std::string &name)
{
    const auto line = document.timeline();
    const Graph &graph = document.model()->graph();
    for (std::size_t i = 0; i < line->op.size(); ++i)
        if (name == "peak" ? i == line->peakSample : graph.op(line->op[i]).name == name)
            return (line->startUs[i] + line->endUs[i]) / 2;
    return -1;
}

} // namespace

LessonRun::LessonRun(Session &session, LessonWindow window, QObject *parent)
    : QObject(parent), m_session(session), m_window(std::move(window))
{
    Document &document = session.document;
    for (const auto signal : {&Document::budgetChanged, &Document::currentPlanChanged, &Document::selectionChanged,
                              &Document::cursorChanged, &Document::pinsChanged})
        connect(&document, signal, this, &LessonRun::look);
    // Behind the window's own work on the new model.
    connect(&session.loader, &ModelLoader::opened, this, &LessonRun::apply, Qt::QueuedConnection);
}

void LessonRun::start(Lesson lesson, int step)
{
    m_lesson = std::move(lesson);
    m_states = kept(*m_lesson);
    appendReturning();
    const int last = static_cast<int>(m_lesson->steps.size()) - 1;
    if (step < 0) {
        step = QSettings().value(keyOf(toQString(m_lesson->name), "step"), 0).toInt();
        if (step >= last) step = 0;
    }
    go(step);
}

void LessonRun::end()
{
    if (!m_lesson) return;
    keep();
    const bool finished = isLast();
    m_lesson.reset();
    m_pending.reset();
    Q_EMIT ended(finished);
}

void LessonRun::next()
{
    if (current().kind == LessonStepKind::Read) m_states[static_cast<std::size_t>(m_step)].done = true;
    if (isLast()) {
        end();
        return;
    }
    ++m_step;
    keep();
    const LessonScene whole = sceneAt(*m_lesson, static_cast<std::size_t>(m_step));
    LessonScene scene = current().scene; // what the person did in the step before stays where the step says nothing
    scene.model = whole.model;
    if (scene.views.empty()) scene.views = whole.views;
    show(scene);
}

void LessonRun::back()
{
    if (m_step > 0) go(m_step - 1);
}

void LessonRun::go(int step)
{
    m_step = std::clamp(step, 0, static_cast<int>(m_lesson->steps.size()) - 1);
    keep();
    show(sceneAt(*m_lesson, static_cast<std::size_t>(m_step)));
}

void LessonRun::choose(int choice)
{
    LessonStepState &state = m_states[static_cast<std::size_t>(m_step)];
    const bool again = current().kind == LessonStepKind::Question && state.chosen != current().question.answer;
    if (state.chosen >= 0 && !again) return;
    state.chosen = choice;
    ++state.tries;
    state.done = current().kind == LessonStepKind::Predict || choice == current().question.answer;
    if (current().recall) noteAnswer(state);
    keep();
    Q_EMIT changed();
    if (state.done) light(current().question.lights);
}

void LessonRun::hint()
{
    LessonStepState &state = m_states[static_cast<std::size_t>(m_step)];
    if (state.hints >= static_cast<int>(current().task.hints.size())) return;
    ++state.hints;
    keep();
    Q_EMIT changed();
}

void LessonRun::look()
{
    if (!m_lesson || m_pending || current().kind != LessonStepKind::Task || state().done) return;
    LessonSituation now;
    const Document &document = m_session.document;
    const auto model = document.model();
    const auto plan = document.currentPlan();
    now.model = model.get();
    now.plan = plan.get();
    now.budgetBytes = document.budgetBytes();
    now.pins = document.pins();
    now.selection = document.selection();
    now.cursorUs = document.cursorUs();
    for (const QString &view : m_window.views())
        now.views.push_back(view.toStdString());
    if (!isDone(current().task.done, now)) return;
    m_states[static_cast<std::size_t>(m_step)].done = true;
    keep();
    Q_EMIT changed();
}

void LessonRun::show(const LessonScene &scene)
{
    m_pending = scene;
    const QString path = toQString(lessonModelPath(*m_lesson, scene.model).string());
    Q_EMIT changed();
    m_window.open(path, {});
    if (!m_session.loader.running()) apply(); // its model is open already
}

void LessonRun::apply()
{
    if (!m_lesson || !m_pending || !m_session.document.model()) return;
    const QString path = toQString(lessonModelPath(*m_lesson, m_pending->model).string());
    if (QFileInfo(m_session.loader.modelPath()) != QFileInfo(path)) return;
    const LessonScene scene = *m_pending;
    Document &document = m_session.document;
    const auto model = document.model();
    if (scene.clearPins) document.setPins({});
    if (!scene.budget.empty())
        if (const auto bytes = parseBudget(scene.budget, model->keepAllPeakBytes)) document.moveBudget(*bytes);
    if (!scene.budget.empty() && scene.planner.empty()) m_session.quick.refresh(); // also where the budget is the same
    if (!scene.planner.empty()) {
        m_session.quick.cancel(); // its plan would come after the one that is asked for
        SolveSettings settings;
        settings.planner = scene.planner;
        settings.options = {scene.options.begin(), scene.options.end()};
        m_session.solver.solve(settings);
    }
    if (!select(scene.select) && scene.clearPins) // the whole scene: a step that was jumped to
        document.clearSelection();
    if (!scene.cursor.empty()) document.setCursor(cursorOf(document, scene.cursor));
    m_window.arrange(scene);
    m_pending.reset();
    Q_EMIT changed();
}

bool LessonRun::select(const std::string &name)
{
    Document &document = m_session.document;
    const Graph &graph = document.model()->graph();
    if (const OpId op = opNamed(graph, name))
        document.selectOp(op);
    else if (const StorageId storage = storageNamed(graph, name))
        document.selectStorage(storage);
    else
        return false;
    return true;
}

void LessonRun::light(const LessonLights &lights)
{
    if (!m_session.document.model()) return;
    select(lights.select);
    if (!lights.cursor.empty()) m_session.document.setCursor(cursorOf(m_session.document, lights.cursor));
    if (!lights.view.empty()) m_window.light(toQString(lights.view));
}

void LessonRun::appendReturning()
{
    m_returning.clear();
    const QString own = toQString(m_lesson->name);
    for (const QString &key : QSettings().value(returningKey()).toStringList()) {
        const QString name = key.section(QLatin1Char(':'), 0, 0);
        const auto step = static_cast<std::size_t>(key.section(QLatin1Char(':'), 1).toInt() - 1);
        if (name == own) continue;
        const auto other = readLesson(m_lesson->path.parent_path() / (name.toStdString() + ".json"),
                                      translationLanguage().toStdString());
        if (!other || step >= other->steps.size() || !other->steps[step].recall) continue;
        m_returning.push_back({key, toQString(other->title)});
        m_lesson->steps.push_back(withItsFigures(*other, other->steps[step]));
        m_states.emplace_back();
    }
}

QString LessonRun::comesFrom() const
{
    const auto own = m_states.size() - m_returning.size();
    const auto step = static_cast<std::size_t>(m_step);
    return step < own ? QString() : m_returning[step - own].lesson;
}

void LessonRun::noteAnswer(const LessonStepState &state)
{
    const auto own = m_states.size() - m_returning.size();
    const auto step = static_cast<std::size_t>(m_step);
    const QString key = step < own ? QStringLiteral("%1:%2").arg(toQString(m_lesson->name)).arg(m_step + 1)
                                   : m_returning[step - own].key;
    QSettings settings;
    QStringList keys = settings.value(returningKey()).toStringList();
    if (!state.done && !keys.contains(key)) keys << key;
    if (state.done && state.tries == 1) keys.removeAll(key);
    settings.setValue(returningKey(), keys);
}

void LessonRun::keep() const
{
    QSettings settings;
    const QString name = toQString(m_lesson->name);
    QStringList states;
    for (std::size_t i = 0; i + m_returning.size() < m_states.size(); ++i)
        states << written(m_states[i]);
    settings.setValue(keyOf(name, "step"), m_step);
    settings.setValue(keyOf(name, "states"), states);
}

std::vector<LessonStepState> LessonRun::kept(const Lesson &lesson)
{
    std::vector<LessonStepState> result(lesson.steps.size());
    const QStringList states = QSettings().value(keyOf(toQString(lesson.name), "states")).toStringList();
    if (states.size() != static_cast<qsizetype>(result.size())) return result; // the lesson has changed since
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = readState(states[static_cast<qsizetype>(i)]);
        result[i].hints = std::min(result[i].hints, static_cast<int>(lesson.steps[i].task.hints.size()));
        if (result[i].chosen >= static_cast<int>(lesson.steps[i].question.choices.size())) result[i] = {};
    }
    return result;
}

double LessonRun::walked(const Lesson &lesson)
{
    const std::vector<LessonStepState> states = kept(lesson);
    const auto done =
        std::count_if(states.begin(), states.end(), [](const LessonStepState &state) { return state.done; });
    return static_cast<double>(done) / static_cast<double>(std::max<std::size_t>(states.size(), 1));
}

} // namespace remat::studio
