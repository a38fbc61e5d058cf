// SPDX-License-Identifier: Apache-2.0
// The docks around the graph: which are open, how large, and what the keyboard reaches next.
#pragma once

#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/dock_room.h"
#include "app/studio/shell/workspace/icon_rail.h"
#include "app/studio/shell/workspace/view_deck.h"
#include "app/studio/work/session/session.h"

#include <QDockWidget>
#include <QMainWindow>

#include <functional>

namespace remat::studio {

class CurveView;
class GraphView;
class LeftPanel;
class MemoryView;
class PlanPanel;

/// Which docks are open and which views are in front at first. What the person changes is kept under the id.
struct Preset {
    QString id = QStringLiteral("plan"); ///< stable, in settings
    bool left = true, bottom = true, right = true;
    bool modules = true;                          ///< the tree above the plans, in the left dock
    bool player = false;                          ///< the strip that plays the steps, under the bottom views
    QString centerView = QStringLiteral("graph"); ///< the first one where there is none of that id
    QString bottomView = QStringLiteral("memory");
    QString rightView = QStringLiteral("plan");
};

/// Builds the views of an open model into a main window. GUI thread only.
class Workspace : public QObject
{
    Q_OBJECT
public:
    /// Makes every view of the list. `window` takes the docks; the centre is for the caller to place.
    Workspace(QMainWindow *window, Session &session, Commands &commands, std::function<void(const Notice &)> say);

    /// Where views stand. Very wide windows have a second column in the centre, which takes the trade-off.
    enum class Area { Center, Second, Bottom, Right };

    QWidget *center() const { return m_views->columns(); }
    ViewArea *area(Area area) const;
    /// Brings a view to the front, and opens the dock it stands in.
    void showView(const QString &id);
    /// The view of that type.
    template <class View>
    View *view() const
    {
        return m_views->view<View>();
    }
    GraphView *graph() const;
    CurveView *curve() const;
    MemoryView *memory() const;
    PlanPanel *planPanel() const;
    LeftPanel *leftPanel() const { return m_leftPanel; }
    /// The commands that bring views to the front.
    const QList<QAction *> &viewActions() const { return m_views->actions(); }
    /// The docks that can leave the window.
    QDockWidget *leftDock() const { return m_left; }
    QDockWidget *bottomDock() const { return m_bottom; }
    QDockWidget *rightDock() const { return m_right; }

    /// Docks are there while a model is shown and gone on the start page.
    void setShown(bool shown);
    bool shown() const { return m_shown; }
    /// Brings the plan panel to the front, and opens the dock it stands in.
    void showPlanPanel();
    /// Brings the docks and views to the front that the preset names; sizes and what floats stay.
    void showNamed();
    /// Brings graph, memory and plan panel to the front where they stand, for a model that has no plans yet to compare
    /// or to list. No dock opens or closes, and what the learner arranged stays.
    void showFirst();
    /// Everything as the preset has it at first, by the size of the window.
    void reset();
    /// Keeps what the preset of before looks like now, and shows this one as it was left, or as it is at first.
    void usePreset(const Preset &preset);
    const Preset &preset() const { return m_preset; }
    /// Opens the bottom dock.
    void showBottom() { m_bottom->setVisible(m_shown); }
    /// What the person arranged, kept from one start to the next.
    void save() const;
    /// Where docks are and how large, for a session.
    QJsonObject saveLayout() const;
    /// Only while the workspace is shown; what cannot be read is passed over.
    void restoreLayout(const QJsonObject &layout);
    /// Closes docks when the window gets narrow or low, and brings them back when there is room again. `before` is the
    /// size that it had.
    void windowResized(QSize before = {});
    /// Moves the keyboard: left, centre, bottom, right, and round again.
    void focusNext(int by);

Q_SIGNALS:
    void presetUsed();
    /// A person, and no session or setting, has asked for an arrangement.
    void presetAsked(const QString &id);

private:
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *content, Qt::DockWidgetArea area);
    void showCalled(const ViewSpec &spec, QWidget *focus);
    void wireLeftPanel();
    void keepHierarchy();
    /// The action is checked while the dock is open, and calls `toggled`.
    void bindToggle(QAction *action, QDockWidget *dock, const std::function<void(bool)> &toggled);
    void restore();
    void openByHand(QDockWidget *dock, bool on);
    void placeColumns();
    void showRail();
    void openFromRail(IconRail::Part part);

    QMainWindow *m_window;
    Session &m_session;
    ViewDeck *m_views;
    LeftPanel *m_leftPanel;
    IconRail *m_railButtons;
    QDockWidget *m_rail; ///< in place of the left dock where there is no room for it
    QDockWidget *m_left, *m_bottom, *m_right;
    DockRoom m_room;
    Preset m_preset;
    bool m_shown = false;
    bool m_restored = false;
    bool m_open[3] = {true, true, true}; ///< left, bottom, right: while a model is shown
};

} // namespace remat::studio
