// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/window/window_sessions.h"

#include "app/studio/base/text/text.h"
#include "app/studio/shell/start_page/recent_files.h"
#include "app/studio/shell/workspace/dock_layout.h"
#include "app/studio/shell/workspace/file_dialogs.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/last_session.h"
#include "app/studio/work/session/session.h"
#include "app/studio/work/session/session_reader.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace remat::studio {

namespace {

RecentFile recentFile(const Session &session, const QString &path)
{
    RecentFile file;
    file.path = QFileInfo(path).absoluteFilePath();
    file.title = session.loader.modelTitle();
    file.opened = QDateTime::currentDateTime();
    return file;
}

/// Docks and size of the window, as session files keep them.
SessionWindow layoutOf(QMainWindow *window, Workspace &workspace)
{
    SessionWindow layout;
    layout.save = [window, &workspace] {
        QJsonObject state = workspace.saveLayout();
        state[QStringLiteral("place")] = savePlace(window->normalGeometry());
        state[QStringLiteral("maximized")] = window->isMaximized();
        return state;
    };
    layout.restore = [window, &workspace](const QJsonObject &state) {
        const QRect place = readPlace(state[QStringLiteral("place")].toArray(), window->size());
        if (!place.isEmpty()) window->setGeometry(place);
        if (state[QStringLiteral("maximized")].toBool())
            window->setWindowState(window->windowState() | Qt::WindowMaximized);
        workspace.restoreLayout(state);
    };
    return layout;
}

} // namespace

void rememberModel(const Session &session, const QString &path)
{
    const auto model = session.document.model();
    RecentFile file = recentFile(session, path);
    file.ops = static_cast<int>(model->graph().ops.size());
    file.peakBytes = model->keepAllPeakBytes;
    rememberFile(file);
}

WindowSessions::WindowSessions(QMainWindow *window, Session &session, ModelPages &pages, Workspace &workspace)
    : m_window(window),
      m_session(session),
      m_pages(pages),
      m_files(session, pages, layoutOf(window, workspace)),
      m_autosave(session, pages, m_files),
      m_recovery(session.pool)
{
    connect(&m_files, &SessionFiles::progressChanged, this, &WindowSessions::progressChanged);
    connect(&m_files, &SessionFiles::failed, this, &WindowSessions::said);
    connect(&m_files, &SessionFiles::opened, this, &WindowSessions::takeOpened);
    connect(&m_files, &SessionFiles::saved, this, &WindowSessions::takeSaved);
    connect(&m_autosave, &Autosave::failed, this, &WindowSessions::said);
    connect(&m_autosave, &Autosave::saved, this, [this] {
        Q_EMIT kept(m_autosave.lastSaved());
        forgetOpened();
    });
}

void WindowSessions::open(const QString &path)
{
    m_files.open(path, !path.startsWith(keptSessionsFolder()) && path != lastSessionPath());
}

void WindowSessions::chooseFile()
{
    FileQuestion question;
    question.title = tr("Save the session");
    question.filters = {tr("Sessions (*.remat)")};
    question.folderKey = QStringLiteral("sessions");
    question.folder = QDir::homePath();
    question.suffix = QStringLiteral("remat");
    question.name = QFileInfo(m_session.loader.modelPath()).completeBaseName() + kSessionEnding;
    askWhereToSave(m_window, question, [this](const QString &path) { save(path); });
}

void WindowSessions::remember(const QString &path)
{
    rememberFile(recentFile(m_session, path));
    Q_EMIT recentChanged();
}

void WindowSessions::takeSaved(const QString &path)
{
    for (const auto &plan : m_session.document.plans())
        m_pages.saved().insert(plan->id);
    rememberFile(recentFile(m_session, path));
    Q_EMIT said(Notice::news(tr("The session is in %1.").arg(path)));
    Q_EMIT saved();
}

void WindowSessions::takeOpened(const QString &path)
{
    if (path.startsWith(keptSessionsFolder())) {
        m_resumed = path;
    } else if (path == lastSessionPath()) {
        m_autosave.tookLast();
        if (m_session.document.model()) {
            rememberModel(m_session, m_session.loader.modelPath());
            Q_EMIT recentChanged();
        }
    } else {
        remember(path);
    }
    Q_EMIT opened();
}

bool WindowSessions::mayClose()
{
    const auto kept = m_autosave.keepAsLast();
    if (kept) return true;
    QMessageBox question(QMessageBox::Warning, tr("Close the window?"),
                         tr("What is open cannot be kept for the next time: %1").arg(toQString(kept.error().message)),
                         QMessageBox::Cancel, m_window);
    question.setObjectName(QStringLiteral("cannotKeep"));
    question.setInformativeText(tr("Plans that are in no file are lost when the window is closed."));
    QAbstractButton *elsewhere = question.addButton(tr("Save the session elsewhere…"), QMessageBox::AcceptRole);
    QAbstractButton *anyway = question.addButton(tr("Close and lose them"), QMessageBox::DestructiveRole);
    question.exec();
    if (question.clickedButton() == elsewhere) chooseFile();
    return question.clickedButton() == anyway;
}

void WindowSessions::recover(bool openNewest)
{
    m_recovery.start([folder = keptSessionsFolder()](const Job &) { return findLeftSessions(folder); },
                     [this, openNewest](std::vector<LeftSession> left) { offer(std::move(left), openNewest); });
}

void WindowSessions::offer(std::vector<LeftSession> left, bool openNewest)
{
    m_left = std::move(left);
    if (openNewest && !m_left.empty()) {
        Q_EMIT openWanted(m_left.front().path);
    } else if (openNewest || !m_left.empty()) {
        Notice notice = Notice::news(m_left.empty() ? tr("Nothing was left behind that could be reopened.")
                                                    : leftSentence(m_left.front(), QDateTime::currentDateTime()));
        if (!m_left.empty()) {
            notice.actionText = tr("Reopen");
            notice.action = [this, path = m_left.front().path] { Q_EMIT openWanted(path); };
        }
        Q_EMIT said(notice);
    } else if (const QString aside = takeAsideSentence(); !aside.isEmpty()) {
        Q_EMIT said(Notice::news(aside));
    }
    Q_EMIT leftChanged();
}

std::vector<LeftRow> WindowSessions::left() const
{
    std::vector<LeftRow> rows;
    rows.reserve(m_left.size());
    for (const LeftSession &each : m_left)
        rows.push_back({each.path, each.modelTitle, leftSentence(each, QDateTime::currentDateTime())});
    return rows;
}

void WindowSessions::forgetLeft()
{
    for (const LeftSession &each : m_left)
        forgetLeftSession(each);
    m_left.clear();
    Q_EMIT leftChanged();
}

void WindowSessions::forgetOpened()
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
    Q_EMIT leftChanged();
}

} // namespace remat::studio
