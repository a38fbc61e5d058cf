// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/lessons.h"

#include "app/studio/base/style/translation.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/lessons/class_page.h"
#include "app/studio/shell/lessons/glossary.h"
#include "app/studio/shell/lessons/lesson_list.h"
#include "app/studio/shell/lessons/lesson_panel.h"
#include "app/studio/shell/lessons/lit_frame.h"
#include "app/studio/shell/lessons/word_hints.h"
#include "app/studio/shell/stories/stories.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/shell/workspace/view_list.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/work/lessons/lesson_progress.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/teaching/lessons/lesson_json.h"
#include "core/teaching/puzzles/puzzle_json.h"

#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

constexpr int kWidth = 344;
constexpr int kNarrow = 1400; ///< as of the workspace: below, a panel more has no room beside the views

const ViewSpec *specOf(const QString &id)
{
    const auto &specs = viewSpecs();
    const auto found = std::find_if(specs.begin(), specs.end(), [&id](const ViewSpec &spec) { return spec.id == id; });
    return found == specs.end() ? nullptr : &*found;
}

std::string language()
{
    return translationLanguage().toStdString();
}

constexpr std::array kPlaces = {Workspace::Area::Center, Workspace::Area::Second, Workspace::Area::Bottom,
                                Workspace::Area::Right};

/// The file that a name on the command line means.
QString fileOf(const QString &lesson)
{
    if (QFileInfo(lesson).isFile()) return lesson;
    return toQString((resourceDir() / "lessons" / (lesson.toStdString() + ".json")).string());
}

} // namespace

Lessons::Lessons(const FeatureHost &host, Stories &stories,
                 std::function<void(const QString &path, const QString &title)> open)
    : QObject(host.owner),
      m_host(host),
      m_stories(stories),
      m_run(host.session, LessonWindow{std::move(open), [this] { return views(); },
                                       [this](const LessonScene &scene) { arrange(scene); },
                                       [this](const QString &view) { light(view); }}),
      m_panel(new LessonPanel(m_run)),
      m_dock(new QDockWidget(tr("Lesson"), host.window)),
      m_cut(host.session.pool)
{
    setObjectName(QStringLiteral("lessons"));
    m_dock->setObjectName(QStringLiteral("lessonDock"));
    m_dock->setTitleBarWidget(new QWidget); // the panel has its own
    m_dock->setFeatures(QDockWidget::DockWidgetMovable);
    m_dock->setWidget(m_panel);
    m_host.window->addDockWidget(Qt::RightDockWidgetArea, m_dock);
    m_dock->hide();
    addCommands();
    connect(m_panel, &LessonPanel::listWanted, this, &Lessons::showList);
    connect(&m_run, &LessonRun::changed, this, [this] {
        for (QAction *action : m_keys)
            action->setEnabled(m_run.running());
    });
    connect(&m_run, &LessonRun::ended, this, [this](bool finished) {
        leave();
        if (finished) showList();
    });
    for (const auto area : kPlaces)
        connect(m_host.workspace.area(area), &ViewArea::currentChanged, &m_run, &LessonRun::look);
    connect(&m_host.workspace, &Workspace::presetUsed, this, &Lessons::placePanel);
    connect(&m_host.workspace, &Workspace::presetAsked, this, [this](const QString &id) {
        if (id != QLatin1String("learn"))
            closeList();
        else if (!m_run.running())
            showList();
    });
    connect(new WordHints(host, m_panel), &WordHints::wanted, this, &Lessons::start);
}

void Lessons::addCommands()
{
    QAction *list = m_host.commands.add({QStringLiteral("lessons"),
                                         Section::Help,
                                         tr("Lessons…"),
                                         QStringLiteral("graduation-cap"),
                                         {Qt::CTRL | Qt::SHIFT | Qt::Key_L},
                                         tr("Learn rematerialization by doing it, step by step")});
    connect(list, &QAction::triggered, this, &Lessons::showList);
    QAction *glossary = m_host.commands.add({QStringLiteral("glossary"),
                                             Section::Help,
                                             tr("Glossary"),
                                             QStringLiteral("search"),
                                             {Qt::ALT | Qt::SHIFT | Qt::Key_G},
                                             tr("Words in a sentence each, and the lesson's step that shows them")});
    connect(glossary, &QAction::triggered, this, &Lessons::showGlossary);
    QAction *lecturers = m_host.commands.add({QStringLiteral("lecturers"),
                                              Section::Help,
                                              tr("For lecturers"),
                                              QStringLiteral("monitor"),
                                              {Qt::ALT | Qt::SHIFT | Qt::Key_F1},
                                              tr("A class of 45 and one of 90 minutes: what to click, what students "
                                                 "will ask")});
    connect(lecturers, &QAction::triggered, this, &Lessons::showClassPage);
    const auto add = [this](const char *id, const QString &text, const char *icon, QKeySequence key,
                            const QString &tooltip, auto work) {
        QAction *action =
            m_host.commands.add({QLatin1String(id), Section::Help, text, QLatin1String(icon), {key}, tooltip});
        action->setEnabled(false);
        m_keys << action;
        connect(action, &QAction::triggered, &m_run, work);
    };
    add("lesson.next", tr("Next step of the lesson"), "chevron-right", Qt::ALT | Qt::SHIFT | Qt::Key_Right,
        tr("Goes on; after the last step the lesson ends"), &LessonRun::next);
    add("lesson.back", tr("Step of the lesson before"), "chevron-left", Qt::ALT | Qt::SHIFT | Qt::Key_Left,
        tr("Goes back, with the state that the step had"), &LessonRun::back);
    add("lesson.hint", tr("Hint of the lesson"), "lightbulb", Qt::ALT | Qt::SHIFT | Qt::Key_H,
        tr("Each hint is more concrete than the one before"), [this] { m_run.hint(); });
    add("lesson.focus", tr("Keyboard to the lesson"), "keyboard", Qt::ALT | Qt::SHIFT | Qt::Key_L,
        tr("Then the keys 1 to 6 choose an answer"), [this] { m_panel->setFocus(Qt::ShortcutFocusReason); });
    add("lesson.end", tr("End the lesson"), "x", Qt::ALT | Qt::SHIFT | Qt::Key_E,
        tr("It goes on from here the next time"), &LessonRun::end);
}

bool Lessons::start(const QString &name, int step)
{
    auto lesson = readLesson(fileOf(name).toStdString(), language());
    if (!lesson) {
        Notice notice;
        notice.sentence = toQString(lesson.error().message);
        m_host.say(notice);
        return false;
    }
    m_run.start(std::move(*lesson), step - 1);
    return true;
}

void Lessons::closeList()
{
    if (auto *open = m_host.window->findChild<LessonList *>(QString(), Qt::FindDirectChildrenOnly)) open->close();
}

void Lessons::showList()
{
    closeList();
    auto *list = new LessonList(readLessons(language()), m_host.window);
    list->setAttribute(Qt::WA_DeleteOnClose);
    connect(list, &LessonList::wanted, this, [this](const QString &path) { start(path); });
    connect(list, &LessonList::glossaryWanted, this, &Lessons::showGlossary);
    connect(list, &LessonList::puzzlesWanted, m_host.commands.find(QStringLiteral("puzzles")), &QAction::trigger);
    connect(list, &LessonList::storiesWanted, m_host.commands.find(QStringLiteral("stories")), &QAction::trigger);
    connect(list, &LessonList::progressWanted, this, &Lessons::askForProgress);
    connect(list, &LessonList::classPageWanted, this, &Lessons::showClassPage);
    list->show();
}

void Lessons::showGlossary()
{
    auto *glossary = new Glossary(readLessons(language()), m_host.window);
    glossary->setAttribute(Qt::WA_DeleteOnClose);
    connect(glossary, &Glossary::wanted, this, &Lessons::start);
    glossary->show();
}

void Lessons::showClassPage()
{
    auto *page = m_host.window->findChild<ClassPage *>(QString(), Qt::FindDirectChildrenOnly);
    if (!page) {
        page = new ClassPage(m_host.window);
        page->setAttribute(Qt::WA_DeleteOnClose);
        connect(page, &ClassPage::wanted, this, &Lessons::start);
    }
    page->show();
    page->raise();
}

void Lessons::askForProgress()
{
    FileQuestion question;
    question.title = tr("Save the progress in lessons");
    question.filters = {tr("Progress (*.json)"), tr("Table (*.csv)")};
    question.folderKey = QStringLiteral("progress");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("json");
    question.name = QStringLiteral("progress.json");
    askWhereToSave(m_host.window, question, [this](const QString &path) { saveProgress(path); });
}

void Lessons::saveProgress(const QString &path)
{
    const bool table = path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    const QByteArray text = table ? progressCsv(readLessons(language()), readPuzzles())
                                  : progressJson(readLessons(language()), readPuzzles());
    const auto written = writeFileAtomically(path.toStdString(), text.toStdString());
    Notice notice;
    notice.kind = written ? Notice::Kind::Done : Notice::Kind::Error;
    notice.sentence = written ? tr("The progress is in %1.").arg(path) : toQString(written.error().message);
    m_host.say(notice);
}

void Lessons::arrange(const LessonScene &scene)
{
    Workspace &workspace = m_host.workspace;
    const Graph &graph = m_host.session.document.model()->graph();
    if (!m_before) m_before = workspace.preset();
    if (!scene.views.empty()) {
        Preset preset;
        preset.id = QStringLiteral("lesson");
        preset.left = preset.bottom = preset.right = false;
        preset.player = scene.player;
        for (const std::string &each : scene.views) {
            const QString id = toQString(each);
            const ViewSpec *spec = specOf(id);
            if (!spec) continue;
            if (spec->side == ViewSide::Center) preset.centerView = id;
            if (spec->side == ViewSide::Bottom) preset.bottomView = id, preset.bottom = true;
            if (spec->side == ViewSide::Right) preset.rightView = id, preset.right = true;
        }
        workspace.usePreset(preset);
        workspace.showNamed();
        QAction *player = m_host.commands.find(QStringLiteral("stepPlayer"));
        if (player && player->isChecked() != scene.player) player->trigger();
    }
    if (!scene.planner.empty()) workspace.planPanel()->setPlanner(scene.planner);
    if (const OpId op = opNamed(graph, scene.select)) workspace.graph()->reveal(op);
    showCut(scene.cut);
    m_stories.close(); // the step before had one
    if (QAction *story = m_host.commands.find(QStringLiteral("story.") + toQString(scene.story))) story->trigger();
    placePanel();
}

void Lessons::light(const QString &view)
{
    Workspace &workspace = m_host.workspace;
    workspace.showView(view);
    delete m_host.window->findChild<LitFrame *>();
    for (const auto place : kPlaces)
        if (ViewArea *area = workspace.area(place); area->current() == view && area->isVisible()) new LitFrame(area);
}

void Lessons::showCut(bool shown)
{
    m_cut.cancel();
    MemoryCanvas *canvas = m_host.workspace.memory()->canvas();
    canvas->showCut({});
    const Document &document = m_host.session.document;
    if (!shown || !document.model()) return;
    m_cut.start(
        [model = document.model(), budget = document.budgetBytes()](const Job &job) {
            return cutSums(model->graph(), *model->costs, budget, [&job] { return job.stop().stopRequested(); });
        },
        [canvas](const CutSums &cut) { canvas->showCut(cut); });
}

void Lessons::placePanel()
{
    const bool shown = m_run.running() && m_shown;
    m_dock->setVisible(shown);
    if (!shown) return;
    QDockWidget *right = m_host.workspace.rightDock();
    QMainWindow *window = m_host.window;
    if (!right->isHidden() && window->width() < kNarrow) { // side by side they would leave the views no room
        window->splitDockWidget(m_dock, right, Qt::Vertical);
        window->resizeDocks({m_dock, right}, {3, 2}, Qt::Vertical);
    } else {
        window->splitDockWidget(right, m_dock, Qt::Horizontal);
    }
    window->resizeDocks({m_dock}, {kWidth}, Qt::Horizontal);
}

void Lessons::setShown(bool shown)
{
    m_shown = shown;
    placePanel();
}

void Lessons::leave()
{
    m_stories.close();
    showCut(false);
    for (QAction *action : m_keys)
        action->setEnabled(false);
    m_dock->hide();
    if (m_before) m_host.workspace.usePreset(*std::exchange(m_before, {}));
}

QStringList Lessons::views() const
{
    QStringList ids;
    const Workspace &workspace = m_host.workspace;
    ids << workspace.area(Workspace::Area::Center)->current();
    if (!workspace.area(Workspace::Area::Second)->isHidden()) ids << workspace.area(Workspace::Area::Second)->current();
    if (!workspace.bottomDock()->isHidden()) ids << workspace.area(Workspace::Area::Bottom)->current();
    if (!workspace.rightDock()->isHidden()) ids << workspace.area(Workspace::Area::Right)->current();
    return ids;
}

} // namespace remat::studio
