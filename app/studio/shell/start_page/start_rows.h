// SPDX-License-Identifier: Apache-2.0
// Rows and frames of the start page.
#pragma once

#include "app/studio/base/style/theme.h"
#include "app/studio/shell/start_page/recent_files.h"

#include <QAbstractButton>
#include <QFrame>
#include <QScrollArea>
#include <QVBoxLayout>

namespace remat::studio {

/// A card of radius 10 around rows.
class CardFrame : public QWidget
{
    Q_OBJECT
public:
    explicit CardFrame(QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

/// A card of rows below each other that scrolls.
class CardScroll : public QScrollArea
{
    Q_OBJECT
public:
    explicit CardScroll(QWidget *parent = nullptr);
    /// Below those that are there; takes ownership.
    void add(QWidget *row);

private:
    QVBoxLayout *m_rows;
};

/// Gives a window that lists rows its title and a sentence; what is added to the column stands below them.
QVBoxLayout *beginListWindow(QWidget *window, const QString &title, const QString &about);

/// Where models are dropped: dashed border, accent while a file is over the window.
class DropZone : public QWidget
{
    Q_OBJECT
public:
    explicit DropZone(QWidget *parent = nullptr);
    void setDragging(bool dragging);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    bool m_dragging = false;
};

/// A clickable row that spans its card: hover, focus, Enter.
class CardRow : public QAbstractButton
{
    Q_OBJECT
public:
    CardRow(int height, bool first, QWidget *parent = nullptr);
    QSize sizeHint() const override { return {200, height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    /// Draws what the row says, inside 16 px of padding.
    virtual void paintContent(QPainter &painter, const QRect &area) = 0;

private:
    bool m_first;
};

/// A file opened before.
class RecentRow : public CardRow
{
    Q_OBJECT
public:
    RecentRow(const RecentFile &file, int number, bool first, QWidget *parent = nullptr);

protected:
    void paintContent(QPainter &painter, const QRect &area) override;

private:
    RecentFile m_file;
    int m_number;
};

/// Icon, title, a sentence on as many lines as it takes, a chevron.
class HelpRow : public CardRow
{
    Q_OBJECT
public:
    HelpRow(const QString &icon, const QString &title, const QString &text, bool first, QWidget *parent = nullptr);

protected:
    void paintContent(QPainter &painter, const QRect &area) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QString m_icon, m_text;
};

} // namespace remat::studio
