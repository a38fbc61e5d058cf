// Opening and saving sessions in a window.
#pragma once

#include "app/studio/jobs/job_tracker.h"
#include "app/studio/jobs/notice.h"
#include "app/studio/session_file/session_reader.h"
#include "app/studio/session_file/session_state.h"

#include <QObject>

namespace remat::studio {

struct Session;

/// What the window does for its session files.
struct SessionWindow {
    std::function<QJsonObject()> save; ///< docks and size
    std::function<void(const QJsonObject &)> restore;
    std::function<void()> showModel;                    ///< docks and views instead of the start page
    std::function<void(const QString &path)> findModel; ///< lets the person choose the model of the session at `path`
};

/// GUI thread only. While a session is read the window stays as it is; a newer one replaces an older one.
class SessionFiles : public QObject
{
    Q_OBJECT
public:
    SessionFiles(Session &session, SessionWindow window, QObject *parent = nullptr);

    static bool isSession(const QString &path);
    /// `modelPath` stands in for a model that has moved.
    void open(const QString &path, const QString &modelPath = {});
    /// Only when a model is open.
    void save(const QString &path);
    bool running() const { return m_opening.running() || m_saving.running(); }
    void cancel() { m_opening.cancel(); }
    /// What the window holds now; shares the texts of plans with the autosave.
    SessionState state() { return captureSession(m_session, m_window.save()); }
    const std::shared_ptr<PlanTexts> &texts() const { return m_texts; }

Q_SIGNALS:
    void progressChanged();
    void opened(const QString &path, const QString &modelPath);
    void saved(const QString &path);
    void failed(const remat::studio::Notice &notice);

private:
    void show(OpenedSession opened);

    Session &m_session;
    SessionWindow m_window;
    std::shared_ptr<PlanTexts> m_texts = std::make_shared<PlanTexts>();
    JobTracker m_opening, m_saving;
};

} // namespace remat::studio
