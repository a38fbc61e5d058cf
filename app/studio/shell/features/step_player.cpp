#include "app/studio/shell/features/step_player.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/features/step_story.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/shared/view_spec.h"
#include "app/studio/work/session/session.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

/// Steps a second, by the choice of speed.
constexpr std::array kSpeeds = {1.7, 6.7, 30.0};
constexpr int kHeight = 40;

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

StepPlayer::StepPlayer(const FeatureHost &host)
    : QObject(host.owner),
      m_host(host),
      m_replay(host.session.replay),
      m_strip(new PlayerStrip),
      m_slider(new QSlider(Qt::Horizontal, m_strip)),
      m_speed(new SegmentedControl({tr("Slow"), tr("Normal"), tr("Fast")}, m_strip)),
      m_step(new TokenLabel({}, FontRole::Name, Token::Text, m_strip)),
      m_story(new TokenLabel({}, FontRole::Body, Token::Text2, m_strip))
{
    setObjectName(QStringLiteral("stepPlayer"));
    build();
    host.workspace.area(Workspace::Area::Bottom)->addFooter(m_strip);

    Document &document = host.session.document;
    connect(&document, &Document::modelChanged, this, &StepPlayer::takePlan);
    connect(&document, &Document::currentPlanChanged, this, &StepPlayer::takePlan);
    connect(&m_replay, &Replay::playingChanged, this, &StepPlayer::showPlaying);
    connect(&m_replay, &Replay::sampleChanged, this, &StepPlayer::showStep);
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
                      tr("Play the steps"),
                      QStringLiteral("play"),
                      {Qt::CTRL | Qt::SHIFT | Qt::Key_Space},
                      tr("Goes through the plan step by step, or stops there"),
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

    m_strip->setObjectName(QStringLiteral("stepStrip"));
    m_strip->setFixedHeight(kHeight);
    auto *row = new QHBoxLayout(m_strip);
    row->setContentsMargins(14, 1, 14, 0);
    row->setSpacing(8);
    for (QAction *action : {m_back, m_play, m_forward}) {
        auto *button = new StudioButton({}, action->property("iconName").toString(), ButtonKind::Quiet, m_strip);
        button->setObjectName(QStringLiteral("strip.") + action->objectName());
        button->setAccessibleName(action->text());
        button->setFixedSize(28, 28);
        button->followAction(action);
        row->addWidget(button);
    }
    m_slider->setObjectName(QStringLiteral("stepSlider"));
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setFixedWidth(160);
    m_step->setObjectName(QStringLiteral("stepNumber"));
    m_story->setObjectName(QStringLiteral("stepStory"));
    m_story->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_speed->setObjectName(QStringLiteral("stepSpeed"));
    m_speed->setAccessibleName(tr("Speed"));
    row->addWidget(m_slider);
    row->addWidget(m_step);
    row->addWidget(m_story, 1);
    row->addWidget(m_speed);
    connect(m_slider, &QSlider::valueChanged, &m_replay, &Replay::go);
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
    for (QAction *action : {m_play, m_back, m_forward})
        action->setEnabled(usable);
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
    m_replay.play(kSpeeds[static_cast<std::size_t>(m_speed->current())]);
}

void StepPlayer::showPlaying()
{
    const bool playing = m_replay.playing();
    m_play->setText(playing ? tr("Pause the steps") : tr("Play the steps"));
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
        m_story->setText(tr("No plan yet. Drag the budget or press Solve."));
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
                             bytesText(line.totalBytes[at])));
    m_story->setText(stepStory(*m_model, *m_plan, m_labels, at));
    m_story->setToolTip(m_story->text());
}

} // namespace remat::studio
