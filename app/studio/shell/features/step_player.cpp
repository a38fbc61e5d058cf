// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/step_player.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/features/step_story.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/shared/no_plan.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

#include <QAction>
#include <QPainter>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

/// Steps a second, by the choice of speed.
constexpr std::array kSpeeds = {1.7, 6.7, 30.0, 200.0};
constexpr int kHeight = 82; ///< a row of buttons, and two lines of text
constexpr int kButton = 28;

} // namespace

/// The ground of the strip.
class PlayerStrip : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), Theme::instance().color(Token::Raised));
        painter.fillRect(0, 0, width(), 1, Theme::instance().color(Token::Line));
    }
};

/// A slider with the loop marked on it.
class LoopSlider : public QSlider
{
public:
    using QSlider::QSlider;

    void setLoop(const std::optional<Replay::Loop> &loop)
    {
        m_loop = loop;
        update();
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QSlider::paintEvent(event);
        if (!m_loop) return;
        const int room = width() - kKnob;
        const auto x = [&](std::int64_t value) {
            return kKnob / 2 + QStyle::sliderPositionFromValue(minimum(), maximum(), static_cast<int>(value), room);
        };
        QPainter painter(this);
        const QColor accent = Theme::instance().color(Token::Accent);
        painter.fillRect(x(m_loop->from), height() - 4, std::max(x(m_loop->to) - x(m_loop->from), 2), 3, accent);
        for (const std::int64_t end : {m_loop->from, m_loop->to})
            painter.fillRect(x(end) - 1, height() / 2 + 3, 2, height() / 2 - 3, accent);
    }

private:
    static constexpr int kKnob = 16;
    std::optional<Replay::Loop> m_loop;
};

StepPlayer::StepPlayer(const FeatureHost &host)
    : QObject(host.owner),
      m_host(host),
      m_replay(host.session.replay),
      m_strip(new PlayerStrip),
      m_slider(new LoopSlider(Qt::Horizontal, m_strip)),
      m_speed(new SegmentedControl({tr("Slow"), tr("Normal"), tr("Fast"), tr("Fastest")}, m_strip)),
      m_step(new TokenLabel({}, FontRole::Name, Token::Text, m_strip)),
      m_story(new TokenLabel({}, FontRole::Body, Token::Text2, m_strip))
{
    setObjectName(QStringLiteral("stepPlayer"));
    build();
    host.workspace.area(Workspace::Area::Bottom)->addFooter(m_strip);

    Document &document = host.session.document;
    connect(&document, &Document::modelChanged, this, &StepPlayer::takePlan);
    connect(&document, &Document::currentPlanChanged, this, &StepPlayer::takePlan);
    connect(&document, &Document::budgetChanged, this, [this] {
        if (!m_plan) showStep();
    });
    connect(&m_replay, &Replay::playingChanged, this, &StepPlayer::showPlaying);
    connect(&m_replay, &Replay::sampleChanged, this, &StepPlayer::showStep);
    connect(&m_replay, &Replay::loopChanged, this, &StepPlayer::showLoop);
    connect(m_speed, &SegmentedControl::currentChanged, this,
            [this](int speed) { m_replay.setStepsPerSecond(kSpeeds[static_cast<std::size_t>(speed)]); });
    connect(&host.workspace, &Workspace::presetUsed, this, [this] {
        const QString key = QStringLiteral("workspace/%1/player").arg(m_host.workspace.preset().id);
        showStrip(QSettings().value(key, m_host.workspace.preset().player).toBool());
    });
    m_speed->setCurrent(1);
    showStrip(QSettings().value(QStringLiteral("workspace/plan/player"), false).toBool());
    takePlan();
}

void StepPlayer::build()
{
    Commands &all = m_host.commands;
    const QString group = ViewText::tr("Time and steps");
    m_shown = all.add({QStringLiteral("stepPlayer"),
                       Section::View,
                       tr("Step player"),
                       QStringLiteral("step-forward"),
                       {Qt::CTRL | Qt::ALT | Qt::Key_S},
                       tr("Shows the strip that plays the plan step by step"),
                       true,
                       true,
                       group});
    m_play = all.add({QStringLiteral("stepPlay"),
                      Section::View,
                      tr("Play the plan"),
                      QStringLiteral("play"),
                      {Qt::CTRL | Qt::SHIFT | Qt::Key_Space},
                      tr("Moves the time cursor through the steps of the plan, or stops it"),
                      false,
                      false,
                      group});
    m_back = all.add({QStringLiteral("stepBack"),
                      Section::View,
                      tr("Step back"),
                      QStringLiteral("chevron-left"),
                      {Qt::CTRL | Qt::SHIFT | Qt::Key_Left},
                      tr("Goes to the computation before"),
                      false,
                      false,
                      group});
    m_forward = all.add({QStringLiteral("stepForward"),
                         Section::View,
                         tr("Step forward"),
                         QStringLiteral("chevron-right"),
                         {Qt::CTRL | Qt::SHIFT | Qt::Key_Right},
                         tr("Goes to the next computation"),
                         false,
                         false,
                         group});
    connect(m_shown, &QAction::triggered, this, [this](bool on) {
        QSettings().setValue(QStringLiteral("workspace/%1/player").arg(m_host.workspace.preset().id), on);
        showStrip(on);
    });
    connect(m_play, &QAction::triggered, this, &StepPlayer::togglePlaying);
    connect(m_back, &QAction::triggered, this, [this] { m_replay.step(-1); });
    connect(m_forward, &QAction::triggered, this, [this] { m_replay.step(1); });

    addJumps();
    addLoop();

    m_strip->setObjectName(QStringLiteral("stepStrip"));
    m_strip->setFixedHeight(kHeight);
    m_slider->setObjectName(QStringLiteral("stepSlider"));
    m_slider->setAccessibleName(tr("Step"));
    m_step->setObjectName(QStringLiteral("stepNumber"));
    m_story->setObjectName(QStringLiteral("stepStory"));
    m_story->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_story->setWordWrap(true);
    m_story->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_speed->setObjectName(QStringLiteral("stepSpeed"));
    m_speed->setAccessibleName(tr("Speed"));

    auto *rows = new QVBoxLayout(m_strip);
    rows->setContentsMargins(14, 3, 14, 2);
    rows->setSpacing(0);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    rows->addLayout(row);
    for (QAction *action : QList<QAction *>{m_back, m_play, m_forward} + m_jumps)
        row->addWidget(buttonOf(action));
    row->addWidget(m_slider, 1);
    for (const auto &[action, text] : {std::pair(m_loopFrom, tr("From")), std::pair(m_loopTo, tr("To"))}) {
        auto *button = new StudioButton(text, {}, ButtonKind::Quiet, m_strip);
        button->setObjectName(QStringLiteral("strip.") + action->objectName());
        button->setFixedHeight(kButton);
        button->followAction(action);
        button->setText(text);
        button->setAccessibleName(action->text());
        row->addWidget(button);
    }
    row->addWidget(buttonOf(m_loopEnd));
    row->addWidget(m_speed);
    auto *below = new QHBoxLayout;
    below->setSpacing(12);
    rows->addLayout(below);
    below->addWidget(m_step, 0, Qt::AlignTop);
    below->addWidget(m_story, 1);
    connect(m_slider, &QSlider::valueChanged, &m_replay, &Replay::go);
}

QWidget *StepPlayer::buttonOf(QAction *action)
{
    auto *button = new StudioButton({}, action->property("iconName").toString(), ButtonKind::Quiet, m_strip);
    button->setObjectName(QStringLiteral("strip.") + action->objectName());
    button->setAccessibleName(action->text());
    button->setFixedSize(kButton, kButton);
    button->followAction(action);
    return button;
}

QAction *StepPlayer::addCommand(const char *id, const QString &text, const char *icon, const QKeySequence &key,
                                const QString &tooltip)
{
    return m_host.commands.add({QLatin1String(id),
                                Section::View,
                                text,
                                QLatin1String(icon),
                                {key},
                                tooltip,
                                false,
                                false,
                                ViewText::tr("Time and steps")});
}

void StepPlayer::addJumps()
{
    const auto add = [this](const char *id, const QString &text, const char *icon, QKeySequence key,
                            const QString &tooltip, StepGoal goal, int by) {
        QAction *action = addCommand(id, text, icon, key, tooltip);
        connect(action, &QAction::triggered, this, [this, goal, by] { jump(goal, by); });
        return action;
    };
    m_jumps = {add("stepNextAgain", tr("Next recomputation"), "rotate-ccw", Qt::ALT | Qt::SHIFT | Qt::Key_A,
                   tr("Goes to the next op that is computed again"), StepGoal::Recomputation, 1),
               add("stepNextFree", tr("Next free"), "trash-2", Qt::ALT | Qt::SHIFT | Qt::Key_F,
                   tr("Goes to the next computation after which something is freed"), StepGoal::Free, 1),
               add("stepPeak", tr("Step of the peak"), "chart-area", Qt::ALT | Qt::SHIFT | Qt::Key_P,
                   tr("Goes to the step at which most is held"), StepGoal::Peak, 1)};
    m_backJumps = {add("stepLastAgain", tr("Recomputation before"), "rotate-ccw",
                       Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_A, tr("Goes back to the recomputation before"),
                       StepGoal::Recomputation, -1),
                   add("stepLastFree", tr("Free before"), "trash-2", Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_F,
                       tr("Goes back to the free before"), StepGoal::Free, -1)};
}

void StepPlayer::addLoop()
{
    const auto add = [this](const char *id, const QString &text, const char *icon, QKeySequence key,
                            const QString &tooltip, auto work) {
        QAction *action = addCommand(id, text, icon, key, tooltip);
        connect(action, &QAction::triggered, &m_replay, work);
        return action;
    };
    m_loopFrom = add("stepLoopFrom", tr("Loop from this step"), "chevron-right", Qt::ALT | Qt::SHIFT | Qt::Key_B,
                     tr("Playing begins here and comes back here"), &Replay::loopFromHere);
    m_loopTo = add("stepLoopTo", tr("Loop to this step"), "chevron-left", Qt::ALT | Qt::SHIFT | Qt::Key_N,
                   tr("Playing goes back to the start of the loop after this step"), &Replay::loopToHere);
    m_loopEnd = add("stepLoopEnd", tr("End the loop"), "x", Qt::ALT | Qt::SHIFT | Qt::Key_O,
                    tr("Plays to the end again"), &Replay::endLoop);
}

void StepPlayer::jump(StepGoal goal, int by)
{
    if (!m_plan) return;
    m_replay.pause();
    const MemoryTimeline &line = *m_plan->timeline;
    const auto &steps = m_plan->plan->steps;
    std::int64_t there = nextGoal(line, steps, goal, m_replay.sample(), by);
    if (there < 0 && goal == StepGoal::Peak) there = static_cast<std::int64_t>(line.peakSample);
    if (there >= 0) m_replay.go(there);
}

void StepPlayer::showLoop()
{
    const auto &loop = m_replay.loop();
    m_slider->setLoop(loop);
    m_slider->setAccessibleDescription(
        loop ? tr("Loop from computation %1 to %2").arg(countText(loop->from), countText(loop->to)) : QString());
    m_slider->setToolTip(m_slider->accessibleDescription());
    m_loopEnd->setEnabled(loop.has_value());
}

QWidget *StepPlayer::strip() const
{
    return m_strip;
}

QString StepPlayer::story() const
{
    return m_story->text();
}

std::int64_t StepPlayer::count() const
{
    return m_plan ? static_cast<std::int64_t>(m_plan->timeline->op.size()) : 0;
}

void StepPlayer::showStrip(bool shown)
{
    m_shown->setChecked(shown);
    m_strip->setVisible(shown);
    if (!shown) m_replay.pause();
    showStep();
}

void StepPlayer::takePlan()
{
    const Document &document = m_host.session.document;
    const auto model = document.model();
    if (model != m_model) {
        m_model = model;
        m_labels = model ? OpLabels(model->graph()) : OpLabels();
    }
    m_plan = model ? document.currentPlan() : nullptr;
    const bool usable = count() > 0;
    for (QAction *action : QList<QAction *>{m_play, m_back, m_forward, m_loopFrom, m_loopTo} + m_jumps + m_backJumps)
        action->setEnabled(usable);
    showLoop();
    m_shown->setEnabled(model != nullptr);
    m_slider->setEnabled(usable);
    m_speed->setEnabled(usable);
    if (!usable) m_replay.pause();
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, static_cast<int>(std::max<std::int64_t>(count() - 1, 0)));
    showStep();
}

void StepPlayer::togglePlaying()
{
    if (m_replay.playing()) {
        m_replay.pause();
        return;
    }
    if (!m_shown->isChecked()) m_shown->trigger();
    m_host.workspace.showBottom();
    m_replay.play();
}

void StepPlayer::showPlaying()
{
    const bool playing = m_replay.playing();
    m_play->setText(playing ? tr("Pause the plan") : tr("Play the plan"));
    m_play->setProperty("iconName", playing ? QStringLiteral("pause") : QStringLiteral("play"));
    m_play->setIcon(Theme::instance().icon(m_play->property("iconName").toString()));
    auto *button = m_strip->findChild<StudioButton *>(QStringLiteral("strip.stepPlay"));
    button->setIconName(m_play->property("iconName").toString());
    button->setAccessibleName(m_play->text());
}

void StepPlayer::showStep()
{
    if (m_strip->isHidden()) return;
    if (!m_plan || count() == 0) {
        m_step->setText({});
        m_story->setText(noPlanText(m_host.session.document));
        return;
    }
    const std::int64_t sample = std::min(m_replay.sample(), count() - 1);
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::max<std::int64_t>(sample, 0)));
    if (sample < 0) {
        m_step->setText(tr("%1 steps").arg(countText(static_cast<std::int64_t>(m_plan->plan->steps.size()))));
        m_story->setText(tr("Play, or go step by step."));
        return;
    }
    const auto at = static_cast<std::size_t>(sample);
    const MemoryTimeline &line = *m_plan->timeline;
    m_step->setText(tr("Step %1 of %2 · %3")
                        .arg(countText(line.step[at]), countText(static_cast<std::int64_t>(m_plan->plan->steps.size())),
                             memoryText(line.totalBytes[at])));
    m_story->setText(stepStory(*m_model, *m_plan, m_labels, at));
    m_story->setToolTip(m_story->text());
}

} // namespace remat::studio
