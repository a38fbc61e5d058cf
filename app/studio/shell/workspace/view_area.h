// SPDX-License-Identifier: Apache-2.0
// A place for views that take turns: tabs and the front view's own header above, the view below.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

class QAction;
class QHBoxLayout;
class QStackedWidget;

namespace remat::studio {

class HeaderTabs;
class TokenLabel;
class IconLabel;

/// A view and what the place needs to know of it.
struct ViewPlace {
    QString id;    ///< stable, kept in sessions: `graph`
    QString title; ///< title of the tab
    QString icon;  ///< shown where the view stands alone
    QWidget *view = nullptr;
    QWidget *header = nullptr; ///< beside the tabs while the view is in front; may be none
    QWidget *focus = nullptr;  ///< takes the keyboard; the view itself when there is none
    QList<QAction *> tools;    ///< buttons at the right end of the header while the view is in front
};

/// One view alone has its title in place of tabs. Takes ownership of views and headers. GUI thread only.
class ViewArea : public QWidget
{
    Q_OBJECT
public:
    explicit ViewArea(QWidget *parent = nullptr);

    void add(const ViewPlace &place);
    /// A strip below whatever view is in front.
    void addFooter(QWidget *footer);
    /// Hands a view that is there over to another place, without its tools' buttons.
    ViewPlace take(const QString &id);
    bool has(const QString &id) const { return indexOf(id) >= 0; }
    /// Brings a view to the front; an unknown id does nothing.
    void show(const QString &id);
    QString current() const;
    QStringList ids() const;
    QString title(const QString &id) const;
    QWidget *view(const QString &id) const;
    /// What takes the keyboard in the view in front; itself where nothing in it wants it. O(widgets of the view).
    QWidget *focusTarget() const;
    HeaderTabs *tabs() const { return m_tabs; }

Q_SIGNALS:
    void currentChanged(const QString &id);

private:
    int indexOf(const QString &id) const;
    void showCurrent();
    void showHeading();

    std::vector<ViewPlace> m_places;
    HeaderTabs *m_tabs;
    QStackedWidget *m_icons;
    TokenLabel *m_title;
    QStackedWidget *m_headers;
    QStackedWidget *m_tools;
    QStackedWidget *m_stack;
};

} // namespace remat::studio
