// The header of a dock, 32 high: icon and title, or tabs.
#pragma once

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

/// Titles of views that share a place, a line of 2 px in `accent` below the active one.
class HeaderTabs : public QWidget
{
    Q_OBJECT
public:
    explicit HeaderTabs(const QStringList &titles, QWidget *parent = nullptr);
    int current() const { return m_current; }
    void setCurrent(int index);
    void setTitles(const QStringList &titles);
    QSize sizeHint() const override;

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QRect tabRect(int index) const;
    QStringList m_titles;
    int m_current = 0;
};

} // namespace remat::studio
