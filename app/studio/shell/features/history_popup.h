// SPDX-License-Identifier: Apache-2.0
// The list of what was done, newest last; a click goes there.
#pragma once

#include <QFrame>

class QUndoStack;
class QUndoView;

namespace remat::studio {

/// Closes when the keyboard or mouse goes elsewhere, and goes then. GUI thread only.
class HistoryPopup : public QFrame
{
    Q_OBJECT
public:
    explicit HistoryPopup(QUndoStack *stack, QWidget *parent);
    QUndoView *list() const { return m_list; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QUndoView *m_list;
};

} // namespace remat::studio
