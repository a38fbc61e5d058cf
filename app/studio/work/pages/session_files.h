// SPDX-License-Identifier: Apache-2.0
// Opening and saving sessions in a window.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/session/session_reader.h"
#include "app/studio/work/session/session_state.h"

#include <QObject>

namespace remat::studio {

class ModelPages;
struct Session;

/// What the window does for its session files.
struct SessionWindow {
    std::function<QJsonObject()> save; ///< docks and size
    std::function<void(const QJsonObject &)> restore;
};

/// GUI thread only. While a session is read the window stays as it is; a newer one replaces an older one.
class SessionFiles : public QObject
{
    Q_OBJECT
public:
    SessionFiles(Session &session, ModelPages &pages, SessionWindow window, QObject *parent = nullptr);

    static bool isSession(const QString &path);
    /// Its models come beside those that are open. With `inFile` it is the person's own file, so that its plans count
    /// as saved.
    void open(const QString &path, bool inFile);
    void save(const QString &path);
    bool running() const { return m_opening.running() || m_saving.running(); }
    void cancel() { m_opening.cancel(); }
    /// What the window holds now; shares the texts with the autosave.
    SessionState state();
    const std::shared_ptr<SessionTexts> &texts() const { return m_texts; }

Q_SIGNALS:
    void progressChanged();
    void opened(const QString &path);
    void saved(const QString &path);
    void failed(const remat::studio::Notice &notice);

private:
    Session &m_session;
    ModelPages &m_pages;
    SessionWindow m_window;
    std::shared_ptr<SessionTexts> m_texts = std::make_shared<SessionTexts>();
    JobTracker m_opening, m_saving;
};

} // namespace remat::studio
