// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/stories/stories.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/exports/animation.h"
#include "app/studio/shell/stories/story_list.h"
#include "app/studio/shell/stories/story_window.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "solvers/uses/record.h"

#include <QDir>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>
#include <utility>

namespace remat::studio {

namespace {

constexpr double kMostSeconds = 60; ///< small graphs take a moment; a busy machine takes longer
constexpr int kAnimationMs = 700;   ///< time of one frame
constexpr int kEdge = 12;
constexpr QLatin1String kAnimated(".png");

/// A graph of the lessons, and a budget at which the planner has something to show.
struct Stage {
    const char *graph;
    double share; ///< share of keep-all's peak
};

Stage stageOf(const QString &planner)
{
    if (planner == QLatin1String("rotor")) return {"uneven8.json", 0.6};
    if (planner == QLatin1String("checkmate")) return {"skip9.json", 0.55};
    return {"two_towers.json", 0.6};
}

QString stagePath(const QString &planner)
{
    return toQString((resourceDir() / "lessons" / "graphs" / stageOf(planner).graph).string());
}

QString whatThereIsToSee(const std::string &planner)
{
    if (planner == "rotor") return Stories::tr("Fills a table: the least time of every part of a chain");
    if (planner == "checkmate") return Stories::tr("Best plan and bound close in on each other: branch and cut");
    if (planner == "search") return Stories::tr("Drops what is large and quick to make, then tries small moves");
    if (planner == "dtr") return Stories::tr("Throws out the lowest score whenever memory is full");
    return toQString((*findPlanner(planner))->info.text);
}

/// Options of a recording that differ from the planner's own: few moves, which one can follow.
std::map<std::string, std::string> shortOptions(const std::string &planner)
{
    return planner == "search" ? std::map<std::string, std::string>{{"moves", "2"}}
                               : std::map<std::string, std::string>{};
}

} // namespace

Stories::Stories(const FeatureHost &host, std::function<void(const QString &path)> open)
    : QObject(host.owner), m_host(host), m_open(std::move(open)), m_recording(host.session.pool)
{
    setObjectName(QStringLiteral("stories"));
    addCommands();
    addToPlanPanel();
    const auto enable = [this] {
        for (QAction *action : m_actions)
            action->setEnabled(m_host.session.document.model() != nullptr && !m_recording.running());
    };
    connect(&host.session.document, &Document::modelChanged, this, enable);
    connect(&m_recording, &JobTracker::runningChanged, this, enable);
    // Behind the window's own work on the new model.
    connect(&host.session.loader, &ModelLoader::opened, this, &Stories::recordOpened, Qt::QueuedConnection);
    enable();
}

void Stories::addCommands()
{
    int key = Qt::Key_1;
    for (const std::string &name : tellingPlanners()) {
        const QString title = toQString((*findPlanner(name))->info.title);
        CommandSpec spec;
        spec.id = QStringLiteral("story.") + toQString(name);
        spec.section = Section::Plan;
        spec.text = tr("How %1 plans…").arg(title);
        spec.icon = QStringLiteral("lightbulb");
        spec.group = tr("How planners think");
        spec.keys = {QKeySequence(static_cast<int>(Qt::CTRL | Qt::ALT | Qt::SHIFT) | key++)};
        spec.tooltip =
            tr("Plans the open model with %1 and plays what it did, frame by frame; for small graphs").arg(title);
        QAction *action = m_host.commands.add(spec);
        connect(action, &QAction::triggered, this, [this, name] { record(toQString(name)); });
        m_actions << action;
    }
    QAction *list = m_host.commands.add({QStringLiteral("stories"),
                                         Section::Help,
                                         tr("How planners think…"),
                                         QStringLiteral("lightbulb"),
                                         {Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_0},
                                         tr("Rotor, Checkmate, the search and DTR at work, frame by frame")});
    connect(list, &QAction::triggered, this, &Stories::showList);
}

void Stories::addToPlanPanel()
{
    PlanPanel *panel = m_host.workspace.planPanel();
    auto *button = new StudioButton(tr("See how this planner thinks"), QStringLiteral("lightbulb"), ButtonKind::Quiet);
    button->setObjectName(QStringLiteral("tellPlanner"));
    button->setToolTip(tr("Plays what it does, frame by frame: on this graph where it is small, else on a small one"));
    button->setFlush(true);
    button->setFixedHeight(26);
    const auto showIt = [panel, button] {
        const std::vector<std::string> telling = tellingPlanners();
        button->setVisible(std::find(telling.begin(), telling.end(), panel->settings().planner) != telling.end());
    };
    connect(panel->plannerBox(), &PlannerBox::stateChanged, button, showIt);
    connect(button, &QAbstractButton::clicked, this, [this, panel] {
        const QString planner = toQString(panel->settings().planner);
        if (suits())
            record(planner);
        else
            recordOnSmallGraph(planner);
    });
    panel->addSection(PlanPanel::Section::Decisions, button);
    showIt();
}

bool Stories::suits() const
{
    const Document &document = m_host.session.document;
    const auto model = document.model();
    return model && model->graph().ops.size() <= kMostStoryOps && document.pins().empty() &&
           document.budgetBytes() < model->keepAllPeakBytes;
}

void Stories::showList()
{
    const std::vector<std::string> telling = tellingPlanners();
    std::vector<StoryRow> rows;
    rows.reserve(telling.size());
    for (const std::string &name : telling)
        rows.push_back({toQString(name), toQString((*findPlanner(name))->info.title), whatThereIsToSee(name)});
    auto *list = new StoryList(rows, m_host.window);
    list->setAttribute(Qt::WA_DeleteOnClose);
    connect(list, &StoryList::wanted, this, &Stories::recordOnSmallGraph, Qt::QueuedConnection);
    list->show();
}

void Stories::recordOnSmallGraph(const QString &planner)
{
    m_wanted = planner;
    m_open(stagePath(planner));
    if (!m_host.session.loader.running()) recordOpened(); // it is open already
}

void Stories::recordOpened()
{
    const auto model = m_host.session.document.model();
    if (m_wanted.isEmpty() || !model) return;
    const QString planner = std::exchange(m_wanted, {});
    if (QFileInfo(m_host.session.loader.modelPath()) != QFileInfo(stagePath(planner))) return; // another came
    m_host.session.document.setPins({});
    const double keepAllBytes = static_cast<double>(model->keepAllPeakBytes);
    m_host.session.document.moveBudget(static_cast<std::int64_t>(stageOf(planner).share * keepAllBytes));
    record(planner);
}

Stories::~Stories() = default;

StoryWindow *Stories::window() const
{
    return m_window;
}

void Stories::close()
{
    m_recording.cancel();
    if (m_window) m_window->close();
}

void Stories::open(const QString &path)
{
    auto story = readStory(toPath(path));
    if (!story) {
        m_host.say(Notice::failure(toQString(story.error().message)));
        return;
    }
    show(std::move(*story));
}

void Stories::record(const QString &planner)
{
    const Document &document = m_host.session.document;
    const auto model = document.model();
    const auto found = findPlanner(planner.toStdString());
    if (!model || !found) return;
    const auto work = [model, chosen = *found, budget = document.budgetBytes(),
                       pins = document.pins()](const Job &job) -> Expected<Story> {
        SolveRequest request;
        request.graph = &model->graph();
        request.costs = model->costs.get();
        request.budgetBytes = budget;
        request.pins = pins;
        auto options = makeOptions(chosen->info.options, shortOptions(chosen->info.name));
        if (!options) return tl::unexpected(options.error());
        request.options = std::move(*options);
        SolveContext context;
        context.stop = &job.stop();
        context.deadline = Deadline(kMostSeconds);
        auto recorded = solveAndRecord(*chosen, request, context);
        if (!recorded) return tl::unexpected(recorded.error());
        return std::move(recorded->story);
    };
    m_recording.start(work, [this](Expected<Story> story) {
        if (story)
            show(std::move(*story));
        else
            m_host.say(Notice::failure(toQString(story.error().message)));
    });
}

void Stories::show(Story story)
{
    if (m_window) m_host.workspace.graph()->setMatches({});
    delete m_window;
    m_window = new StoryWindow(std::move(story), m_host.window);
    m_window->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_window, &StoryWindow::frameShown, this,
            [this](int frame) { light(m_window->story().frames[static_cast<std::size_t>(frame)]); });
    connect(m_window, &StoryWindow::saveWanted, this, &Stories::askWhereToSaveIt);
    connect(m_window, &QDialog::finished, this, [this] { m_host.workspace.graph()->setMatches({}); });
    m_window->show();
    place();
    light(m_window->story().frames.front());
}

/// Over the lower part of the views: the graph above it lights up, and panels at the sides, such as a lesson's, are
/// free.
void Stories::place()
{
    QRect views;
    for (const auto area : {Workspace::Area::Center, Workspace::Area::Bottom})
        if (const ViewArea *each = m_host.workspace.area(area); each->isVisible())
            views |= QRect(each->mapToGlobal(QPoint(0, 0)), each->size());
    if (views.isEmpty()) return;
    const QSize least = m_window->minimumSizeHint();
    const QSize size(std::max(std::min(m_window->width(), views.width() - 2 * kEdge), least.width()),
                     std::max(std::min(m_window->height(), views.height() * 3 / 5), least.height()));
    m_window->resize(size);
    m_window->move(views.center().x() - size.width() / 2, views.bottom() - size.height() - kEdge);
}

QString Stories::exportAnimation(const QString &path)
{
    const auto written =
        writeFileAtomically(toPath(path), animatedPng(m_window->pictures(), kAnimationMs).toStdString());
    return written ? QString() : toQString(written.error().message);
}

QString Stories::save(const QString &path)
{
    if (path.endsWith(kAnimated, Qt::CaseInsensitive)) return exportAnimation(path);
    const auto written = writeFileAtomically(toPath(path), storyText(m_window->story()));
    return written ? QString() : toQString(written.error().message);
}

void Stories::light(const StoryFrame &frame)
{
    const auto model = m_host.session.document.model();
    if (!model || model->graph().fingerprint != m_window->story().fingerprint) return;
    const Graph &graph = model->graph();
    std::vector<OpId> ops;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        const auto isNamed = [&](StorageId made) {
            const auto &names = frame.storages;
            return std::find(names.begin(), names.end(), graph.storage(made).name) != names.end();
        };
        const bool named = std::find(frame.ops.begin(), frame.ops.end(), op.name) != frame.ops.end();
        if (named || std::any_of(op.outputs.begin(), op.outputs.end(), isNamed)) ops.emplace_back(i);
    }
    m_host.workspace.graph()->setMatches(ops.empty() ? std::nullopt : std::optional(ops));
}

void Stories::askWhereToSaveIt()
{
    FileQuestion question;
    question.title = tr("Save the story");
    question.filters = {tr("Stories (*.json)"), tr("Animated PNG (*.png)")};
    question.folderKey = QStringLiteral("stories");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("json");
    question.name = toQString(m_window->story().planner) + QStringLiteral("-story.json");
    askWhereToSave(m_window, question, [this](const QString &path) {
        const QString problem = save(path);
        m_host.say(problem.isEmpty() ? Notice::news(tr("The story is in %1.").arg(path)) : Notice::failure(problem));
    });
}

} // namespace remat::studio
