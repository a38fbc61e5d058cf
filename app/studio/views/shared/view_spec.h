// SPDX-License-Identifier: Apache-2.0
// What the window must know of a view: one value per view, in the view's folder. The window makes its places, commands,
// help and sessions from the list of these.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/views/shared/feature_row.h"
#include "app/studio/work/document/view_states.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QList>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;

namespace remat::studio {

class Commands;
struct Session;

/// Texts of specs.
struct ViewText {
    Q_DECLARE_TR_FUNCTIONS(Views)
};

/// What a view is made with. Outlives it.
struct ViewHost {
    Session &session;
    Commands &commands;
    std::function<void(const Notice &)> say; ///< in the strip over the centre
    /// A view that stands before this one in the list, by its id.
    std::function<QWidget *(const QString &id)> view;
    /// The person changed what the view keeps; `what` is for the history list.
    std::function<void(const QString &what)> touch;
};

/// A view as made; the place it stands in owns all of it.
struct MadeView {
    QWidget *view = nullptr;
    QWidget *header = nullptr; ///< beside the tabs while the view is in front; may be none
    QWidget *focus = nullptr;  ///< takes the keyboard; the view itself when there is none
    QList<QAction *> tools;    ///< buttons at the right end of the header
    /// What undo, sessions and presets keep of it, under its id; may be empty.
    ViewStates::Keeper keeper = {};
};

/// Where a view stands; very wide windows move one of the centre into a second column.
enum class ViewSide { Center, Bottom, Right };

struct ViewSpec {
    int order = 0; ///< place in rows of tabs and in menus, by rising order
    QString id;    ///< stable, in sessions: `graph`
    QString title; ///< title of its tab: `Graph`
    QString icon;  ///< Lucide name
    ViewSide side = ViewSide::Center;
    QString command; ///< id of the command that brings it to the front; empty where a feature has one of its own
    QKeySequence key;
    QString tooltip;                  ///< tooltip of the command
    bool takesKeyboard = false;       ///< when the command shows it
    QStringList with;                 ///< ids of views that the command shows beside it
    std::vector<FeatureRow> features; ///< its rows on the help page; without a command of their own they lead to it
    std::function<MadeView(const ViewHost &)> make; ///< once per window, GUI thread
};

} // namespace remat::studio
