#include "app/studio/session_file/session_files.h"

#include "app/studio/document/text.h"
#include "app/studio/document/time_window.h"
#include "app/studio/window/session.h"

#include <QFileInfo>
#include <QJsonDocument>

namespace remat::studio {

namespace {

QJsonObject objectOf(const std::string &text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

} // namespace

SessionFiles::SessionFiles(Session &session, SessionWindow window, QObject *parent)
    : QObject(parent), m_session(session), m_window(std::move(window)), m_opening(session.pool), m_saving(session.pool)
{
    connect(&m_opening, &JobTracker::runningChanged, this, &SessionFiles::progressChanged);
    connect(&m_saving, &JobTracker::runningChanged, this, &SessionFiles::progressChanged);
}

bool SessionFiles::isSession(const QString &path)
{
    return path.endsWith(QLatin1String(".rematsession"), Qt::CaseInsensitive);
}

void SessionFiles::open(const QString &path, const QString &modelPath)
{
    m_session.loader.cancel();
    m_opening.start([path, modelPath, devices = m_session.loader.devices()](
                        const Job &) { return readSession(path, modelPath, devices); },
                    [this, path](tl::expected<OpenedSession, SessionProblem> result) {
                        if (result) {
                            const QString model = result->modelPath;
                            show(std::move(*result));
                            Q_EMIT opened(path, model);
                            return;
                        }
                        Notice notice;
                        notice.sentence = result.error().sentence;
                        if (result.error().wantsModel) {
                            notice.actionText = tr("Choose the model…");
                            notice.action = [this, path] { m_window.findModel(path); };
                        }
                        Q_EMIT failed(notice);
                    });
}

void SessionFiles::show(OpenedSession opened)
{
    Document &document = m_session.document;
    const SessionFile &file = opened.file;
    m_session.loader.adopt(opened.modelPath, QString::fromStdString(file.modelTitle), opened.model, opened.costs);
    m_window.showModel(); // views lay out what comes next for the room they have
    document.restorePlans(std::move(opened.plans), file.currentPlan);
    document.setBudget(file.budgetBytes);
    document.setPins(std::move(opened.pins));
    document.setCompared(file.compared);
    m_session.viewStates.restore(objectOf(file.viewsText));
    m_window.restore(objectOf(file.windowText));
    if (opened.selection.storage)
        document.selectStorage(opened.selection.storage);
    else if (opened.selection.op)
        document.selectOp(opened.selection.op);
    else
        document.clearSelection();
    TimeWindow &time = document.time();
    time.setKind(file.axisInSteps ? AxisKind::Steps : AxisKind::Time);
    file.seen ? time.show((*file.seen)[0], (*file.seen)[1]) : time.fit();
    file.range ? time.setRange({(*file.range)[0], (*file.range)[1]}) : time.clearRange();
    document.setCursor(file.cursorUs);
    m_session.solver.restore(opened.solves);
    m_session.quick.cancel(); // pins and budget that come back ask for no new plan
}

void SessionFiles::save(const QString &path)
{
    if (!m_session.document.model()) return;
    m_saving.start([state = state(), texts = m_texts,
                    path](const Job &) mutable { return writeSession(std::move(state), *texts, path); },
                   [this, path](Expected<void> result) {
                       if (result) {
                           Q_EMIT saved(path);
                           return;
                       }
                       Notice notice;
                       notice.sentence = toQString(result.error().message);
                       Q_EMIT failed(notice);
                   });
}

} // namespace remat::studio
