// Undo and redo of everything: snapshots before and after each change, with fast changes made into one.
#pragma once

#include "app/studio/history/describe.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QUndoStack>

namespace remat::studio {

struct Session;

/// Watches a session, which may go first. GUI thread only. A snapshot costs a few microseconds per plan; nothing is
/// copied.
class History : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMost = 200; ///< entries
    explicit History(Session &session, QObject *parent = nullptr);
    ~History() override { m_stack.blockSignals(true); } // emptying itself it would tell those that are gone

    QUndoStack *stack() { return &m_stack; }
    /// Forgets everything; what is shown now is where undo ends.
    void clear();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Entry;
    using Holder = std::shared_ptr<Snapshot>;

    void note();
    void noteView(const QString &key, const QString &what);
    void push(const Change &change, Snapshot now);
    bool goesOn(const Change &change) const;
    void amend(Snapshot now);
    void settle();
    void go(const Holder &from, const Holder &to);
    std::vector<int> solves() const;
    void prune();

    Session &m_session;
    QUndoStack m_stack;
    PlanBook m_book;
    Holder m_present;
    QTimer m_settle;
    QElapsedTimer m_sinceLast;
    QString m_lastKey;
    int m_gesture = 0, m_lastGesture = -1; ///< presses of a mouse button so far
    bool m_down = false;                   ///< a mouse button is
    bool m_sameTurn = false;               ///< of the event loop, as the last change of a view
    bool m_consequence = false;            ///< a quick plan is being delivered
    bool m_restoring = false;
    int m_pushes = 0;
};

} // namespace remat::studio
