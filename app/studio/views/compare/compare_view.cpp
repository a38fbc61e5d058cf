// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/compare_view.h"

#include "app/studio/base/style/letters.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/work/document/words.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

/// 32 high, over the differences.
class DifferenceHeader : public QWidget
{
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), Theme::instance().color(Token::Panel));
        painter.fillRect(0, 0, width(), 1, Theme::instance().color(Token::Line));
        painter.fillRect(0, height() - 1, width(), 1, Theme::instance().color(Token::Line));
    }
};

} // namespace

CompareView::CompareView(Document *document) : CompareView(document, new CompareCanvas(document)) {}

CompareView::CompareView(Document *document, CompareCanvas *canvas)
    : PlanView(document, canvas, QStringLiteral("git-compare"), tr("Open a model to compare plans of it.")),
      m_header(new CompareHeader(document)),
      m_canvas(canvas),
      m_title(new TokenLabel(tr("Differences"), FontRole::Name, Token::Text, this)),
      m_count(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_note(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_level(new SegmentedControl({tr("Storages"), tr("Ops"), tr("Clusters")}, this)),
      m_otherChoice(new SegmentedControl({QStringLiteral("B"), QStringLiteral("C"), QStringLiteral("D")}, this)),
      m_filter(new QLineEdit(this)),
      m_csv(new StudioButton({}, QStringLiteral("file-output"), ButtonKind::Quiet, this)),
      m_table(new DifferenceTable(document, this))
{
    setObjectName(QStringLiteral("compareView"));
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitter->setObjectName(QStringLiteral("compareSplitter"));
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_canvas);
    splitter->addWidget(makeDifferences());
    splitter->setStretchFactor(0, 446);
    splitter->setStretchFactor(1, 334);
    splitter->setSizes({446, 334});
    column()->addWidget(splitter);

    for (const auto signal : {&Document::modelChanged, &Document::plansChanged, &Document::comparedChanged})
        connect(document, signal, this, &CompareView::takeChange);
    connect(m_header->axisChoice(), &SegmentedControl::currentChanged, this, &CompareView::takeAxis);
    connect(&document->time(), &TimeWindow::viewChanged, this, [this] {
        if (axisKind() != m_canvas->scene().kind) takeChange();
    });
    connect(m_canvas, &CompareCanvas::cursorMoved, this, &CompareView::showReadout);
    showEmpty();
}

QWidget *CompareView::makeDifferences()
{
    auto *part = new QWidget(this);
    part->setAttribute(Qt::WA_StyledBackground);
    part->setProperty("surface", QStringLiteral("panel"));
    auto *column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *header = new DifferenceHeader(part);
    header->setFixedHeight(36);
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(14, 1, 10, 1);
    row->setSpacing(8);
    m_count->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_filter->setObjectName(QStringLiteral("differenceFilter"));
    m_filter->setAccessibleName(tr("Filter of differences"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setStyleSheet(QStringLiteral("QLineEdit { padding: 1px 4px; min-height: 20px; }"));
    m_filter->setFixedHeight(26);
    m_filter->setMinimumWidth(90);
    m_filter->setMaximumWidth(150);
    m_filter->addAction(Theme::instance().icon(QStringLiteral("search"), Token::Text3), QLineEdit::LeadingPosition);
    m_csv->setObjectName(QStringLiteral("differenceCsv"));
    m_csv->setFixedSize(28, 28);
    m_csv->setAccessibleName(tr("Save differences as CSV"));
    m_csv->setToolTip(tr("Saves the rows shown here as CSV"));
    m_level->setObjectName(QStringLiteral("differenceLevel"));
    m_otherChoice->setObjectName(QStringLiteral("differenceOther"));
    m_otherChoice->setToolTip(tr("The plan that A is compared with"));
    row->addWidget(new IconLabel(QStringLiteral("table-2"), 15, Token::Text2, header));
    row->addWidget(m_title);
    row->addWidget(m_count, 1);
    row->addWidget(m_otherChoice);
    row->addWidget(m_level);
    row->addWidget(m_filter);
    row->addWidget(m_csv);
    column->addWidget(header);
    column->addWidget(m_table, 1);
    m_note->setContentsMargins(14, 5, 14, 6);
    m_note->setWordWrap(true);
    m_note->setText(tr("Negative bytes: A holds less at its peak. Negative time: A spends less on recomputing."));
    column->addWidget(m_note);
    part->setMinimumHeight(150);

    connect(m_level, &SegmentedControl::currentChanged, this, [this] {
        showTable();
        Q_EMIT touched(tr("Show differences of %1").arg(m_level->accessibleDescription()));
    });
    connect(m_otherChoice, &SegmentedControl::currentChanged, this, [this](int index) { setOther(index + 1); });
    connect(m_filter, &QLineEdit::textChanged, m_table, &DifferenceTable::setFilter);
    connect(m_csv, &QAbstractButton::clicked, this, &CompareView::csvRequested);
    return part;
}

CompareAxis CompareView::axisKind() const
{
    if (document()->time().kind() == AxisKind::Time) return CompareAxis::Time;
    return m_aligned ? CompareAxis::Aligned : CompareAxis::Steps;
}

void CompareView::takeAxis(int index)
{
    if (m_building) return;
    m_aligned = index == 2;
    document()->time().setKind(index == 0 ? AxisKind::Time : AxisKind::Steps);
    if (axisKind() != m_canvas->scene().kind) takeChange();
    Q_EMIT touched(tr("Compare by %1").arg(m_header->axisChoice()->accessibleDescription()));
}

void CompareView::setOther(int place)
{
    place = std::clamp(place, 1, std::max(1, static_cast<int>(document()->compared().size()) - 1));
    if (place == m_other) return;
    m_other = place;
    takeChange();
}

void CompareView::takeChange()
{
    if (isVisible() && !m_building) rebuild();
}

void CompareView::refresh()
{
    if (!m_building) rebuild();
}

void CompareView::chooseFirst()
{
    std::vector<int> ids = document()->compared();
    const auto current = document()->currentPlan();
    if (!current || ids.size() >= 2 || document()->plans().size() < 2) return;
    // When A went (a quick plan that the next one replaced), what is current now is A.
    const bool firstWent = ids.size() == 1 && m_last.size() >= 2 && m_last[0] != ids[0];
    if (ids.empty() || (firstWent && ids[0] != current->id)) ids.insert(ids.begin(), current->id);
    for (const bool quick : {false, true})
        for (auto plan = document()->plans().rbegin(); plan != document()->plans().rend() && ids.size() < 2; ++plan)
            if ((*plan)->quick == quick && (*plan)->id != ids[0]) ids.push_back((*plan)->id);
    document()->setCompared(ids);
}

void CompareView::rebuild()
{
    m_building = true;
    if (isVisible()) chooseFirst();
    const auto model = document()->model();
    const auto plans = document()->compared().size();
    m_other = std::clamp(m_other, 1, std::max(1, static_cast<int>(plans) - 1));
    m_last = document()->compared();
    CompareScene scene = makeCompareScene(*document(), axisKind(), static_cast<std::size_t>(m_other));
    m_uses.clear();
    m_differences = {};
    if (scene.ready()) {
        if (m_blocksOf != model->open) {
            m_blocks = OpBlocks(*model->open, windowWords());
            m_blocksOf = model->open;
        }
        double reachUs = 0, reachSteps = 0;
        for (const ComparedPlan &plan : scene.plans) {
            m_uses.push_back(planUse(model->graph(), *plan.plan));
            reachUs = std::max(reachUs, plan.timeline().timeUs);
            reachSteps = std::max(reachSteps, static_cast<double>(plan.timeline().step.back() + 1));
        }
        m_differences = comparePlans(model->graph(), m_blocks, m_uses.front(),
                                     m_uses[static_cast<std::size_t>(m_other)], CompareLevel::Storages);
        if (isVisible()) document()->time().setReach(1.01 * reachUs, 1.01 * reachSteps);
    }
    m_canvas->setScene(std::move(scene));
    m_header->axisChoice()->setCurrent(static_cast<int>(axisKind()));
    m_otherChoice->setVisible(plans > 2);
    m_otherChoice->setCurrent(m_other - 1);
    showTable();
    showReadout();
    showEmpty();
    m_building = false;
    Q_EMIT compared();
}

void CompareView::showTable()
{
    const CompareScene &scene = m_canvas->scene();
    const auto level = static_cast<CompareLevel>(m_level->current());
    if (!scene.ready() || m_uses.size() < 2) {
        m_table->show({}, level, {});
        m_count->setText({});
        return;
    }
    PlanComparison comparison =
        comparePlans(scene.model->graph(), m_blocks, m_uses.front(), m_uses[static_cast<std::size_t>(m_other)], level);
    const int groups = static_cast<int>(comparison.rows.size());
    const QString items = countText(comparison.items), count = countText(groups);
    const QString text = level == CompareLevel::Storages ? tr("%1 storages in %2 groups, largest first")
                         : level == CompareLevel::Ops    ? tr("%1 ops in %2 groups, largest first")
                                                         : tr("%1 clusters in %2 groups, largest first");
    m_count->setText(text.arg(items, count));
    m_count->setToolTip(tr("%1 of them differ in state.").arg(countText(comparison.states)));
    m_table->show(std::move(comparison), level, letterOf(m_other));
}

void CompareView::showReadout()
{
    const CompareScene &scene = m_canvas->scene();
    QStringList bytes;
    if (scene.ready() && scene.cursorUs >= 0)
        for (std::size_t i = 0; i < scene.plans.size(); ++i)
            bytes << memoryText(scene.heldAt(i, scene.axis.ofTime(scene.cursorUs)));
    m_header->setReadout(bytes);
}

EmptyText CompareView::emptyText() const
{
    if (!document()->model()) return PlanView::emptyText();
    if (document()->compared().size() >= 2) return {};
    if (document()->plans().size() < 2)
        return {tr("There are not two plans yet. Solve with another budget or planner."), tr("Solve")};
    return {tr("Select two plans in the list and press C."), {}};
}

void CompareView::showEmpty()
{
    const bool ready = m_canvas->scene().ready();
    for (QWidget *widget : {static_cast<QWidget *>(m_level), static_cast<QWidget *>(m_filter),
                            static_cast<QWidget *>(m_csv), static_cast<QWidget *>(m_header->axisChoice())})
        widget->setEnabled(ready);
    showState();
}

QJsonObject CompareView::saveState() const
{
    return {{QStringLiteral("level"), m_level->current()},
            {QStringLiteral("aligned"), m_aligned},
            {QStringLiteral("other"), m_other},
            {QStringLiteral("filter"), m_filter->text()}};
}

void CompareView::restoreState(const QJsonObject &state)
{
    m_aligned = state[QStringLiteral("aligned")].toBool(m_aligned);
    m_other = state[QStringLiteral("other")].toInt(m_other);
    m_level->setCurrent(state[QStringLiteral("level")].toInt(m_level->current()));
    m_filter->setText(state[QStringLiteral("filter")].toString(m_filter->text()));
    takeChange();
}

void CompareView::showEvent(QShowEvent *event)
{
    PlanView::showEvent(event);
    rebuild();
}

void CompareView::hideEvent(QHideEvent *event)
{
    PlanView::hideEvent(event);
    document()->time().setReach(0, 0);
}

} // namespace remat::studio
