// The strip that plays a plan step by step and says what happens.
#pragma once

#include "app/studio/memory_view/op_labels.h"
#include "app/studio/window/feature.h"

#include <QObject>

class QAction;
class QSlider;

namespace remat {
struct CostedModel;
struct PlanEntry;
} // namespace remat

namespace remat::studio {

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
    std::int64_t count() const;

    FeatureHost m_host;
    Replay &m_replay;
    PlayerStrip *m_strip;
    QAction *m_shown, *m_play, *m_forward, *m_back;
    QSlider *m_slider;
    SegmentedControl *m_speed;
    TokenLabel *m_step, *m_story;
    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    OpLabels m_labels;
};

} // namespace remat::studio
