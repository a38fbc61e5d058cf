// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/sweep_strip.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/shared/planner_groups.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QSettings>
#include <QThread>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kHeight = 44;
/// Nine budgets tell the shape of a front.
const std::vector<int> kPercents = {90, 80, 70, 60, 55, 50, 45, 40, 30};
constexpr double kSecondsPerPlan = 5;
const QString kSchedulerKey = QStringLiteral("sweep/scheduler");
const std::vector<std::string> kFirstChoice = {"auto", "rotor", "chen-sqrt", "dtr"};

/// Stays open while boxes are ticked.
class CheckMenu : public QMenu
{
public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent *event) override
    {
        if (QAction *action = activeAction(); action && action->isCheckable())
            action->toggle();
        else
            QMenu::mouseReleaseEvent(event);
    }
};

} // namespace

SweepStrip::SweepStrip(SweepRunner *runner, QWidget *parent)
    : QWidget(parent),
      m_runner(runner),
      m_title(new TokenLabel(tr("Sweep"), FontRole::Name, Token::Text, this)),
      m_text(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_rest(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_bar(new QProgressBar(this)),
      m_planners(new StudioButton(tr("Planners"), QStringLiteral("list-filter"), ButtonKind::Plain, this)),
      m_start(new StudioButton(tr("Sweep"), QStringLiteral("play"), ButtonKind::Plain, this)),
      m_stop(new StudioButton(tr("Stop"), QStringLiteral("square"), ButtonKind::Plain, this)),
      m_menu(new CheckMenu(this))
{
    setFixedHeight(kHeight);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 14, 1);
    row->setSpacing(12);
    m_bar->setFixedSize(220, 6);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the sweep"));
    m_title->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_text->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_start->setObjectName(QStringLiteral("sweepStart"));
    m_stop->setObjectName(QStringLiteral("sweepStop"));
    m_planners->setObjectName(QStringLiteral("sweepPlanners"));
    m_planners->setMenuArrow(true);
    for (StudioButton *button : {m_planners, m_start, m_stop})
        button->setFixedHeight(28);
    row->addWidget(m_title);
    row->addWidget(m_text);
    row->addWidget(m_bar);
    row->addWidget(m_rest, 1);
    row->addWidget(m_planners);
    row->addWidget(m_start);
    row->addWidget(m_stop);
    fillMenu();
    connect(m_planners, &QAbstractButton::clicked, this,
            [this] { m_menu->popup(m_planners->mapToGlobal(QPoint(0, m_planners->height()))); });
    connect(m_start, &QAbstractButton::clicked, this, &SweepStrip::start);
    connect(m_stop, &QAbstractButton::clicked, m_runner, &SweepRunner::stop);
    connect(m_runner, &SweepRunner::reportChanged, this, &SweepStrip::takeReport);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    takeReport();
}

void SweepStrip::fillMenu()
{
    for (const PlannerGroup &group : plannerGroups()) {
        m_menu->addSection(group.title);
        for (const Planner *planner : group.planners) {
            const PlannerInfo &info = planner->info;
            if (info.name == "keep-all") continue; // one point, known already
            QAction *action = m_menu->addAction(toQString(info.title));
            action->setCheckable(true);
            action->setData(toQString(info.name));
            action->setToolTip(toQString(info.text));
            action->setChecked(std::find(kFirstChoice.begin(), kFirstChoice.end(), info.name) != kFirstChoice.end());
            connect(action, &QAction::toggled, this, &SweepStrip::takeReport);
            m_boxes.push_back(action);
        }
    }
    m_menu->setToolTipsVisible(true);
    m_menu->addSeparator();
    m_elsewhere = m_menu->addAction(tr("On a Dask cluster…"));
    m_elsewhere->setObjectName(QStringLiteral("sweepElsewhere"));
    m_elsewhere->setCheckable(true);
    m_elsewhere->setToolTip(
        tr("Workers of the cluster plan, each with the Python package remat-studio; plans come back "
           "as they are made, and are checked here"));
    connect(m_elsewhere, &QAction::toggled, this, [this](bool on) {
        if (!on)
            planOn({});
        else if (m_scheduler.isEmpty())
            askForCluster();
    });
}

void SweepStrip::askForCluster()
{
    auto *dialog = new QInputDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("sweepCluster"));
    dialog->setWindowTitle(tr("Plan on a Dask cluster"));
    dialog->setLabelText(tr("Address of its scheduler"));
    dialog->setTextValue(QSettings().value(kSchedulerKey, QStringLiteral("tcp://localhost:8786")).toString());
    connect(dialog, &QInputDialog::textValueSelected, this,
            [](const QString &scheduler) { QSettings().setValue(kSchedulerKey, scheduler.trimmed()); });
    connect(dialog, &QDialog::finished, this, [this, dialog](int result) {
        planOn(result == QDialog::Accepted ? dialog->textValue().trimmed() : QString());
    });
    dialog->open();
}

void SweepStrip::planOn(const QString &scheduler)
{
    m_scheduler = scheduler;
    m_elsewhere->setChecked(!scheduler.isEmpty());
    m_elsewhere->setText(scheduler.isEmpty() ? tr("On a Dask cluster…") : tr("On %1").arg(scheduler));
    takeReport();
}

std::vector<std::string> SweepStrip::chosen() const
{
    std::vector<std::string> names;
    for (const QAction *action : m_boxes)
        if (action->isChecked()) names.push_back(action->data().toString().toStdString());
    return names;
}

void SweepStrip::setChosen(const std::vector<std::string> &wanted)
{
    for (QAction *action : m_boxes)
        action->setChecked(std::find(wanted.begin(), wanted.end(), action->data().toString().toStdString()) !=
                           wanted.end());
}

void SweepStrip::start()
{
    SweepSettings settings;
    settings.planners = chosen();
    settings.percents = kPercents;
    settings.secondsPerPlan = kSecondsPerPlan;
    settings.threads = std::max(QThread::idealThreadCount(), 1);
    settings.dask = m_scheduler;
    m_runner->start(settings);
}

void SweepStrip::setUsable(bool usable)
{
    m_usable = usable;
    takeReport();
}

QString SweepStrip::plannersText() const
{
    const auto count = static_cast<int>(chosen().size());
    return count == 1 ? tr("1 planner") : tr("%1 planners").arg(count);
}

void SweepStrip::takeReport()
{
    const SweepReport &report = m_runner->report();
    m_planners->setText(plannersText());
    // Both buttons keep their places: who stops a sweep that just ended must not start the next. The keyboard goes
    // from the one that can no longer be used to the other.
    const bool startHad = m_start->hasFocus(), stopHad = m_stop->hasFocus();
    const bool canStart = m_usable && !report.running && !chosen().empty();
    const bool canStop = report.running && !report.stopping;
    if (canStart) m_start->setEnabled(true);
    if (canStop) m_stop->setEnabled(true);
    if (startHad && !canStart && canStop) m_stop->setFocus(Qt::OtherFocusReason);
    if (stopHad && !canStop && canStart) m_start->setFocus(Qt::OtherFocusReason);
    m_start->setEnabled(canStart);
    m_stop->setEnabled(canStop);
    m_planners->setVisible(!report.running);
    m_bar->setVisible(report.running);
    if (report.running) {
        m_text->setText(
            tr("%1 % to %2 %, %3 planners").arg(report.fromPercent).arg(report.toPercent).arg(report.planners));
        m_bar->setRange(0, report.total);
        m_bar->setValue(report.done);
        QString rest = tr("%1 of %2 plans").arg(report.done).arg(report.total);
        if (report.stopping)
            rest += QStringLiteral("   ") + tr("stopping");
        else if (report.secondsLeft >= 0)
            rest += QStringLiteral("   ") + tr("about %1 left").arg(timeText(std::max(1.0, report.secondsLeft) * 1e6));
        m_rest->setText(rest);
        return;
    }
    QString what = tr("%1 % to %2 % of the keep-all peak, %3 per plan")
                       .arg(kPercents.front())
                       .arg(kPercents.back())
                       .arg(tr("up to %1").arg(timeText(kSecondsPerPlan * 1e6)));
    if (!m_scheduler.isEmpty()) what += tr(", on %1").arg(m_scheduler);
    m_text->setText(report.sentence.isEmpty() ? what : report.sentence);
    m_rest->setText({});
}

void SweepStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Raised));
    painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color(Token::Line));
}

} // namespace remat::studio
