// SPDX-License-Identifier: Apache-2.0
// The header of a dock, 32 high: icon and title, or tabs.
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace remat::studio {

/// Icon 15 and title.
class DockHeader : public QWidget
{
    Q_OBJECT
public:
    DockHeader(const QString &icon, const QString &title, QWidget *parent = nullptr);
    /// Puts a widget in the place of the title.
    void setBody(QWidget *widget);
    /// At the right end.
    void addButton(QWidget *button);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QHBoxLayout *m_row;
    QWidget *m_title;
};

/// Titles of views that share a place, a line of 2 px in `accent` below the active one. Where there is too little room
/// they move together, and what then does not fit whole is in a menu behind an arrow; the active one never is.
class HeaderTabs : public QWidget
{
    Q_OBJECT
public:
    explicit HeaderTabs(const QStringList &titles, QWidget *parent = nullptr);
    int current() const { return m_current; }
    void setCurrent(int index);
    void setTitles(const QStringList &titles);
    /// Where a title stands; nowhere while it is in the menu.
    QRect tab(int index) const { return tabRects(width()).value(index); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// Where the titles stand in that width; those in the menu nowhere.
    QList<QRect> tabRects(int width) const;
    static QList<int> hidden(const QList<QRect> &rects);
    /// The arrow; nowhere while all titles are seen.
    QRect moreRect(const QList<QRect> &rects) const;
    void openMore();
    int tabAt(const QPoint &point) const;
    QStringList m_titles;
    int m_current = 0;
};

} // namespace remat::studio
