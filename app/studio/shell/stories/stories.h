// How planners think: recorded on the open model, or opened from a file, and played.
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/stories/story.h"

#include <QList>
#include <QObject>
#include <QPointer>

class QAction;

namespace remat::studio {

class StoryWindow;

/// A command for each planner that tells how it plans. The cards of a frame's ops light up in the graph where the story
/// is about the open model. GUI thread only; solves run in the background.
class Stories : public QObject
{
    Q_OBJECT
public:
    explicit Stories(const FeatureHost &host);

    /// A story's file; says what is wrong with it otherwise.
    void open(const QString &path);
    /// Plans the open model within its budget once more, recorded.
    void record(const QString &planner);
    bool recording() const { return m_recording.running(); }

private:
    void show(Story story);
    void light(const StoryFrame &frame);
    void askWhereToSaveIt();

    FeatureHost m_host;
    JobTracker m_recording;
    QList<QAction *> m_actions;
    QPointer<StoryWindow> m_window;
};

} // namespace remat::studio
