// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/session_files.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/session.h"

#include <QFileInfo>
#include <QJsonDocument>

namespace remat::studio {

namespace {

/// A session with the model that is shown.
struct ReadSession {
    SessionFile file;
    tl::expected<OpenedModel, SessionProblem> shown;
};

Expected<ReadSession> read(const QString &path, const std::vector<Device> &devices, const StopToken &stop)
{
    auto file = readSessionFile(path);
    if (!file) return tl::unexpected(file.error());
    ReadSession result{std::move(*file), tl::unexpected(SessionProblem{})};
    if (!result.file.models.empty())
        result.shown = readSessionModel(result.file.models[result.file.shown], path, {}, devices, stop);
    return result;
}

} // namespace

SessionFiles::SessionFiles(Session &session, ModelPages &pages, SessionWindow window, QObject *parent)
    : QObject(parent),
      m_session(session),
      m_pages(pages),
      m_window(std::move(window)),
      m_opening(session.pool),
      m_saving(session.pool)
{
    connect(&m_opening, &JobTracker::runningChanged, this, &SessionFiles::progressChanged);
    connect(&m_saving, &JobTracker::runningChanged, this, &SessionFiles::progressChanged);
}

bool SessionFiles::isSession(const QString &path)
{
    return path.endsWith(kSessionEnding, Qt::CaseInsensitive) || path.endsWith(kOldSessionEnding, Qt::CaseInsensitive);
}

void SessionFiles::open(const QString &path, bool inFile)
{
    m_session.loader.cancel();
    m_opening.start(
        [path, devices = m_session.loader.devices()](const Job &job) { return read(path, devices, job.stop()); },
        [this, path, inFile](Expected<ReadSession> result) {
            if (!result) {
                Q_EMIT failed(Notice::failure(toQString(result.error().message)));
                return;
            }
            const auto window = QByteArray::fromStdString(result->file.windowText);
            m_pages.add(std::move(result->file), path, std::move(result->shown), inFile);
            m_window.restore(QJsonDocument::fromJson(window).object());
            Q_EMIT opened(path);
        });
}

SessionState SessionFiles::state()
{
    SessionState state = m_pages.state();
    state.windowText = QJsonDocument(m_window.save()).toJson(QJsonDocument::Compact).toStdString();
    return state;
}

void SessionFiles::save(const QString &path)
{
    m_saving.start([state = state(), texts = m_texts, path](const Job &) { return writeSession(state, *texts, path); },
                   [this, path](Expected<void> result) {
                       if (result) {
                           Q_EMIT saved(path);
                           return;
                       }
                       Q_EMIT failed(Notice::failure(toQString(result.error().message)));
                   });
}

} // namespace remat::studio
