// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/pages/autosave.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/lasting_plans.h"
#include "app/studio/work/document/time_window.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/session.h"
#include "app/studio/work/session/session_reader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace remat::studio {

namespace {

int nextNumber()
{
    static int number = 0;
    return ++number;
}

/// The models of a session that hold plans, the one to come back to last.
std::vector<SessionModel> withPlans(const SessionFile &session)
{
    std::vector<SessionModel> models = session.closed;
    models.insert(models.end(), session.models.begin(), session.models.end());
    std::erase_if(models, [](const SessionModel &model) { return countLasting(model.plans) == 0; });
    return models;
}

/// Puts models of an earlier session below those that were closed in this one.
void takeOver(const std::vector<SessionModel> &earlier, SessionState &state)
{
    std::vector<std::shared_ptr<const ModelState>> closed;
    for (const SessionModel &model : earlier) {
        auto taken = std::make_shared<ModelState>();
        taken->file = model;
        closed.push_back(std::move(taken));
    }
    closed.insert(closed.end(), state.closed.begin(), state.closed.end());
    if (closed.size() > ModelPages::kMostClosed)
        closed.erase(closed.begin(), closed.end() - static_cast<std::ptrdiff_t>(ModelPages::kMostClosed));
    state.closed = std::move(closed);
}

} // namespace

QString keptSessionsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions");
}

Autosave::Autosave(Session &session, ModelPages &pages, SessionFiles &files, QObject *parent)
    : QObject(parent),
      m_session(session),
      m_pages(pages),
      m_files(files),
      m_writing(std::make_unique<JobTracker>(session.pool))
{
    const QString folder = keptSessionsFolder();
    QDir().mkpath(folder);
    m_path = QStringLiteral("%1/%2-%3").arg(folder).arg(QCoreApplication::applicationPid()).arg(nextNumber()) +
             kSessionEnding;
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
    watch(&pages, &ModelPages::kept);
    watch(&pages, &ModelPages::shown);
}

Autosave::~Autosave()
{
    m_writing.reset();
    // What was kept before writing failed, or cannot become the last session, stays and is offered as left behind.
    if (m_failedBefore) return;
    if (!m_last || becomeLastSession(m_path, *m_last)) QFile::remove(m_path);
}

Expected<void> Autosave::keepAsLast()
{
    m_last.reset();
    if (!m_pages.hasAny()) return {};
    const bool isThere = !m_tookLast && QFileInfo::exists(lastSessionPath());
    const auto before = isThere ? readSessionFile(lastSessionPath()) : SessionFile();
    if (!m_pages.hasWork() && (!before || !withPlans(*before).empty())) return {}; // there is more to come back to
    if (!before) {
        if (auto moved = setLastSessionAside(before.error()); !moved) return moved;
    }
    SessionState state = m_files.state();
    if (before) takeOver(withPlans(*before), state);
    if (auto written = writeAndWait(state); !written) return m_pages.hasWork() ? written : Expected<void>();
    m_last.emplace();
    m_last->closed = QDateTime::currentDateTime();
    for (const ModelTab &tab : m_pages.tabs()) {
        if (m_last->models == 0 || tab.id == m_pages.shownId()) m_last->modelTitle = tab.title;
        ++m_last->models;
        m_last->plans += tab.plans;
    }
    return {};
}

void Autosave::change()
{
    if (!m_pages.hasAny()) return;
    m_changed = true;
    // Not started again by each change: a long drag is kept too.
    if (!m_due.isActive() && !m_writing->running()) m_due.start(m_lastSaved.isValid() ? kEveryMs : 0);
}

void Autosave::write()
{
    if (!m_pages.hasAny()) return;
    m_changed = false;
    const QDateTime taken = QDateTime::currentDateTime();
    m_writing->start([state = m_files.state(), texts = m_files.texts(),
                      path = m_path](const Job &) { return writeSession(state, *texts, path); },
                     [this, taken](Expected<void> result) {
                         if (result) {
                             m_lastSaved = taken;
                             m_failedBefore = false;
                             Q_EMIT saved();
                         } else if (m_changed = true; !std::exchange(m_failedBefore, true)) {
                             Q_EMIT failed(Notice::failure(toQString(result.error().message)));
                         }
                         if (m_changed) m_due.start(kEveryMs);
                     });
}

bool Autosave::writeNow()
{
    return m_pages.hasAny() && writeAndWait(m_files.state()).has_value();
}

Expected<void> Autosave::writeAndWait(const SessionState &state)
{
    m_due.stop();
    m_writing = std::make_unique<JobTracker>(m_session.pool);
    const auto written = writeSession(state, *m_files.texts(), m_path);
    m_changed = !written;
    m_failedBefore = !written;
    if (written) m_lastSaved = QDateTime::currentDateTime();
    return written;
}

} // namespace remat::studio
