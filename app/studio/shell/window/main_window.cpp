// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/main_window.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/toast.h"
#include "app/studio/shell/exports/exports.h"
#include "app/studio/shell/help/about_window.h"
#include "app/studio/shell/help/keys_window.h"
#include "app/studio/shell/help/tracer_window.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/shell/puzzles/puzzles.h"
#include "app/studio/shell/reports/reports_window.h"
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/stories/stories.h"
#include "app/studio/shell/window/certificate_window.h"
#include "app/studio/shell/window/page_tabs.h"
#include "app/studio/shell/window/title_menu_bar.h"
#include "app/studio/shell/window/window_sessions.h"
#include "app/studio/shell/workspace/feature.h"
#include "app/studio/shell/workspace/status_line.h"
#include "app/studio/shell/workspace/tool_row.h"
#include "app/studio/shell/workspace/window_commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/shared/verdict.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/pages/plan_files.h"
#include "core/base/budget.h"
#include "core/io/certificate.h"
#include "core/io/file_kind.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace remat::studio {

namespace {

constexpr QSize kFirstSize(1600, 1000);
constexpr QSize kSmallestSize(640, 400); ///< 1280 × 800 at 200 %

/// The one local file of a drag, or nothing.
QString draggedFile(const QMimeData *data)
{
    const QList<QUrl> urls = data->urls();
    return !urls.isEmpty() && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

MainWindow::MainWindow(QWidget *parent)
    : QMainWindow(parent), m_session(std::make_unique<Session>()), m_commands(new Commands(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setMinimumSize(kSmallestSize);
    resize(kFirstSize);
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    addWindowCommands(*m_commands);
    m_workspace = new Workspace(this, *m_session, *m_commands, [this](const Notice &notice) { say(notice); });
    makeHead();
    makeCenter();
    m_status = new StatusLine(&m_session->document, this);
    makePages();
    m_pageTabs->setPages(m_pages.get(), m_commands);
    const FeatureHost host = {this,        m_features,   *m_session,
                              *m_commands, *m_workspace, *m_tools,
                              *m_status,   *m_pages,     [this](const Notice &notice) { say(notice); }};
    addFeatures(host);
    m_exports = new Exports(host);
    m_stories = new Stories(host, [this](const QString &path) { openFile(path); });
    m_lessons =
        new Lessons(host, *m_stories, [this](const QString &path, const QString &title) { openFile(path, title); });
    m_puzzles = new Puzzles(host);
    makeMenus();
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setFixedHeight(26);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(m_status, 1);
    wireCommands();
    wireJobs();
    wireViews();

    const QByteArray geometry = QSettings().value(QStringLiteral("window/geometry")).toByteArray();
    if (!geometry.isEmpty()) restoreGeometry(geometry);
    if (!m_session->loader.devices().empty()) m_session->previews.load(m_samples, m_session->loader.devices().front());
    if (!m_session->loader.deviceError().isEmpty()) say(Notice::failure(m_session->loader.deviceError()));
    showDocument();
    showActivity();
    m_startPage->focusFirst();
}

MainWindow::~MainWindow()
{
    // Whoever looks at the session goes before it.
    delete m_connections;
    delete m_features;
    delete m_workspace;
    qDeleteAll(findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly));
    delete takeCentralWidget();
    delete m_status;
    delete menuWidget();
}

void MainWindow::makeMenus()
{
    for (const Section section : Commands::sections()) {
        const bool used = std::any_of(m_commands->items().begin(), m_commands->items().end(),
                                      [section](const Commands::Item &item) { return item.section == section; });
        if (!used) continue;
        QMenu *menu = m_menuBar->addMenu(Commands::sectionTitle(section));
        menu->setToolTipsVisible(true);
        std::map<QString, QMenu *> groups = {{QString(), menu}};
        for (const Commands::Item &item : m_commands->items()) {
            if (item.section != section) continue;
            QMenu *&group = groups[item.group];
            if (!group) {
                group = menu->addMenu(item.group);
                group->setToolTipsVisible(true);
            }
            if (item.separatorBefore) group->addSeparator();
            group->addAction(item.action);
            if (item.action == m_commands->action(command::kOpen)) menu->addMenu(makeRecentMenu());
        }
        if (section != Section::File) continue;
        menu->addSeparator(); // what ends things stands last
        menu->addActions({m_commands->action(command::kCloseWindow), m_commands->action(command::kQuit)});
    }
}

void MainWindow::makeHead()
{
    auto *head = new QWidget(this);
    m_menuBar = new TitleMenuBar(this);
    auto *column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tools = new ToolRow(*m_session, *m_commands, head);
    column->addWidget(m_menuBar);
    column->addWidget(m_tools);
    m_pageTabs = new PageTabs(head);
    column->addWidget(m_pageTabs);
    setMenuWidget(head);
    connect(m_tools, &ToolRow::profileWanted, this, &MainWindow::chooseProfile);
}

void MainWindow::makeCenter()
{
    QString error;
    auto samples = readSamples();
    if (samples)
        m_samples = std::move(*samples);
    else
        error = toQString(samples.error().message);
    auto *center = new QWidget(this);
    auto *column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_activityBar = new ActivityBar(center);
    m_messages = new Toast(center);
    m_messages->setObjectName(QStringLiteral("windowMessages"));
    m_stack = new QStackedWidget(center);
    m_startPage = new StartPage(m_samples, error, *m_commands, m_stack);
    m_stack->addWidget(m_startPage);
    m_stack->addWidget(m_workspace->center());
    column->addWidget(m_activityBar);
    column->addWidget(m_stack, 1);
    setCentralWidget(center);
    connect(m_startPage, &StartPage::openWanted, this, &MainWindow::openFile);
    connect(m_startPage, &StartPage::lessonsWanted, this, [this] { m_lessons->showList(); });
    connect(m_startPage, &StartPage::puzzlesWanted, this, [this] { m_puzzles->showList(); });
    connect(m_startPage, &StartPage::backWanted, this, [this] { showWorkspace(); });
    connect(m_startPage, &StartPage::firstPlanWanted, this, [this] {
        if (m_samples.empty()) return;
        afterOpening(QStringLiteral("50%"), true);
        openFile(m_samples.front().path, m_samples.front().title);
    });
}

void MainWindow::setBudget(std::int64_t bytes)
{
    m_session->document.moveBudget(bytes);
}

void MainWindow::openFile(const QString &path, const QString &title)
{
    m_messages->clear();
    if (SessionFiles::isSession(path)) {
        m_sessions->open(path);
        return;
    }
    switch (const FileKind kind = fileKind(toPath(path))) {
    case FileKind::Session:
        m_sessions->open(path);
        return;
    case FileKind::Plan:
        m_planFiles->open(path);
        return;
    case FileKind::Lesson:
        m_lessons->start(path);
        return;
    case FileKind::Puzzle:
        m_puzzles->open(path);
        return;
    case FileKind::Story:
        m_stories->open(path);
        return;
    case FileKind::Profile:
        useProfile(path);
        return;
    case FileKind::Certificate:
        if (const auto shown = CertificateWindow::open(path, m_session->document, this); !shown)
            say(Notice::failure(toQString(shown.error().message)));
        return;
    case FileKind::Report:
        if (const auto shown = ReportsWindow::open(path, *this); !shown)
            say(Notice::failure(toQString(shown.error().message)));
        return;
    default:
        if (!isKnownKind(kind) || kind == FileKind::Trace || kind == FileKind::Graph) break;
        say(Notice::failure(toQString(sentenceOnKind(kind, QFileInfo(path).fileName().toStdString()))));
        return;
    }
    if (const int page = m_pages->find(path)) {
        m_session->loader.cancel();
        m_pages->show(page);
        rememberModel(*m_session, path);
        m_startPage->showRecent();
        doAfterOpening();
        return;
    }
    m_sessions->cancelOpening();
    m_session->loader.open(path, title);
}

void MainWindow::useProfile(const QString &path)
{
    if (!m_session->document.model())
        return say(Notice::failure(tr("%1 holds the times of a model's ops. Open that model first, and then this file.")
                                       .arg(QFileInfo(path).fileName())));
    if (!m_workspace->shown()) showWorkspace();
    m_session->loader.useProfile(path);
}

bool MainWindow::openLesson(const QString &lesson, int step)
{
    return m_lessons->start(lesson, step);
}

bool MainWindow::openPuzzle(const QString &puzzle)
{
    return m_puzzles->open(puzzle);
}

QStringList MainWindow::sampleNames() const
{
    QStringList names;
    for (const Sample &sample : m_samples)
        names << sample.name;
    return names;
}

bool MainWindow::openSample(const QString &name)
{
    const auto sample =
        std::find_if(m_samples.begin(), m_samples.end(), [&](const Sample &s) { return s.name == name; });
    if (sample == m_samples.end()) return false;
    openFile(sample->path, sample->title);
    return true;
}

void MainWindow::afterOpening(const QString &budget, bool solveThen)
{
    m_budgetAfter = budget;
    m_solveAfter = solveThen;
}

void MainWindow::modelOpened(const QString &path)
{
    rememberModel(*m_session, path);
    m_startPage->showRecent();
    m_messages->clear();
    m_workspace->showFirst();
    showWorkspace();
    doAfterOpening();
    m_session->quick.refresh();
    showDocument();
    if (const std::string &lacks = lackedBy(*m_session->document.model()->open->model); !lacks.empty())
        say(Notice::caveat(toQString(lacks)));
}

void MainWindow::doAfterOpening()
{
    const auto model = m_session->document.model();
    const QString budget = std::exchange(m_budgetAfter, {});
    const bool solveThen = std::exchange(m_solveAfter, false);
    if (!budget.isEmpty()) {
        const auto bytes = parseBudget(budget.toStdString(), model->keepAllPeakBytes);
        if (bytes)
            setBudget(*bytes);
        else
            say(Notice::failure(toQString(bytes.error().message)));
    }
    if (!solveThen) return;
    m_workspace->showFirst();
    solve();
}

void MainWindow::showWorkspace()
{
    m_stack->setCurrentWidget(m_workspace->center());
    m_workspace->setShown(true);
    m_lessons->setShown(true);
    m_status->setModelShown(true);
    m_workspace->graph()->canvas()->setFocus(Qt::OtherFocusReason);
    showDocument();
    showActivity();
}

void MainWindow::showStartPage()
{
    m_workspace->save();
    m_workspace->setShown(false);
    m_lessons->setShown(false);
    m_status->setModelShown(false);
    m_startPage->showRecent();
    m_startPage->showLeft(m_sessions->left());
    m_startPage->setBack(m_session->document.model() ? m_session->loader.modelTitle() : QString());
    m_stack->setCurrentWidget(m_startPage);
    m_startPage->focusFirst();
    showDocument();
    showActivity();
}

void MainWindow::solve()
{
    if (!m_session->document.model()) return;
    m_messages->clear();
    m_session->solver.solve(m_workspace->planPanel()->settings());
}

void MainWindow::sweep()
{
    if (!m_session->document.model()) return;
    m_workspace->showView(QStringLiteral("curve"));
    m_workspace->curve()->strip()->start();
}

void MainWindow::stop()
{
    m_session->solver.stop();
    m_session->sweeps.stop();
    if (m_session->runner.validating()) m_session->runner.stopValidation();
    if (m_session->loader.running()) m_session->loader.cancel();
    m_workspace->graph()->stopLayout();
    showActivity();
}

void MainWindow::savePlanTo(const QString &path)
{
    m_session->runner.save(path);
}

void MainWindow::showKeys()
{
    auto *window = new KeysWindow(*m_commands, this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

void MainWindow::showTracer()
{
    auto *window = new TracerWindow(this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

void MainWindow::showAbout()
{
    auto *window = new AboutWindow(this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
}

void MainWindow::say(const Notice &notice)
{
    const auto model = m_session->document.model();
    m_saidOf = model ? model->open : nullptr;
    m_messages->say(notice);
}

void MainWindow::dropStaleMessage()
{
    const auto said = m_saidOf.lock();
    const auto model = m_session->document.model();
    if (said && (!model || model->open != said)) m_messages->clear();
}

bool MainWindow::idle() const
{
    return !m_session->busy() && !m_pages->busy() && m_session->pool.activeThreadCount() == 0 &&
           !m_sessions->running() && !m_planFiles->running() && !m_workspace->graph()->layoutPending();
}

void MainWindow::showDocument()
{
    const auto model = m_session->document.model();
    const auto plan = m_session->document.currentPlan();
    const bool shown = model && m_workspace->shown();
    const QString name = shown ? m_session->loader.modelTitle() : tr("Remat Studio");
    const bool unsaved = shown && plan && !plan->quick && !m_pages->saved().contains(plan->id);
    m_menuBar->setDocumentName(name, unsaved);
    setWindowTitle(shown ? tr("%1 – Remat Studio").arg(name) : name);
    if (!shown || !plan) {
        m_tools->showVerdict(nullptr);
        return;
    }
    const bool running = m_session->runner.validatingId() == plan->id;
    const VerdictLook look =
        verdictLook(m_session->document, *plan, running ? m_session->runner.activity() : QString());
    m_tools->showVerdict(&look);
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (draggedFile(event->mimeData()).isEmpty()) return;
    event->acceptProposedAction();
    m_startPage->setDropHint(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent *)
{
    m_startPage->setDropHint(false);
}

void MainWindow::dropEvent(QDropEvent *event)
{
    m_startPage->setDropHint(false);
    const QString path = draggedFile(event->mimeData());
    if (path.isEmpty()) return;
    event->acceptProposedAction();
    openFile(path);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    m_workspace->windowResized(event->oldSize());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_sessions->mayClose()) {
        event->ignore();
        return;
    }
    m_workspace->save();
    QSettings().setValue(QStringLiteral("window/geometry"), saveGeometry());
    QMainWindow::closeEvent(event);
}

} // namespace remat::studio
