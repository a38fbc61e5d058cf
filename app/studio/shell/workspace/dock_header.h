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

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QHBoxLayout *m_row;
    QWidget *m_title;
};

/// Titles of views that share a place, a line of 2 px in `accent` below the active one. Where there is too little room
/// they move together, and then the longest are elided.
class HeaderTabs : public QWidget
{
    Q_OBJECT
public:
    explicit HeaderTabs(const QStringList &titles, QWidget *parent = nullptr);
    int current() const { return m_current; }
    void setCurrent(int index);
    void setTitles(const QStringList &titles);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

Q_SIGNALS:
    void currentChanged(int index);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// Where the titles stand in that width.
    QList<QRect> tabRects(int width) const;
    int tabAt(const QPoint &point) const;
    bool isCut(int index, const QRect &tab) const;
    QStringList m_titles;
    int m_current = 0;
};

} // namespace remat::studio
