// SPDX-License-Identifier: Apache-2.0
// Session files of a window: opened, saved, kept while it works, and offered when a killed program left some.
#pragma once

#include "app/studio/shell/start_page/start_page.h"
#include "app/studio/work/pages/autosave.h"
#include "app/studio/work/session/recovery.h"

class QMainWindow;

namespace remat::studio {

class Workspace;

/// GUI thread only.
class WindowSessions : public QObject
{
    Q_OBJECT
public:
    WindowSessions(QMainWindow *window, Session &session, ModelPages &pages, Workspace &workspace);

    /// In the background; until it is read the window stays as it is.
    void open(const QString &path);
    void cancelOpening() { m_files.cancel(); }
    void save(const QString &path) { m_files.save(path); }
    /// Asks where to.
    void chooseFile();
    bool running() const { return m_files.running(); }
    Autosave &autosave() { return m_autosave; }
    /// Keeps what is open for the next time; where that cannot be, the person says whether to close all the same.
    bool mayClose();

    /// Looks for sessions that killed programs left, in the background, and offers them; with `openNewest` that one is
    /// opened instead.
    void recover(bool openNewest);
    /// What was found, as the start page offers it.
    std::vector<LeftRow> left() const;
    void forgetLeft();

Q_SIGNALS:
    void said(const remat::studio::Notice &notice);
    void progressChanged();
    void opened();
    void saved();
    void kept(const QDateTime &when); ///< on disk
    void leftChanged();
    void openWanted(const QString &path); ///< one that was left
    void recentChanged();

private:
    void takeOpened(const QString &path);
    void takeSaved(const QString &path);
    void offer(std::vector<LeftSession> left, bool openNewest);
    void forgetOpened();
    void remember(const QString &path);

    QMainWindow *m_window;
    Session &m_session;
    ModelPages &m_pages;
    SessionFiles m_files;
    Autosave m_autosave;
    JobTracker m_recovery;
    std::vector<LeftSession> m_left; ///< offered
    QString m_resumed;               ///< what goes once it is kept anew
};

/// Puts the shown model first among the recent files; `path` is the model's.
void rememberModel(const Session &session, const QString &path);

} // namespace remat::studio
