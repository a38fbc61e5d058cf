// SPDX-License-Identifier: Apache-2.0
// How planners think: recorded on the open model, or opened from a file, and played.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/teaching/stories/story.h"

#include <QList>
#include <QObject>
#include <QPointer>

#include <functional>

class QAction;

namespace remat::studio {

class StoryWindow;

/// A command for each planner that tells how it plans, a list of them, and a button in the Plan panel. The cards of a
/// frame's ops light up in the graph where the story is about the open model. GUI thread only; solves run in the
/// background.
class Stories : public QObject
{
    Q_OBJECT
public:
    /// `open` opens a model's file; its tab where it is open already.
    Stories(const FeatureHost &host, std::function<void(const QString &path)> open);
    ~Stories() override;

    /// A story's file; says what is wrong with it otherwise.
    void open(const QString &path);
    /// Plans the open model within its budget once more, recorded.
    void record(const QString &planner);
    /// The same on a small graph of the lessons, which is opened for it.
    void recordOnSmallGraph(const QString &planner);
    void showList();
    bool recording() const { return m_recording.running(); }
    /// Ends a recording, and closes the story that is played.
    void close();
    /// The story that is played; none after it was closed.
    StoryWindow *window() const;
    /// The story that is played as a looping animated PNG. Empty, or why it cannot be written.
    QString exportAnimation(const QString &path);

private:
    void addCommands();
    void addToPlanPanel();
    /// Whether record() would have something to tell about the open model.
    bool suits() const;
    void recordOpened();
    void show(Story story);
    void place();
    void light(const StoryFrame &frame);
    void askWhereToSaveIt();
    QString save(const QString &path); ///< as an animation or as `remat-story/1`, by its ending

    FeatureHost m_host;
    std::function<void(const QString &path)> m_open;
    JobTracker m_recording;
    QString m_wanted; ///< planner that waits for its small graph
    QList<QAction *> m_actions;
    QPointer<StoryWindow> m_window;
};

} // namespace remat::studio
