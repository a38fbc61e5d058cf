// SPDX-License-Identifier: Apache-2.0
// Every view of the window, in the places where they take turns.
#pragma once

#include "app/studio/shell/workspace/view_area.h"
#include "app/studio/shell/workspace/view_list.h"

#include <QSplitter>

#include <functional>
#include <map>

namespace remat::studio {

/// Makes the views of the list and puts each into its place: two columns of the centre, the bottom, the right. Which is
/// in front is one of the session's view states. Whoever places `center()`, `bottom()` and `right()` in a window owns
/// them. GUI thread only.
class ViewDeck : public QObject
{
    Q_OBJECT
public:
    ViewDeck(Session &session, Commands &commands, const std::function<void(const Notice &)> &say, QObject *parent);

    /// Both columns; the second is hidden until it takes a view.
    QSplitter *columns() const { return m_columns; }
    ViewArea *center() const { return m_center; }
    ViewArea *second() const { return m_second; }
    ViewArea *bottom() const { return m_bottom; }
    ViewArea *right() const { return m_right; }
    /// The view of that type; none where the list has none.
    template <class View>
    View *view() const
    {
        for (const auto &[id, each] : m_views)
            if (auto *found = qobject_cast<View *>(each)) return found;
        return nullptr;
    }
    /// The commands that bring views to the front.
    const QList<QAction *> &actions() const { return m_actions; }
    /// Gives the trade-off a column of its own, or takes it back among the others.
    void setTwoColumns(bool two);

Q_SIGNALS:
    /// The command of that view was called.
    void called(const remat::studio::ViewSpec &spec, QWidget *focus);

private:
    void placeAreas();
    void bind(const ViewSpec &spec, const MadeView &made, Session &session, const Commands &commands);
    void keepFronts(ViewStates &states);

    QSplitter *m_columns;
    ViewArea *m_center, *m_second, *m_bottom, *m_right;
    std::map<QString, QWidget *> m_views; ///< by id
    QList<QAction *> m_actions;
};

} // namespace remat::studio
