// Plays a plan step by step: moves the cursor of all views and says what happens.
#pragma once

#include "app/studio/memory_view/op_labels.h"
#include "app/studio/window/feature.h"

#include <QObject>
#include <QTimer>

class QAction;
class QSlider;

namespace remat::studio {

struct CostedModel;
class PlayerStrip;
struct PlanEntry;
class SegmentedControl;
class TokenLabel;

/// A strip under the bottom views, shown by a command and in the preset "Learn". Follows the cursor while it rests.
/// GUI thread only.
class StepPlayer : public QObject
{
    Q_OBJECT
public:
    explicit StepPlayer(const FeatureHost &host);

    bool playing() const { return m_timer.isActive(); }
    void setPlaying(bool playing);
    /// Goes to a computation of the plan, clamped to the first and last.
    void goTo(std::int64_t sample);
    /// −1 before the first.
    std::int64_t sample() const { return m_sample; }
    QWidget *strip() const;
    /// What happens at the step; empty before the first.
    QString story() const;

private:
    void build();
    void takePlan();
    void takeCursor();
    void tick();
    void showStep();
    void showStrip(bool shown);
    std::int64_t count() const;

    FeatureHost m_host;
    PlayerStrip *m_strip;
    QAction *m_shown, *m_play, *m_forward, *m_back;
    QSlider *m_slider;
    SegmentedControl *m_speed;
    TokenLabel *m_step, *m_story;
    QTimer m_timer;
    std::shared_ptr<const CostedModel> m_model;
    std::shared_ptr<const PlanEntry> m_plan;
    OpLabels m_labels;
    std::int64_t m_sample = -1;
    bool m_moving = false;
};

} // namespace remat::studio
