// SPDX-License-Identifier: Apache-2.0
// Keeps what a window holds on disk, so that a killed program loses a few seconds at most.
#pragma once

#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/pages/session_files.h"
#include "app/studio/work/session/last_session.h"

#include <QDateTime>
#include <QLockFile>
#include <QTimer>

namespace remat::studio {

/// Folder of the sessions that running and killed programs keep.
QString keptSessionsFolder();

/// One file a window, with a lock beside it that says whose it is; both go when the window is closed. Written on a
/// worker thread, atomically, at most every `kEveryMs` and at most that long after a change. GUI thread only.
class Autosave : public QObject
{
    Q_OBJECT
public:
    static constexpr int kEveryMs = 3000;
    Autosave(Session &session, ModelPages &pages, SessionFiles &files, QObject *parent = nullptr);
    ~Autosave() override;

    QString path() const { return m_path; }
    /// When what is on disk was taken; invalid before the first time.
    QDateTime lastSaved() const { return m_lastSaved; }
    /// Writes at once and waits for it. False when there is nothing to write or it failed.
    bool writeNow();
    /// The window is being closed: its session is what "reopen the last session" opens. Writes what is not on disk yet.
    /// Fails with why that cannot be.
    Expected<void> keepAsLast();
    /// The last session was opened here. Otherwise the one of this window takes over what the one before it has, as
    /// closed models, so that nobody's plans go when a window is closed after another.
    void tookLast() { m_tookLast = true; }

Q_SIGNALS:
    void saved();
    void failed(const remat::studio::Notice &notice);

private:
    void change();
    void write();
    Expected<void> writeAndWait(const SessionState &state);

    Session &m_session;
    ModelPages &m_pages;
    SessionFiles &m_files;
    QString m_path;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_due;
    QDateTime m_lastSaved;
    bool m_changed = false;
    bool m_tookLast = false;
    std::optional<LastSession> m_last; ///< set: this one becomes the last session
    bool m_failedBefore = false;
    std::unique_ptr<JobTracker> m_writing; ///< its end waits for what is being written
};

} // namespace remat::studio
