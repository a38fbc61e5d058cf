// The main window's part in session files, in what is kept of it, and in other windows.
#include "app/studio/document/text.h"
#include "app/studio/pages/model_pages.h"
#include "app/studio/panels/message_strip.h"
#include "app/studio/session_file/autosave.h"
#include "app/studio/session_file/last_session.h"
#include "app/studio/window/main_window.h"
#include "app/studio/window/recent_files.h"
#include "app/studio/window/start_page.h"
#include "app/studio/window/status_line.h"
#include "app/studio/window/workspace.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>

#include <algorithm>

namespace remat::studio {

void MainWindow::makeSessions()
{
    SessionWindow window;
    window.save = [this] {
        QJsonObject state = m_workspace->saveLayout();
        state[QStringLiteral("geometry")] = QString::fromLatin1(saveGeometry().toBase64());
        return state;
    };
    window.restore = [this](const QJsonObject &state) {
        const QByteArray geometry = state[QStringLiteral("geometry")].toString().toLatin1();
        if (!geometry.isEmpty()) restoreGeometry(QByteArray::fromBase64(geometry));
        m_workspace->restoreLayout(state);
    };
    PagesWindow pages;
    pages.showModel = [this] { showWorkspace(); };
    pages.findModel = [this](int pageId) { findModelOf(pageId); };
    pages.say = [this](const Notice &notice) { say(notice); };
    m_pages = std::make_unique<ModelPages>(*m_session, std::move(pages));
    m_files = std::make_unique<SessionFiles>(*m_session, *m_pages, std::move(window));
    m_autosave = std::make_unique<Autosave>(*m_session, *m_pages, *m_files);
    connect(m_pages.get(), &ModelPages::shown, this, &MainWindow::modelShown);
    connect(m_pages.get(), &ModelPages::changed, this, &MainWindow::showActivity);
    m_recovery = std::make_unique<JobTracker>(m_session->pool);
    connect(m_files.get(), &SessionFiles::progressChanged, this, &MainWindow::showActivity);
    connect(m_files.get(), &SessionFiles::failed, this, &MainWindow::say);
    connect(m_files.get(), &SessionFiles::opened, this, &MainWindow::sessionOpened);
    connect(m_files.get(), &SessionFiles::saved, this, [this](const QString &path) {
        for (const auto &plan : m_session->document.plans())
            m_pages->saved().insert(plan->id);
        RecentFile file;
        file.path = QFileInfo(path).absoluteFilePath();
        file.title = m_session->loader.modelTitle();
        file.opened = QDateTime::currentDateTime();
        rememberFile(file);
        Notice notice;
        notice.isError = false;
        notice.sentence = tr("The session is in %1.").arg(path);
        say(notice);
        showDocument();
    });
    connect(m_startPage, &StartPage::leftForgotten, this, [this] {
        for (const LeftSession &each : m_left)
            forgetLeftSession(each);
        m_left.clear();
        showLeft();
    });
    connect(m_autosave.get(), &Autosave::failed, this, &MainWindow::say);
    connect(m_autosave.get(), &Autosave::saved, this, [this] {
        m_status->setSaved(m_autosave->lastSaved());
        forgetOpened();
    });
}

void MainWindow::saveSessionTo(const QString &path)
{
    m_files->save(path);
}

void MainWindow::sessionOpened(const QString &path)
{
    if (path.startsWith(keptSessionsFolder())) {
        m_resumed = path;
    } else if (path == lastSessionPath()) {
        m_autosave->tookLast();
        if (m_session->document.model()) rememberModel(m_session->loader.modelPath());
    } else {
        RecentFile file;
        file.path = QFileInfo(path).absoluteFilePath();
        file.title = m_session->loader.modelTitle();
        file.opened = QDateTime::currentDateTime();
        rememberFile(file);
        m_startPage->showRecent();
    }
    showDocument();
    showActivity();
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

bool MainWindow::mayClose()
{
    const auto kept = m_autosave->keepAsLast();
    if (kept) return true;
    QMessageBox question(QMessageBox::Warning, tr("Close the window?"),
                         tr("What is open cannot be kept for the next time: %1").arg(toQString(kept.error().message)),
                         QMessageBox::Cancel, this);
    question.setObjectName(QStringLiteral("cannotKeep"));
    question.setInformativeText(tr("Plans that are in no file are lost when the window is closed."));
    QAbstractButton *elsewhere = question.addButton(tr("Save the session elsewhere…"), QMessageBox::AcceptRole);
    QAbstractButton *anyway = question.addButton(tr("Close and lose them"), QMessageBox::DestructiveRole);
    question.exec();
    if (question.clickedButton() == elsewhere) chooseSessionFile();
    return question.clickedButton() == anyway;
}

void MainWindow::recover(bool openNewest)
{
    m_recovery->start([folder = keptSessionsFolder()](const Job &) { return findLeftSessions(folder); },
                      [this, openNewest](std::vector<LeftSession> left) { offer(std::move(left), openNewest); });
}

void MainWindow::offer(std::vector<LeftSession> left, bool openNewest)
{
    m_left = std::move(left);
    if (openNewest && !m_left.empty()) {
        openFile(m_left.front().path);
    } else if (openNewest || !m_left.empty()) {
        Notice notice;
        notice.isError = false;
        notice.sentence = m_left.empty() ? tr("Nothing was left behind that could be reopened.")
                                         : leftSentence(m_left.front(), QDateTime::currentDateTime());
        if (!m_left.empty()) {
            notice.actionText = tr("Reopen");
            notice.action = [this, path = m_left.front().path] { openFile(path); };
        }
        say(notice);
    } else if (const QString aside = takeAsideSentence(); !aside.isEmpty()) {
        Notice notice;
        notice.isError = false;
        notice.sentence = aside;
        say(notice);
    }
    showLeft();
}

void MainWindow::showLeft()
{
    std::vector<LeftRow> rows;
    rows.reserve(m_left.size());
    for (const LeftSession &each : m_left)
        rows.push_back({each.path, each.modelTitle, leftSentence(each, QDateTime::currentDateTime())});
    m_startPage->showLeft(rows);
}

void MainWindow::forgetOpened()
{
    if (m_resumed.isEmpty()) return;
    const auto left =
        std::find_if(m_left.begin(), m_left.end(), [this](const LeftSession &each) { return each.path == m_resumed; });
    if (left != m_left.end()) {
        forgetLeftSession(*left);
        m_left.erase(left);
    } else {
        QFile::remove(m_resumed);
    }
    m_resumed.clear();
    showLeft();
}

void MainWindow::startAgain()
{
    QStringList arguments;
    for (QWidget *widget : QApplication::topLevelWidgets()) {
        auto *window = qobject_cast<MainWindow *>(widget);
        if (!window || !window->isVisible() || !window->autosave().writeNow()) continue;
        window->autosave().leaveBehind();
        arguments << QStringLiteral("--resume") << window->autosave().path();
    }
    if (QProcess::startDetached(QCoreApplication::applicationFilePath(), arguments)) QApplication::closeAllWindows();
}

MainWindow *MainWindow::openAnother(const MainWindow *beside)
{
    auto *window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    constexpr int kStep = 28; // so that the first does not hide under the second
    if (beside) {
        window->resize(beside->size());
        window->move(beside->pos() + QPoint(kStep, kStep));
    }
    window->show();
    return window;
}

} // namespace remat::studio
