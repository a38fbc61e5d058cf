// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/solves/jobs_view.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/shared/cluster_table.h"
#include "app/studio/views/shared/step_chart.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kTickMs = 100;
constexpr int kDetailWidth = 300;

class JobsTable : public QTableView
{
public:
    using QTableView::QTableView;

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QTableView::resizeEvent(event);
        setWidths(*this, {0, 74, 104, 74, 60, 60, 118}, 90);
    }
};

} // namespace

JobsView::JobsView(Document *document, SolveRunner *runner, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_runner(runner),
      m_model(new JobsModel(runner, this)),
      m_table(new JobsTable(this)),
      m_empty(new TokenLabel(tr("No solves yet. Press Solve."), FontRole::Body, Token::Text2, this)),
      m_sentence(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_chart(new StepChart(this)),
      m_clusters(new ClusterTable(this))
{
    setObjectName(QStringLiteral("jobsView"));
    setProperty("surface", QStringLiteral("panel"));
    m_table->setObjectName(QStringLiteral("jobsTable"));
    m_table->setAccessibleName(tr("Solves"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new PlainDelegate(m_table));
    makePlain(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_empty->setObjectName(QStringLiteral("jobsEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_sentence->setObjectName(QStringLiteral("jobSentence"));
    m_sentence->setWordWrap(true);

    auto *list = new QVBoxLayout;
    list->setSpacing(6);
    list->addWidget(makeButtons());
    list->addWidget(m_table, 1);
    list->addWidget(m_empty, 1);
    m_detail = new QWidget(this);
    m_detail->setFixedWidth(kDetailWidth);
    auto *column = new QVBoxLayout(m_detail);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_sentence);
    column->addWidget(m_chart);
    column->addWidget(m_clusters);
    column->addStretch(1);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(14, 8, 14, 8);
    row->setSpacing(24);
    row->addLayout(list, 1);
    row->addWidget(m_detail);

    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        m_model->showTimes();
        showChosen();
    });
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        m_chosen = m_model->jobId(index.row());
        showJobs();
    });
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex &index) {
        if (const SolveJob *job = m_runner->job(m_model->jobId(index.row()))) m_document->loadPlan(job->planId());
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (!current.isValid() || !m_table->hasFocus()) return;
                m_chosen = m_model->jobId(current.row());
                showChosen();
            });
    connect(m_runner, &SolveRunner::jobsChanged, this, &JobsView::showJobs);
    connect(m_runner, &SolveRunner::reportChanged, this, &JobsView::showJobs);
    connect(m_runner, &SolveRunner::jobChanged, this, [this](int id) {
        if (id == chosen()) showChosen();
    });
    showJobs();
}

QWidget *JobsView::makeButtons()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    const auto add = [&](const QString &text, const QString &icon, const QString &name, const QString &tooltip,
                         auto work) {
        auto *button = new StudioButton(text, icon, ButtonKind::Plain, bar);
        button->setFixedHeight(28);
        button->setElided(!icon.isEmpty());
        button->setObjectName(name);
        button->setToolTip(tooltip);
        button->setAccessibleName(text.isEmpty() ? tooltip : text);
        connect(button, &QAbstractButton::clicked, this, work);
        row->addWidget(button);
        return button;
    };
    m_stop = add(tr("Stop"), QStringLiteral("square"), QStringLiteral("jobStop"),
                 tr("Ends the chosen solve; the best plan found so far stays"), [this] { m_runner->stop(chosen()); });
    m_remove =
        add(tr("Remove"), QStringLiteral("trash-2"), QStringLiteral("jobRemove"),
            tr("Takes the chosen solve out of the list; its plan stays"), [this] { m_runner->remove(chosen()); });
    m_up = add({}, QStringLiteral("arrow-up"), QStringLiteral("jobUp"), tr("Starts the chosen solve earlier"),
               [this] { m_runner->move(chosen(), -1); });
    m_down = add({}, QStringLiteral("arrow-down"), QStringLiteral("jobDown"), tr("Starts the chosen solve later"),
                 [this] { m_runner->move(chosen(), 1); });
    m_removeEnded = add(tr("Remove ended"), {}, QStringLiteral("jobRemoveEnded"), tr("Leaves only what waits and runs"),
                        [this] { m_runner->removeEnded(); });
    row->addStretch(1);
    auto *label = new TokenLabel(tr("At once"), FontRole::Body, Token::Text2, bar);
    m_atOnce = new QSpinBox(bar);
    m_atOnce->setObjectName(QStringLiteral("jobsAtOnce"));
    m_atOnce->setRange(1, 8);
    m_atOnce->setFixedWidth(56);
    m_atOnce->setAccessibleName(tr("Solves at once"));
    m_atOnce->setToolTip(tr("How many solves run at the same time; they share the threads"));
    label->setBuddy(m_atOnce);
    connect(m_atOnce, &QSpinBox::valueChanged, m_runner, &SolveRunner::setAtOnce);
    row->addWidget(label);
    row->addWidget(m_atOnce);
    return bar;
}

int JobsView::chosen() const
{
    return m_runner->job(m_chosen) ? m_chosen : m_runner->shownId();
}

void JobsView::showJobs()
{
    const bool any = m_model->rowCount() > 0;
    m_table->setVisible(any);
    m_empty->setVisible(!any);
    placeDetail();
    const int row = m_model->rowOf(chosen());
    if (row >= 0 && m_table->currentIndex().row() != row) m_table->selectRow(row);
    const bool ticks = isVisible() && m_runner->running();
    if (ticks != m_tick.isActive()) ticks ? m_tick.start() : m_tick.stop();
    showChosen();
}

void JobsView::showChosen()
{
    const int id = chosen();
    const SolveJob *job = m_runner->job(id);
    const SolveReport report = job ? job->report() : SolveReport();
    const bool active = report.active();
    m_stop->setEnabled(report.state == SolveReport::State::Running);
    m_remove->setEnabled(job && !active);
    m_up->setEnabled(m_runner->canMove(id, -1));
    m_down->setEnabled(m_runner->canMove(id, 1));
    const auto &jobs = m_runner->jobs();
    m_removeEnded->setEnabled(
        std::any_of(jobs.begin(), jobs.end(), [](const auto &other) { return other->report().ended(); }));
    m_sentence->setText(report.sentence);
    const bool bad = report.state == SolveReport::State::Infeasible || report.state == SolveReport::State::Failed;
    m_sentence->setToken(bad ? Token::Error : Token::Text2);
    m_sentence->setVisible(!report.sentence.isEmpty());
    m_chart->setVisible(job && !report.samples.empty());
    m_chart->setSamples(report.samples, report.keepAllTimeUs, job ? job->elapsedSeconds() : 0);
    m_clusters->setClusters(report.progress.clusters);
    m_clusters->setVisible(!report.progress.clusters.empty());
}

void JobsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeDetail();
}

void JobsView::placeDetail()
{
    constexpr int kRoomForBoth = 820;
    m_detail->setVisible(width() >= kRoomForBoth && m_empty->isHidden());
}

void JobsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    showJobs();
}

void JobsView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_tick.stop();
}

} // namespace remat::studio
