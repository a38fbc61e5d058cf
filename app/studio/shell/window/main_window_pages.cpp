// SPDX-License-Identifier: Apache-2.0
// The main window's part in the models that are open, in session files, and in other windows.
#include "app/studio/base/widgets/toast.h"
#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/window/window_sessions.h"
#include "app/studio/shell/workspace/status_line.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/pages/plan_files.h"
#include "app/studio/work/session/last_session.h"

#include <QScreen>

namespace remat::studio {

void MainWindow::makePages()
{
    PagesWindow pages;
    pages.showModel = [this] { showWorkspace(); };
    pages.findModel = [this](int pageId) { findModelOf(pageId); };
    pages.say = [this](const Notice &notice) { say(notice); };
    pages.unsay = [this](const QString &sentence) {
        if (m_messages->sentence() == sentence) m_messages->clear();
    };
    m_pages = std::make_unique<ModelPages>(*m_session, std::move(pages));
    m_sessions = std::make_unique<WindowSessions>(this, *m_session, *m_pages, *m_workspace);
    m_planFiles = std::make_unique<PlanFiles>(*m_session, *m_pages);
    const auto on = [this](auto *sender, auto signal, auto work) { connect(sender, signal, m_connections, work); };
    on(m_planFiles.get(), &PlanFiles::opened, [this] { showWorkspace(); });
    on(m_planFiles.get(), &PlanFiles::failed, [this](const Notice &notice) { say(notice); });
    on(m_planFiles.get(), &PlanFiles::progressChanged, [this] { showActivity(); });
    on(m_pages.get(), &ModelPages::shown, [this] { modelShown(); });
    on(m_pages.get(), &ModelPages::changed, [this] { showActivity(); });
    WindowSessions *sessions = m_sessions.get();
    on(sessions, &WindowSessions::progressChanged, [this] { showActivity(); });
    on(sessions, &WindowSessions::said, [this](const Notice &notice) { say(notice); });
    on(sessions, &WindowSessions::saved, [this] { showDocument(); });
    on(sessions, &WindowSessions::kept, [this](const QDateTime &when) { m_status->setSaved(when); });
    on(sessions, &WindowSessions::leftChanged, [this] { m_startPage->showLeft(m_sessions->left()); });
    on(sessions, &WindowSessions::openWanted, [this](const QString &path) { openFile(path); });
    on(sessions, &WindowSessions::recentChanged, [this] { m_startPage->showRecent(); });
    on(sessions, &WindowSessions::opened, [this] {
        showDocument();
        showActivity();
    });
    connect(m_startPage, &StartPage::leftForgotten, sessions, &WindowSessions::forgetLeft);
}

Autosave &MainWindow::autosave()
{
    return m_sessions->autosave();
}

void MainWindow::saveSessionTo(const QString &path)
{
    m_sessions->save(path);
}

void MainWindow::recover(bool openNewest)
{
    m_sessions->recover(openNewest);
}

void MainWindow::modelShown()
{
    if (!m_session->document.model()) showStartPage();
    showDocument();
    showActivity();
}

void MainWindow::closeModel()
{
    if (m_pages->empty())
        close();
    else if (m_workspace->shown())
        m_pages->close(m_pages->shownId());
    else
        showWorkspace(); // what is in front is the start page
}

void MainWindow::reopenClosed()
{
    if (m_pages->canReopen())
        m_pages->reopenClosed();
    else
        openFile(lastSessionPath());
}

MainWindow *MainWindow::openAnother(const MainWindow *beside)
{
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    constexpr int kStep = 28; // so that the first does not hide under the second
    if (beside) {
        window->resize(beside->size());
        window->move(beside->pos() + QPoint(kStep, kStep));
    } else {
        window->resize(window->size().boundedTo(window->screen()->availableSize()));
    }
    window->show();
    return window;
}

} // namespace remat::studio
