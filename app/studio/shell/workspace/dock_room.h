// SPDX-License-Identifier: Apache-2.0
// What docks do when the window has no room for them, and when it has again.
#pragma once

#include <QJsonObject>
#include <QSize>

class QDockWidget;
class QMainWindow;

namespace remat::studio {

/// The docks of a window that make room: left in a narrow one, bottom in a low one. One that was closed for room comes
/// back with it; one that a person opens or closes stays so. GUI thread only.
class DockRoom
{
public:
    /// Holds on to all of them; the docks are the window's.
    DockRoom(QMainWindow *window, QDockWidget *left, QDockWidget *bottom, QDockWidget *right);

    /// Below 1400 the left dock makes room for the graph; below 600 high the bottom dock does; below 900 the graph
    /// makes room for the panels.
    bool narrow() const;
    bool low() const;
    bool tight() const;
    /// Wide enough for a second column in the centre.
    bool wide() const;

    struct Wanted {
        bool left = false, bottom = false, right = false;
    };
    /// Opens the docks that are wanted where there is room for them; the others come when there is.
    void open(Wanted docks);
    /// A person decided: no room is made or taken back for this dock before the window crosses a limit again. The left
    /// one that was closed for room opens at its first width.
    void keep(const QDockWidget *dock);
    /// No dock is closed or smaller for want of room: what is seen is what somebody arranged.
    void forget();
    /// The widths and the height that this size of window has at first.
    void applySizes();
    /// Docks that were arranged in a window of that size get the sizes of this one where they are too large for it.
    /// `center` is the least width of what they surround.
    void fit(QSize arrangedIn, int center);
    /// The window had the size `before` and has another now.
    void resized(QSize before);

    /// Which are closed for room, for a session.
    void save(QJsonObject &layout) const;
    void restore(const QJsonObject &layout);

private:
    void makeRoom(QDockWidget *dock, bool &closed, bool without);

    QMainWindow *m_window;
    QDockWidget *m_left, *m_bottom, *m_right;
    bool m_leftClosed = false, m_bottomClosed = false;
    bool m_shrunk = false; ///< docks are smaller than they were arranged
};

} // namespace remat::studio
