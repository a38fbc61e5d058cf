// SPDX-License-Identifier: Apache-2.0
// Undo and redo of everything: snapshots before and after each change, with fast changes made into one.
#pragma once

#include "app/studio/work/history/describe.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QUndoGroup>
#include <QUndoStack>

#include <memory>

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
    ~History() override;

    /// What led to the present of one model.
    struct Past {
        explicit Past(QUndoGroup &group);
        QUndoStack stack;
        PlanBook book;
        std::shared_ptr<Snapshot> present = std::make_shared<Snapshot>();
    };
    /// Undo of the model that is shown. Another one when another model is.
    QUndoStack *stack() const;
    /// Every model's stack is in it; the shown one's is active.
    QUndoGroup *group() { return &m_group; }
    /// Hands over what was done with the model that is shown, before another one is; `resume` brings it back, and with
    /// none begins anew. In between nothing is noted.
    std::unique_ptr<Past> park();
    void resume(std::unique_ptr<Past> past);
    /// Forgets everything; what is shown now is where undo ends.
    void clear();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Entry;
    using Holder = std::shared_ptr<Snapshot>;

    void note();
    void noteSetting(const QString &key, const QString &what);
    void push(const Change &change, Snapshot now);
    bool goesOn(const Change &change) const;
    void amend(Snapshot now);
    void settle();
    void go(const Holder &from, const Holder &to);
    std::vector<int> solves() const;
    /// A plan came in that the program solved for after a change: it belongs to that change.
    bool solvesByItself() const;
    void prune();

    Session &m_session;
    QUndoGroup m_group;
    std::unique_ptr<Past> m_past;
    QTimer m_settle;
    QElapsedTimer m_sinceLast;
    QString m_lastKey;
    int m_gesture = 0, m_lastGesture = -1; ///< presses of a mouse button so far
    bool m_down = false;                   ///< a mouse button is
    bool m_sameTurn = false;               ///< the event loop is in the same turn as at the last change of a setting
    bool m_consequence = false;            ///< a quick plan is being delivered
    bool m_restoring = false;
    int m_pushes = 0;
};

} // namespace remat::studio
