// SPDX-License-Identifier: Apache-2.0
// The strip that plays a plan step by step and says what happens.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/shell/workspace/feature.h"
#include "core/teaching/explain/step_story.h"

#include <QList>
#include <QObject>

class QAction;

namespace remat {
struct CostedModel;
struct PlanEntry;
} // namespace remat

namespace remat::studio {

class LoopSlider;
class PlayerStrip;
class Replay;
class SegmentedControl;
class TokenLabel;

/// A strip under the bottom views, shown by a command and in the preset "Learn". GUI thread only.
class StepPlayer : public QObject
{
    Q_OBJECT
public:
    explicit StepPlayer(const FeatureHost &host);

    QWidget *strip() const;
    /// What happens at the step; empty before the first.
    QString story() const;

private:
    void build();
    void takePlan();
    void togglePlaying();
    void showPlaying();
    void showStep();
    void showStrip(bool shown);
    QAction *addCommand(const char *id, const QString &text, const char *icon, const QKeySequence &key,
                        const QString &tooltip);
    void addJumps();
    void addLoop();
    QWidget *buttonOf(QAction *action);
    void showLoop();
    /// To the nearest of these, in the direction of `by`; a peak is found in both.
    void jump(StepGoal goal, int by);
    std::int64_t count() const;

    FeatureHost m_host;
    Replay &m_replay;
    PlayerStrip *m_strip;
    QAction *m_shown, *m_play, *m_forward, *m_back;
    QAction *m_loopFrom, *m_loopTo, *m_loopEnd;
    QList<QAction *> m_jumps, m_backJumps;
    LoopSlider *m_slider;
    SegmentedControl *m_speed;
    TokenLabel *m_step, *m_story;
    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    OpLabels m_labels;
};

} // namespace remat::studio
