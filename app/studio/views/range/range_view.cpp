// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/range/range_view.h"

#include "app/studio/base/text/category_text.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/work/document/time_window.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

QString labelOf(const RangeSum &sum, GroupBy by, const Graph &graph, const OpLabels &names)
{
    if (by == GroupBy::Storage) return names.storage(graph, sum.storage);
    if (by != GroupBy::Category) return sum.name.empty() ? RangeView::tr("(none)") : toQString(sum.name);
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (sum.name == categoryName(static_cast<Category>(i))) return categoryText(static_cast<Category>(i));
    return toQString(sum.name);
}

} // namespace

RangeTable::RangeTable(QObject *parent)
    : RowTable({{tr("Group")},
                {tr("Came"), true},
                {tr("Went"), true},
                {tr("Time"), true},
                {tr("Again"), true},
                {tr("Runs"), true}},
               parent)
{
}

void RangeTable::set(std::vector<RangeSum> sums, QStringList labels)
{
    beginResetModel();
    m_sums = std::move(sums);
    m_labels = std::move(labels);
    endResetModel();
}

int RangeTable::rows() const
{
    return static_cast<int>(m_sums.size());
}

QVariant RangeTable::cell(int row, int column, int role) const
{
    if (role == kQuietRole) return column != Group;
    if (role == kPlainNameRole) return true;
    if (!isSaid(role)) return {};
    const RangeSum &sum = m_sums[static_cast<std::size_t>(row)];
    switch (column) {
    case Group:
        return m_labels[row];
    case Came:
        return bytesCell(sum.cameBytes, role);
    case Went:
        return bytesCell(sum.wentBytes, role);
    case Time:
        return timeCell(sum.timeUs, role);
    case Again:
        return timeCell(sum.recomputeUs, role);
    default:
        return countCell(sum.computations, role);
    }
}

RangeView::RangeView(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_sorted(new QSortFilterProxyModel(this)),
      m_by(new QComboBox(this)),
      m_summary(new TokenLabel({}, FontRole::Body, Token::Text2, this)),
      m_table(new QTableView(this))
{
    setObjectName(QStringLiteral("rangeView"));
    m_summary->setObjectName(QStringLiteral("rangeSummary"));
    m_summary->setWordWrap(true);
    m_summary->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_by->setObjectName(QStringLiteral("rangeBy"));
    m_by->setAccessibleName(tr("Group by"));
    const auto add = [this](const QString &text, GroupBy by) { m_by->addItem(text, static_cast<int>(by)); };
    add(tr("By block"), GroupBy::Block);
    add(tr("By module"), GroupBy::Module);
    add(tr("By op"), GroupBy::Kind);
    add(tr("By type"), GroupBy::Type);
    add(tr("By category"), GroupBy::Category);
    add(tr("Each storage"), GroupBy::Storage);
    m_sorted->setSourceModel(&m_rows);
    m_sorted->setSortRole(RowTable::kValueRole);
    m_table->setObjectName(QStringLiteral("rangeTable"));
    m_table->setAccessibleName(tr("Sums of the range"));
    m_table->setModel(m_sorted);
    makePlain(*m_table);
    m_table->setItemDelegate(new PlainDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    makeSortable(*m_table);
    setWidths(*m_table, {0, 72, 72, 68, 64, 44}, 90);
    m_table->sortByColumn(RangeTable::Came, Qt::DescendingOrder);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 0);
    column->setSpacing(8);
    column->addWidget(m_summary);
    column->addWidget(m_by);
    column->addWidget(m_table, 1);

    connect(document, &Document::modelChanged, this, &RangeView::spoil);
    connect(document, &Document::currentPlanChanged, this, &RangeView::spoil);
    connect(&document->time(), &TimeWindow::rangeChanged, this, [this] {
        if (isVisible())
            refresh();
        else
            m_stale = true;
    });
    connect(m_by, &QComboBox::currentIndexChanged, this, &RangeView::refresh);
    connect(m_table, &QTableView::clicked, this,
            [this](const QModelIndex &index) { choose(m_sorted->mapToSource(index).row()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        update();
        m_table->viewport()->update();
    });
}

void RangeView::spoil()
{
    m_meter.reset();
    m_stale = true;
    if (isVisible()) refresh();
}

void RangeView::refresh()
{
    m_stale = false;
    const auto model = m_document->model();
    const auto range = m_document->time().range();
    m_by->setVisible(model && range);
    m_table->setVisible(model && range);
    if (!model || !range) {
        m_summary->setText(tr("Hold Shift and drag in Memory or Lanes to choose a stretch of time. Its sums are shown "
                              "here."));
        return;
    }
    const MemoryTimeline &timeline = *m_document->timeline();
    if (!m_meter) m_meter.emplace(model->graph(), timeline);
    const RangeFigures figures = m_meter->measure(timeline, m_document->time().axes().plan, *range);
    m_summary->setText(tr("%1 from %2, %3 steps. %4 came, %5 went; at most %6 were held.")
                           .arg(timeText(figures.timeUs), timeText(figures.fromUs), countText(figures.steps),
                                memoryText(figures.allocatedBytes), memoryText(figures.freedBytes),
                                memoryText(figures.maxBytes)));
    const auto by = static_cast<GroupBy>(m_by->currentData().toInt());
    std::vector<RangeSum> sums = rangeSums(model->graph(), timeline, figures, by);
    QStringList labels;
    const OpLabels names(model->graph());
    for (const RangeSum &sum : sums)
        labels << labelOf(sum, by, model->graph(), names);
    m_rows.set(std::move(sums), std::move(labels));
}

void RangeView::choose(int row)
{
    const auto by = static_cast<GroupBy>(m_by->currentData().toInt());
    const RangeSum &sum = m_rows.sum(row);
    if (by == GroupBy::Storage) return m_document->selectStorage(sum.storage);
    if ((by != GroupBy::Module && by != GroupBy::Block) || sum.name.empty()) return;
    const ClusterTree &tree = m_document->model()->open->modules;
    for (std::size_t i = 0; i < tree.clusters.size(); ++i)
        if (tree.clusters[i].path == sum.name) return m_document->selectModule(sum.name, allOps(tree, ClusterId(i)));
}

void RangeView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale) refresh();
}

void RangeView::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::instance().color(Token::Panel));
}

} // namespace remat::studio
