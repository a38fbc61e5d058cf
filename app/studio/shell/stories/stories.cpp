#include "app/studio/shell/stories/stories.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/stories/story_window.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/work/session/session.h"
#include "core/base/file.h"
#include "solvers/record.h"

#include <QDir>
#include <QMainWindow>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr double kMostSeconds = 20;

/// Options of a recording that differ from the planner's own: few moves, which one can follow.
std::map<std::string, std::string> shortOptions(const std::string &planner)
{
    return planner == "search" ? std::map<std::string, std::string>{{"moves", "2"}}
                               : std::map<std::string, std::string>{};
}

} // namespace

Stories::Stories(const FeatureHost &host) : QObject(host.owner), m_host(host), m_recording(host.session.pool)
{
    setObjectName(QStringLiteral("stories"));
    int key = Qt::Key_1;
    for (const std::string &name : tellingPlanners()) {
        const QString title = toQString((*findPlanner(name))->info().title);
        CommandSpec spec;
        spec.id = QStringLiteral("story.") + toQString(name);
        spec.section = Section::Plan;
        spec.text = tr("How %1 plans…").arg(title);
        spec.icon = QStringLiteral("lightbulb");
        spec.group = tr("How planners think");
        spec.keys = {QKeySequence(static_cast<int>(Qt::CTRL | Qt::ALT | Qt::SHIFT) | key++)};
        spec.tooltip =
            tr("Plans the open model with %1 and plays what it did, frame by frame; for small graphs").arg(title);
        QAction *action = host.commands.add(spec);
        connect(action, &QAction::triggered, this, [this, name] { record(toQString(name)); });
        m_actions << action;
    }
    const auto enable = [this] {
        for (QAction *action : m_actions)
            action->setEnabled(m_host.session.document.model() != nullptr && !m_recording.running());
    };
    connect(&host.session.document, &Document::modelChanged, this, enable);
    connect(&m_recording, &JobTracker::runningChanged, this, enable);
    enable();
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
        auto options = makeOptions(chosen->info().options, shortOptions(chosen->info().name));
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
    light(m_window->story().frames.front());
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
    question.filters = {tr("Stories (*.json)")};
    question.folderKey = QStringLiteral("stories");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("json");
    question.name = toQString(m_window->story().planner) + QStringLiteral("-story.json");
    const std::string text = storyText(m_window->story());
    askWhereToSave(m_window, question, [this, text](const QString &path) {
        const auto written = writeFileAtomically(toPath(path), text);
        m_host.say(written ? Notice::news(tr("The story is in %1.").arg(path))
                           : Notice::failure(toQString(written.error().message)));
    });
}

} // namespace remat::studio
