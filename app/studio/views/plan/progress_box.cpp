// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/progress_box.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/views/shared/cluster_table.h"
#include "app/studio/views/shared/step_chart.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <functional>
#include <map>

namespace remat::studio {

namespace {

constexpr int kTickMs = 100;

QString headline(const SolveReport &report, const QString &elapsed)
{
    using State = SolveReport::State;
    switch (report.state) {
    case State::None:
        return {};
    case State::Waiting:
        return ProgressBox::tr("Waiting");
    case State::Running:
        return report.progress.activity.empty()
                   ? ProgressBox::tr("Starting · %1").arg(elapsed)
                   : QStringLiteral("%1 · %2").arg(toQString(report.progress.activity), elapsed);
    case State::Stopping:
        return ProgressBox::tr("Stopping · %1").arg(elapsed);
    case State::Done:
        return ProgressBox::tr("Solved in %1").arg(elapsed);
    case State::Stopped:
        return (report.sentence.contains(QLatin1String(kTimeWasUp)) ? ProgressBox::tr("Time was up after %1")
                                                                    : ProgressBox::tr("Stopped after %1"))
            .arg(elapsed);
    case State::Infeasible:
        return ProgressBox::tr("No plan fits");
    case State::Failed:
        return ProgressBox::tr("Not solved");
    }
    return {};
}

/// How many are solved, of each level where there are several: those that others are made of come first.
QString clustersText(const SolveProgress &progress)
{
    std::map<int, std::pair<int, int>, std::greater<>> levels; // done and all
    for (const ClusterProgress &cluster : progress.clusters) {
        levels[cluster.level].first += cluster.done ? 1 : 0;
        ++levels[cluster.level].second;
    }
    if (levels.size() < 2)
        return ProgressBox::tr("%1 of %2 clusters")
            .arg(countText(progress.clustersDone), countText(progress.clustersTotal));
    QStringList said;
    for (const auto &[level, count] : levels)
        said << ProgressBox::tr("level %1: %2 of %3 clusters")
                    .arg(countText(level), countText(count.first), countText(count.second));
    return said.join(QStringLiteral(", "));
}

/// The headline says that the time was up; what to do about it is left.
QString forPeople(QString sentence)
{
    return sentence.replace(QLatin1String(kTimeWasUp), ProgressBox::tr("A longer time limit may give a better plan."));
}

} // namespace

ProgressBox::ProgressBox(SolveRunner *runner, QWidget *parent)
    : QWidget(parent),
      m_runner(runner),
      m_headline(new TokenLabel({}, FontRole::Name, Token::Text, this)),
      m_gap(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_detail(new TokenLabel({}, FontRole::Label, Token::Text3, this)),
      m_chart(new StepChart(this)),
      m_clusters(new ClusterTable(this)),
      m_problem(new QWidget(this)),
      m_sentence(new TokenLabel({}, FontRole::Body, Token::Error, m_problem)),
      m_toFloor(new StudioButton(tr("Set the smallest budget"), QStringLiteral("arrow-down-to-line"), ButtonKind::Plain,
                                 m_problem))
{
    m_headline->setObjectName(QStringLiteral("solveHeadline"));
    m_gap->setObjectName(QStringLiteral("solveGap"));
    m_gap->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_detail->setObjectName(QStringLiteral("solveDetail"));
    m_detail->setWordWrap(true);
    m_clusters->setObjectName(QStringLiteral("clusterTable"));
    m_sentence->setObjectName(QStringLiteral("solveSentence"));
    m_sentence->setWordWrap(true);
    m_toFloor->setObjectName(QStringLiteral("goToFloor"));
    m_toFloor->setToolTip(tr("The least memory that any plan can do with"));

    auto *head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_headline, 1);
    head->addWidget(m_gap);
    auto *problem = new QVBoxLayout(m_problem);
    problem->setContentsMargins(0, 0, 0, 0);
    problem->setSpacing(8);
    problem->addWidget(m_sentence);
    problem->addWidget(m_toFloor);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_detail);
    column->addWidget(m_problem);
    column->addWidget(m_chart);
    column->addWidget(m_clusters);

    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &ProgressBox::showHeadline);
    connect(m_runner, &SolveRunner::reportChanged, this, &ProgressBox::showReport);
    connect(m_toFloor, &QAbstractButton::clicked, this, &ProgressBox::floorWanted);
    showReport();
}

void ProgressBox::showHeadline()
{
    const SolveReport &report = m_runner->report();
    const double seconds = m_runner->elapsedSeconds();
    m_headline->setText(headline(report, timeText(seconds * 1e6)));
    m_chart->setSamples(report.samples, report.keepAllTimeUs, seconds);
}

void ProgressBox::showReport()
{
    using State = SolveReport::State;
    const SolveReport &report = m_runner->report();
    setVisible(report.state != State::None);
    if (report.active() != m_tick.isActive()) report.active() ? m_tick.start() : m_tick.stop();
    showHeadline();

    const SolveProgress &progress = report.progress;
    m_gap->setText(progress.gap < 0 ? QString() : tr("gap %1").arg(shareText(progress.gap)));
    m_gap->setToolTip(tr(
        "By how much the best plan adds more time than any plan must, as far as is proven. 0 %: no plan is faster."));
    QStringList details;
    if (report.ended() && !m_runner->reportIsOfShownPlan())
        details << tr("Of another plan than the one shown: %1 within %2")
                       .arg(report.plannerTitle, memoryText(report.budgetBytes));
    if (progress.clustersTotal > 0) details << clustersText(progress);
    if (report.active() && progress.fraction >= 0) details << shareText(progress.fraction);
    if ((report.state == State::Done || report.state == State::Stopped) && !report.sentence.isEmpty())
        details << forPeople(report.sentence);
    if (const int waiting = m_runner->waiting(); waiting > 0) details << tr("%n more waiting", nullptr, waiting);
    m_detail->setText(details.join(QStringLiteral(" · ")));
    m_detail->setToolTip(m_detail->text());
    m_detail->setVisible(!details.isEmpty() || report.active());

    const bool hasPlan = report.progress.incumbentTimeUs >= 0;
    const bool problem = report.state == State::Infeasible || report.state == State::Failed ||
                         (report.state == State::Stopped && !hasPlan);
    m_problem->setVisible(problem);
    if (problem && !m_problemShown && isVisible()) Q_EMIT failed();
    m_problemShown = problem;
    m_sentence->setText(report.sentence);
    m_sentence->setToken(report.state == State::Stopped ? Token::Text2 : Token::Error);
    m_toFloor->setVisible(report.state == State::Infeasible && static_cast<bool>(report.bindingOp));
    m_chart->setVisible(!problem);
    m_clusters->setClusters(progress.clusters);
    m_clusters->setVisible(!problem && !progress.clusters.empty());
}

} // namespace remat::studio
