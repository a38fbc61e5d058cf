// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/start_up.h"

#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/exports/exports.h"
#include "app/studio/shell/stories/stories.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/window/window_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plan/planner_box.h"
#include "core/base/budget.h"
#include "core/base/nearest.h"

#include <QApplication>
#include <QKeyEvent>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

constexpr int kLookMs = 50;
constexpr int kQuietMs = 150;        ///< what a step began in the background has begun by then
constexpr int kPictureQuietMs = 700; ///< and animations are over

const std::array<QString, 7> &verbs()
{
    static const std::array<QString, 7> all = {
        QStringLiteral("planner"), QStringLiteral("set"),  QStringLiteral("budget"),   QStringLiteral("select"),
        QStringLiteral("step"),    QStringLiteral("type"), QStringLiteral("animation")};
    return all;
}

QString quoted(const QString &text)
{
    return QStringLiteral("“%1”").arg(text);
}

} // namespace

StartUp::StartUp(MainWindow &window) : QObject(&window), m_window(window)
{
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &StartUp::look);
}

QString StartUp::refusal(const QStringList &steps) const
{
    for (const QString &step : steps) {
        const QString verb = step.section(QLatin1Char('='), 0, 0);
        if (step.contains(QLatin1Char('=')) && std::find(verbs().begin(), verbs().end(), verb) != verbs().end())
            continue;
        if (m_window.commands().find(step)) continue;
        std::vector<std::string> known;
        for (const Commands::Item &item : m_window.commands().items())
            known.push_back(item.action->objectName().toStdString());
        for (const QString &each : verbs())
            known.push_back(each.toStdString() + '=');
        return tr("There is no command %1. Did you mean %2?")
            .arg(quoted(step), toQString(nearestName(known, step.toStdString())));
    }
    return {};
}

void StartUp::start(const QStringList &steps, const QString &picture)
{
    m_steps = steps;
    m_picture = picture;
    m_quiet.start();
    m_timer.start();
}

void StartUp::look()
{
    if (!m_window.idle()) m_quiet.restart();
    if (m_quiet.elapsed() < (m_steps.isEmpty() && !m_picture.isEmpty() ? kPictureQuietMs : kQuietMs)) return;
    m_quiet.restart();
    if (!m_steps.isEmpty()) {
        const QString why = run(m_steps.takeFirst());
        if (why.isEmpty()) return;
        m_timer.stop();
        Q_EMIT refused(why);
        return;
    }
    m_timer.stop();
    const bool written = m_picture.isEmpty() || windowPicture(m_window).save(m_picture);
    Q_EMIT ended(written ? QString() : tr("%1 cannot be written.").arg(m_picture));
}

QString StartUp::run(const QString &step)
{
    const QString verb = step.section(QLatin1Char('='), 0, 0);
    const QString value = step.section(QLatin1Char('='), 1);
    QAction *action = m_window.commands().find(step);
    if (action && !action->isEnabled()) return tr("%1 is not possible here.").arg(quoted(step));
    if (action) {
        action->trigger();
        return {};
    }
    if (verb == QLatin1String("type")) {
        QWidget *target = QApplication::focusWidget();
        if (!target) return tr("Nothing has the keyboard, so %1 cannot be typed.").arg(quoted(value));
        for (const QChar letter : value)
            for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
                const int key = letter.unicode() < 0x80 ? letter.toUpper().unicode() : 0;
                QKeyEvent event(type, key, Qt::NoModifier, letter);
                QCoreApplication::sendEvent(target, &event);
            }
        return {};
    }
    if (!m_window.session().document.model()) return tr("%1 needs an open model.").arg(quoted(step));
    if (verb == QLatin1String("animation")) return animate(value);
    if (verb == QLatin1String("planner")) return setPlanner(value);
    if (verb == QLatin1String("set")) return setOption(value);
    if (verb == QLatin1String("budget")) return setBudget(value);
    return verb == QLatin1String("step") ? goToStep(value) : select(value);
}

QString StartUp::setPlanner(const QString &name)
{
    const auto planner = findPlanner(name.toStdString());
    if (!planner) return toQString(planner.error().message);
    m_window.workspace()->planPanel()->setPlanner(name.toStdString());
    return {};
}

QString StartUp::setOption(const QString &keyAndValue)
{
    PlannerBox *box = m_window.workspace()->planPanel()->plannerBox();
    const std::string key = keyAndValue.section(QLatin1Char('='), 0, 0).toStdString();
    const std::string value = keyAndValue.section(QLatin1Char('='), 1).toStdString();
    const Expected<void> set = box->setOption(key, value);
    return set ? QString() : toQString(set.error().message);
}

QString StartUp::setBudget(const QString &text)
{
    const auto bytes = parseBudget(text.toStdString(), m_window.session().document.model()->keepAllPeakBytes);
    if (!bytes) return toQString(bytes.error().message);
    m_window.setBudget(*bytes);
    return {};
}

QString StartUp::select(const QString &name)
{
    Session &session = m_window.session();
    GraphView &view = *m_window.workspace()->graph();
    const Graph &graph = session.document.model()->graph();
    const OpLabels labels(graph);
    std::vector<std::string> known;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const QString label = labels.op(graph, OpId(i));
        if (name == label || name == toQString(graph.ops[i].name)) {
            view.reveal(OpId(i));
            return {};
        }
        known.push_back(label.toStdString());
    }
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        const Storage &storage = graph.storages[i];
        if (!storage.producer || (name != labels.storage(graph, StorageId(i)) && name != toQString(storage.name)))
            continue;
        view.reveal(storage.producer);
        session.document.selectStorage(StorageId(i));
        return {};
    }
    const ClusterTree &modules = session.document.model()->open->modules;
    for (std::size_t i = 0; i < modules.clusters.size(); ++i) {
        const std::string &path = modules.clusters[i].path;
        if (name == toQString(path)) {
            view.revealPath(name);
            return {};
        }
        known.push_back(path);
    }
    return tr("The model has nothing called %1. Did you mean %2?")
        .arg(quoted(name), quoted(toQString(nearestName(known, name.toStdString()))));
}

QString StartUp::goToStep(const QString &number)
{
    Document &document = m_window.session().document;
    const MemoryTimeline &timeline = *document.timeline();
    bool isNumber = false;
    const int step = number.toInt(&isNumber);
    const int last = timeline.step.empty() ? -1 : timeline.step.back();
    if (!isNumber || step < 0 || step > last)
        return tr("There is no step %1. The steps are 0 to %2.").arg(quoted(number)).arg(last);
    const auto after = std::upper_bound(timeline.step.begin(), timeline.step.end(), step);
    const auto sample = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - timeline.step.begin() - 1, 0));
    document.setCursor((timeline.startUs[sample] + timeline.endUs[sample]) / 2);
    return {};
}

QString StartUp::animate(const QString &file)
{
    Stories &stories = m_window.stories();
    return stories.window() ? stories.exportAnimation(file) : m_window.exports().exportAnimation(file);
}

} // namespace remat::studio
