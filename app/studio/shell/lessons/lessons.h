// SPDX-License-Identifier: Apache-2.0
// Lessons in the window: their panel beside the views, which views stand there, the list, the keys.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "app/studio/work/lessons/lesson_run.h"

#include <QObject>

class QDockWidget;

namespace remat::studio {

class LessonPanel;
class Stories;

/// GUI thread only.
class Lessons : public QObject
{
    Q_OBJECT
public:
    /// `stories` plays those of steps, and outlives every step; `open` opens a model's file, or shows its tab.
    Lessons(const FeatureHost &host, Stories &stories,
            std::function<void(const QString &path, const QString &title)> open);

    /// A lesson's file, or the name of one that comes with the program; `step` from 1, 0 goes where it was left. False
    /// with a sentence in the window's strip when it cannot be read.
    bool start(const QString &lesson, int step = 0);
    LessonRun &run() { return m_run; }
    LessonPanel *panel() const { return m_panel; }
    /// The panel is there while a model is shown and gone on the start page.
    void setShown(bool shown);
    void showList();
    void closeList();
    void showGlossary();
    void showClassPage();
    /// As JSON, or as CSV where the file is called so.
    void saveProgress(const QString &path);

private:
    void arrange(const LessonScene &scene);
    /// Brings a view to the front, with a frame around it for some seconds.
    void light(const QString &view);
    /// Draws the cut of the bound for the document's budget over the memory view, or takes it away.
    void showCut(bool shown);
    void placePanel();
    void leave();
    QStringList views() const;
    void addCommands();
    void askForProgress();

    FeatureHost m_host;
    Stories &m_stories;
    LessonRun m_run;
    LessonPanel *m_panel;
    QDockWidget *m_dock;
    std::optional<Preset> m_before; ///< the arrangement that a lesson has replaced
    QList<QAction *> m_keys;        ///< that need a lesson
    bool m_shown = true;
    JobTracker m_cut; ///< what a step draws over the memory view
};

} // namespace remat::studio
