#include "app/studio/session_file/autosave.h"

#include "app/studio/document/text.h"
#include "app/studio/document/time_window.h"
#include "app/studio/window/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

#include <algorithm>

namespace remat::studio {

namespace {

int nextNumber()
{
    static int number = 0;
    return ++number;
}

} // namespace

QString keptSessionsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions");
}

Autosave::Autosave(Session &session, SessionFiles &files, QObject *parent)
    : QObject(parent), m_session(session), m_files(files), m_writing(std::make_unique<JobTracker>(session.pool))
{
    const QString folder = keptSessionsFolder();
    QDir().mkpath(folder);
    m_path =
        QStringLiteral("%1/%2-%3.rematsession").arg(folder).arg(QCoreApplication::applicationPid()).arg(nextNumber());
    m_lock = std::make_unique<QLockFile>(m_path + QStringLiteral(".lock"));
    m_lock->setStaleLockTime(0);
    m_lock->tryLock(0);
    m_due.setSingleShot(true);
    m_due.setInterval(kEveryMs);
    connect(&m_due, &QTimer::timeout, this, &Autosave::write);
    Document *document = &session.document;
    const auto watch = [this](auto *sender, auto signal) { connect(sender, signal, this, &Autosave::change); };
    watch(document, &Document::modelChanged);
    watch(document, &Document::budgetChanged);
    watch(document, &Document::plansChanged);
    watch(document, &Document::currentPlanChanged);
    watch(document, &Document::selectionChanged);
    watch(document, &Document::pinsChanged);
    watch(document, &Document::comparedChanged);
    watch(&document->time(), &TimeWindow::viewChanged);
    watch(&document->time(), &TimeWindow::rangeChanged);
    watch(&session.viewStates, &ViewStates::touched);
    watch(&session.loader, &ModelLoader::costChoiceChanged);
    watch(&session.solver, &SolveRunner::jobsChanged);
}

Autosave::~Autosave()
{
    m_writing.reset();
    if (m_keep) return;
    if (!m_last || !becomeLastSession(m_path, *m_last)) QFile::remove(m_path);
}

void Autosave::keepAsLast()
{
    const Document &document = m_session.document;
    m_last.reset();
    if (m_keep || !document.model()) return;
    const bool upToDate = m_lastSaved.isValid() && !m_changed && !m_writing->running();
    if (!upToDate && !writeNow()) return;
    m_last.emplace();
    m_last->modelTitle = m_session.loader.modelTitle();
    m_last->closed = QDateTime::currentDateTime();
    m_last->plans = static_cast<int>(
        std::count_if(document.plans().begin(), document.plans().end(), [](const auto &plan) { return !plan->quick; }));
}

void Autosave::change()
{
    if (!m_session.document.model()) return;
    m_changed = true;
    // Not started again by each change: a long drag is kept too.
    if (!m_due.isActive() && !m_writing->running()) m_due.start(m_lastSaved.isValid() ? kEveryMs : 0);
}

void Autosave::write()
{
    if (!m_session.document.model()) return;
    m_changed = false;
    const QDateTime taken = QDateTime::currentDateTime();
    m_writing->start([state = m_files.state(), texts = m_files.texts(),
                      path = m_path](const Job &) mutable { return writeSession(std::move(state), *texts, path); },
                     [this, taken](Expected<void> result) {
                         if (result) {
                             m_lastSaved = taken;
                             m_failedBefore = false;
                             Q_EMIT saved();
                         } else if (!std::exchange(m_failedBefore, true)) {
                             Notice notice;
                             notice.sentence = toQString(result.error().message);
                             Q_EMIT failed(notice);
                         }
                         if (m_changed) m_due.start(kEveryMs);
                     });
}

bool Autosave::writeNow()
{
    if (!m_session.document.model()) return false;
    m_due.stop();
    m_writing = std::make_unique<JobTracker>(m_session.pool);
    const auto written = writeSession(m_files.state(), *m_files.texts(), m_path);
    m_changed = false;
    if (written) m_lastSaved = QDateTime::currentDateTime();
    return written.has_value();
}

} // namespace remat::studio
