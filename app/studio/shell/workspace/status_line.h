// SPDX-License-Identifier: Apache-2.0
// The status bar, 26 high: graph, cursor, selection at the left; what goes on and the UI scale at the right.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/document/document.h"

#include <QDateTime>
#include <QTimer>
#include <QWidget>

class QMenu;

namespace remat::studio {

class IconLabel;
class StudioButton;
class TokenLabel;

/// What the window is doing; an empty text means nothing.
struct ActivityText {
    QString text;
    double fraction = -1; ///< negative when unknown
};

class StatusLine : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(Document *document, QWidget *parent = nullptr);
    void setActivity(const ActivityText &activity);
    /// False hides what is said of the model, which stays open behind another page.
    void setModelShown(bool shown);
    /// When what is shown was last kept on disk: "Saved 12 s ago".
    void setSaved(const QDateTime &when);
    /// What the UI scale at the right opens when it is clicked.
    void setScaleMenu(QMenu *menu);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Item {
        QWidget *box;
        IconLabel *icon;
        TokenLabel *text;
    };
    Item addItem(const QString &icon, const QString &name);
    void showGraph();
    void showCursor();
    void showSelection();
    void showSaved();
    void showScale();

    Document *m_document;
    OpLabels m_labels; ///< labels of the open model
    bool m_modelShown = true;
    Item m_graph, m_cursor, m_selection, m_state;
    TokenLabel *m_savedText;
    QDateTime m_saved;
    QTimer m_savedTimer;
    StudioButton *m_scale;
};

/// A bar of 2 px under the tool bar while something runs longer than 200 ms. Keeps its place when it is empty.
class ActivityBar : public QWidget
{
    Q_OBJECT
public:
    explicit ActivityBar(QWidget *parent = nullptr);
    void setActivity(const ActivityText &activity);

protected:
    void paintEvent(QPaintEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    ActivityText m_activity;
    int m_timer = 0;
    int m_ticks = 0;
};

} // namespace remat::studio
