// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/history/history.h"

#include "app/studio/work/session/session.h"

#include <QEvent>
#include <QGuiApplication>
#include <QUndoCommand>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kOneEntryMs = 1000; ///< changes of one kind within this are one
constexpr int kSettleMs = 250;
constexpr int kPruneEvery = 64;

QString settingKey(const QString &key)
{
    return QStringLiteral("setting.") + key;
}

} // namespace

/// Leads from one snapshot to the next. Neighbours share the snapshot between them, so that a consequence that comes
/// in late changes both.
class History::Entry : public QUndoCommand
{
public:
    Entry(History &history, const QString &text, Holder before, Holder after, bool continues)
        : QUndoCommand(text),
          m_history(history),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_continues(continues)
    {
    }

    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand *other) override
    {
        const auto *next = static_cast<const Entry *>(other);
        if (!next->m_continues) return false;
        m_after = next->m_after;
        setText(next->text());
        return true;
    }
    void undo() override { m_history.go(m_after, m_before); }
    void redo() override
    {
        if (m_done) m_history.go(m_before, m_after);
        m_done = true; // what is pushed has happened already
    }
    const Holder &before() const { return m_before; }
    const Holder &after() const { return m_after; }

private:
    History &m_history;
    Holder m_before, m_after;
    bool m_continues;
    bool m_done = false;
};

History::Past::Past(QUndoGroup &group)
{
    stack.setUndoLimit(kMost);
    group.addStack(&stack);
}

History::History(Session &session, QObject *parent)
    : QObject(parent), m_session(session), m_past(std::make_unique<Past>(m_group))
{
    m_group.setActiveStack(stack());
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &History::settle);
    Document *document = &session.document;
    const auto watch = [this, document](auto signal) { connect(document, signal, this, &History::note); };
    watch(&Document::modelChanged);
    watch(&Document::budgetChanged);
    watch(&Document::plansChanged);
    watch(&Document::currentPlanChanged);
    watch(&Document::pinsChanged);
    watch(&Document::comparedChanged);
    connect(&session.viewStates, &ViewStates::touched, this, &History::noteSetting);
    // A plan that the quick planner brings belongs to the change that asked for it.
    connect(&session.quick, &QuickPlanner::runningChanged, this, [this] {
        if (m_session.quick.running()) return;
        m_consequence = true;
        QMetaObject::invokeMethod(
            this, [this] { m_consequence = false; }, Qt::QueuedConnection);
    });
    qApp->installEventFilter(this);
    clear();
}

History::~History()
{
    m_group.blockSignals(true); // emptying themselves stacks would tell those that are gone
    m_past.reset();
}

QUndoStack *History::stack() const
{
    return &m_past->stack;
}

std::unique_ptr<History::Past> History::park()
{
    m_settle.stop();
    settle();
    m_restoring = true;
    return std::exchange(m_past, std::make_unique<Past>(m_group));
}

void History::resume(std::unique_ptr<Past> past)
{
    m_restoring = false;
    const bool known = past != nullptr;
    if (known) m_past = std::move(past);
    m_group.setActiveStack(stack());
    m_lastKey.clear();
    if (!known) return clear();
    // What came in meanwhile is an entry where it is a plan, and no more than the present otherwise.
    m_past->book.learn(m_session.document);
    Snapshot now = takeSnapshot(m_session);
    now.settings = m_past->present->settings;
    if (now.planIds != m_past->present->planIds)
        note();
    else
        amend(std::move(now));
}

void History::clear()
{
    stack()->clear();
    m_past->book.clear();
    m_past->book.learn(m_session.document);
    m_past->present = std::make_shared<Snapshot>(takeSnapshot(m_session));
    m_past->present->settings = m_session.viewStates.save(ViewStates::Use::Undo);
    m_lastKey.clear();
    m_settle.start();
}

bool History::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType()) {
        if (!m_down) ++m_gesture;
        m_down = true;
    } else if (event->type() == QEvent::MouseButtonRelease) {
        m_down = false;
    }
    return QObject::eventFilter(watched, event);
}

std::vector<int> History::solves() const
{
    std::vector<int> plans;
    for (const auto &job : m_session.solver.jobs())
        plans.push_back(job->planId());
    return plans;
}

bool History::solvesByItself() const
{
    const auto &jobs = m_session.solver.jobs();
    return std::any_of(jobs.begin(), jobs.end(), [this](const auto &job) {
        const auto &known = m_past->present->planIds;
        return job->byItself() && job->planId() > 0 &&
               std::find(known.begin(), known.end(), job->planId()) == known.end() &&
               m_past->book.find(job->planId(), m_session.document.model().get());
    });
}

void History::note()
{
    if (m_restoring) return;
    const auto model = m_session.document.model();
    if (!m_past->present->model || !model || model->open != m_past->present->model->open) {
        clear();
        return;
    }
    m_past->book.learn(m_session.document);
    Snapshot now = takeSnapshot(m_session);
    now.settings = m_past->present->settings;
    if (now == *m_past->present) return;
    const Change change = describeChange(*m_past->present, now, m_past->book, m_session.sweeps.running(), solves());
    if (m_consequence || !change.own || solvesByItself())
        amend(std::move(now));
    else
        push(change, std::move(now));
}

void History::noteSetting(const QString &key, const QString &what)
{
    if (m_restoring || !m_past->present->model) return;
    Snapshot now = takeSnapshot(m_session);
    now.settings = m_session.viewStates.save(ViewStates::Use::Undo);
    if (now == *m_past->present) return;
    push({settingKey(key), what}, std::move(now));
    m_sameTurn = true;
    QMetaObject::invokeMethod(
        this, [this] { m_sameTurn = false; }, Qt::QueuedConnection);
}

bool History::goesOn(const Change &change) const
{
    const bool isSetting = change.key.startsWith(settingKey({}));
    // What one action sets in several places is one entry; two actions on one are two unless they say the same.
    if (isSetting && m_sameTurn) return true;
    if (m_lastKey != change.key || stack()->index() < stack()->count()) return false;
    if (isSetting && stack()->undoText() != change.text) return false;
    if (change.goesOn || (m_down && m_gesture == m_lastGesture)) return true;
    if (change.key == QLatin1String("plans") || change.key == QLatin1String("pins")) return false;
    return m_sinceLast.isValid() && m_sinceLast.elapsed() < kOneEntryMs;
}

void History::push(const Change &change, Snapshot now)
{
    const bool continues = goesOn(change);
    const Holder before = m_past->present;
    if (!continues && !change.key.startsWith(settingKey({}))) {
        // What was set since without a word is none of this change's doing.
        before->settings = m_session.viewStates.save(ViewStates::Use::Undo);
        now.settings = before->settings;
    }
    m_past->present = std::make_shared<Snapshot>(std::move(now));
    m_lastKey = change.key;
    m_lastGesture = m_gesture;
    m_sinceLast.start();
    m_settle.start();
    stack()->push(new Entry(*this, change.text, before, m_past->present, continues));
    if (++m_pushes % kPruneEvery == 0) prune();
}

void History::amend(Snapshot now)
{
    *m_past->present = std::move(now);
    m_settle.start();
}

void History::settle()
{
    if (m_restoring || !m_past->present->model) return;
    m_past->present->settings = m_session.viewStates.save(ViewStates::Use::Undo);
}

void History::go(const Holder &from, const Holder &to)
{
    m_restoring = true;
    m_session.quick.cancel();
    // The plan of a running solve or sweep would come back by itself.
    const auto loses = [&](int id) {
        const auto has = [id](const Holder &holder) {
            return std::find(holder->planIds.begin(), holder->planIds.end(), id) != holder->planIds.end();
        };
        return has(from) && !has(to);
    };
    const auto &jobs = m_session.solver.jobs();
    if (std::any_of(jobs.begin(), jobs.end(),
                    [&](const auto &job) { return job->report().active() && loses(job->planId()); }))
        m_session.solver.reset();
    if (m_session.sweeps.running() && std::any_of(from->planIds.begin(), from->planIds.end(), loses))
        m_session.sweeps.reset();
    restoreDifference(m_session, m_past->book, *from, *to);
    m_session.quick.cancel(); // nor does what comes back ask for a new plan
    m_past->present = to;
    m_lastKey.clear();
    m_restoring = false;
}

void History::prune()
{
    std::vector<const Snapshot *> used = {m_past->present.get()};
    for (int i = 0; i < stack()->count(); ++i) {
        const auto *entry = static_cast<const Entry *>(stack()->command(i));
        used.push_back(entry->before().get());
        used.push_back(entry->after().get());
    }
    m_past->book.keepOnly(used);
}

} // namespace remat::studio
