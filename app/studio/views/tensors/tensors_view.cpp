// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/tensors/tensors_view.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/tensors/icicle_canvas.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

namespace remat::studio {

TensorsView::TensorsView(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_data(*document),
      m_tensors(m_data),
      m_sums(m_data),
      m_sortedTensors(new QSortFilterProxyModel(this)),
      m_sortedSums(new QSortFilterProxyModel(this)),
      m_table(makeTable(m_tensors, *m_sortedTensors, "tensorsTable", tr("Saved tensors"))),
      m_sumsTable(makeTable(m_sums, *m_sortedSums, "tensorSums", tr("Sums of saved tensors"))),
      m_by(new QComboBox(this)),
      m_filter(new QLineEdit(this)),
      m_summary(new TokenLabel({}, FontRole::Label, Token::Text2, this)),
      m_icicle(new IcicleCanvas(document, this))
{
    setObjectName(QStringLiteral("tensorsView"));
    m_table->setProperty(kRowsOfGraph, true);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(false);
    auto *tables = new QWidget(split);
    m_stack = new QStackedLayout(tables);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_sumsTable);
    split->addWidget(tables);
    split->addWidget(m_icicle);
    split->setStretchFactor(0, 1);
    split->setSizes({680, 300});
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 4, 10, 0);
    column->setSpacing(4);
    column->addWidget(makeStrip());
    column->addWidget(split, 1);
    int place = TensorsTable::Op;
    for (const int width : {110, 110, 48, 80, 94, 80, 80, 160, 160, 180, 220})
        m_table->setColumnWidth(place++, width);
    m_table->setColumnWidth(TensorsTable::Name, 190);
    m_table->sortByColumn(TensorsTable::Bytes, Qt::DescendingOrder);
    m_sumsTable->horizontalHeader()->setSectionResizeMode(SumsTable::Group, QHeaderView::Stretch);
    m_sumsTable->sortByColumn(SumsTable::Bytes, Qt::DescendingOrder);

    connect(document, &Document::modelChanged, this, [this] {
        m_data.forgetModel();
        spoil();
    });
    for (const auto signal : {&Document::currentPlanChanged, &Document::pinsChanged})
        connect(document, signal, this, [this] {
            m_data.forgetPlan();
            spoil();
        });
    connect(document, &Document::selectionChanged, this, &TensorsView::showSelection);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        update();
        m_table->viewport()->update();
        m_sumsTable->viewport()->update();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &index) {
        if (!m_following && index.isValid())
            m_document->selectStorage(m_tensors.storageAt(m_sortedTensors->mapToSource(index).row()));
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) {
        m_document->selectStorage(m_tensors.storageAt(m_sortedTensors->mapToSource(index).row()));
    });
    connect(m_sumsTable, &QTableView::activated, this,
            [this](const QModelIndex &index) { openGroup(m_sortedSums->mapToSource(index).row()); });
    connect(m_icicle, &IcicleCanvas::chosen, this, [this](ClusterId cluster) {
        const ClusterTree &tree = m_document->model()->open->modules;
        const std::string &path = tree.cluster(cluster).path;
        if (path.empty())
            m_document->clearSelection();
        else
            m_document->selectModule(path, allOps(tree, cluster));
        m_filter->setText(path.empty() ? QString() : QStringLiteral("module:") + toQString(path));
    });
}

QWidget *TensorsView::makeStrip()
{
    auto *strip = new QWidget(this);
    auto *row = new QHBoxLayout(strip);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_by->setObjectName(QStringLiteral("tensorsBy"));
    m_by->setAccessibleName(tr("Group by"));
    m_by->setFixedWidth(140);
    m_by->addItem(tr("Each tensor"));
    const auto add = [this](const QString &text, GroupBy by) { m_by->addItem(text, static_cast<int>(by)); };
    add(tr("By module"), GroupBy::Module);
    add(tr("By block"), GroupBy::Block);
    add(tr("By op"), GroupBy::Kind);
    add(tr("By type"), GroupBy::Type);
    m_filter->setObjectName(QStringLiteral("tensorsFilter"));
    m_filter->setAccessibleName(tr("Filter of tensors"));
    m_filter->setPlaceholderText(tr("Filter, as in Find: module:h.1 size>1MiB kept"));
    m_filter->setClearButtonEnabled(true);
    m_summary->setObjectName(QStringLiteral("tensorsSummary"));
    row->addWidget(m_by);
    row->addWidget(m_filter, 1);
    row->addWidget(m_summary, 1);
    connect(m_by, &QComboBox::currentIndexChanged, this, &TensorsView::spoil);
    connect(m_filter, &QLineEdit::textChanged, this, &TensorsView::setFilter);
    return strip;
}

QTableView *TensorsView::makeTable(RowTable &rows, QSortFilterProxyModel &sorted, const char *name,
                                   const QString &title)
{
    auto *table = new QTableView(this);
    sorted.setSourceModel(&rows);
    sorted.setSortRole(RowTable::kValueRole);
    table->setObjectName(QString::fromLatin1(name));
    table->setAccessibleName(title);
    table->setModel(&sorted);
    makePlain(*table);
    table->setItemDelegate(new PlainDelegate(table));
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    makeSortable(*table);
    return table;
}

void TensorsView::spoil()
{
    m_stale = true;
    if (isVisible()) refresh();
}

void TensorsView::setFilter(const QString &text)
{
    if (const auto taken = m_data.setFilter(text); !taken) {
        m_summary->setText(toQString(taken.error().message));
        m_summary->setToken(Token::Warn);
        return;
    }
    spoil();
}

void TensorsView::refresh()
{
    m_stale = false;
    m_following = true;
    m_tensors.refresh();
    const bool grouped = m_by->currentIndex() > 0;
    if (grouped) m_sums.refresh(static_cast<GroupBy>(m_by->currentData().toInt()));
    m_stack->setCurrentIndex(grouped ? 1 : 0);
    m_following = false;
    m_summary->setToken(Token::Text2);
    m_summary->setText(summary());
    showSelection();
}

QString TensorsView::summary()
{
    if (!m_document->model()) return {};
    std::int64_t bytes = 0, kept = 0;
    for (const SavedTensor &tensor : m_data.tensors()) {
        bytes += m_data.graph().storage(tensor.storage).bytes;
        if (tensor.fate == Fate::Kept) kept += m_data.graph().storage(tensor.storage).bytes;
    }
    return tr("%1 of %2 tensors, %3; %4 kept")
        .arg(countText(static_cast<std::int64_t>(m_data.tensors().size())), countText(m_data.allTensors()),
             memoryText(bytes), memoryText(kept));
}

void TensorsView::openGroup(int row)
{
    const auto by = static_cast<GroupBy>(m_by->currentData().toInt());
    const QString name = toQString(m_sums.sum(row).name);
    if (name.isEmpty()) return;
    const QString word = by == GroupBy::Kind   ? QStringLiteral("kind:")
                         : by == GroupBy::Type ? QStringLiteral("dtype:")
                                               : QStringLiteral("module:");
    m_by->setCurrentIndex(0);
    m_filter->setText(word + (name.contains(u' ') ? u'"' + name + u'"' : name));
}

void TensorsView::showSelection()
{
    if (m_stale) return;
    m_following = true;
    const int row = m_tensors.rowOf(m_document->selection().storage);
    if (row < 0) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else {
        const QModelIndex index = m_sortedTensors->mapFromSource(m_tensors.index(row, 0));
        m_table->setCurrentIndex(index);
        m_table->scrollTo(index);
    }
    m_following = false;
}

void TensorsView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (m_stale) refresh();
}

void TensorsView::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), Theme::instance().color(Token::Panel));
}

} // namespace remat::studio
