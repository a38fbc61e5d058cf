// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/memory/alive_list.h"

#include "app/studio/base/plots/tags.h"
#include "app/studio/base/text/category_text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/memory/memory_painter.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace remat::studio {

namespace {

/// The category's swatch before the name.
class NameDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        constexpr int kSwatch = 11, kGap = 8;
        QStyleOptionViewItem rest = option;
        rest.rect.setLeft(option.rect.left() + kSwatch + kGap);
        painter->save();
        paintRow(*painter, option);
        painter->restore();
        PlainDelegate::paint(painter, rest, index);
        paintSwatch(*painter, QRectF(option.rect.left() + kGap, option.rect.center().y() - 5, kSwatch, kSwatch),
                    static_cast<Category>(index.data(AliveTable::kCategoryRole).toInt()),
                    painter->device()->devicePixelRatioF());
    }
};

} // namespace

std::vector<AliveRow> rowsAliveAt(const Document &document, std::size_t sample)
{
    std::vector<AliveRow> rows;
    const auto model = document.model();
    const auto timeline = document.timeline();
    if (!model || sample >= timeline->op.size()) return rows;
    const Graph &graph = model->graph();
    const OpLabels labels(graph);
    for (const LiveRange &range : aliveAt(graph, *timeline, sample)) {
        const std::int64_t bytes = graph.storage(range.storage).bytes;
        if (bytes == 0) continue;
        rows.push_back({range.storage, labels.storage(graph, range.storage), range.category, bytes, range.firstStep});
    }
    const std::int64_t workspace = timeline->bytes[static_cast<std::size_t>(Category::Workspace)][sample];
    if (workspace <= 0) return rows;
    const auto place =
        std::find_if(rows.begin(), rows.end(), [&](const AliveRow &row) { return row.bytes < workspace; });
    rows.insert(place, {{}, AliveTable::tr("workspace"), Category::Workspace, workspace, timeline->step[sample]});
    return rows;
}

std::vector<AliveRow> rowsWithoutBand(const Document &document, const StorageBands &bands)
{
    std::vector<AliveRow> rows;
    const auto model = document.model();
    if (!model) return rows;
    const Graph &graph = model->graph();
    const OpLabels labels(graph);
    std::vector<std::uint8_t> known(graph.storages.size(), 0);
    for (const StorageBand &band : bands.bands)
        known[band.storage.index()] = 1;
    for (const LiveRange &range : document.timeline()->ranges) {
        const std::int64_t bytes = graph.storage(range.storage).bytes;
        if (bytes == 0 || std::exchange(known[range.storage.index()], std::uint8_t(1))) continue;
        rows.push_back({range.storage, labels.storage(graph, range.storage), range.category, bytes, range.firstStep});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const AliveRow &a, const AliveRow &b) { return a.bytes > b.bytes; });
    return rows;
}

AliveTable::AliveTable(std::vector<AliveRow> rows, QObject *parent)
    : RowTable({{tr("Storage")}, {tr("Category")}, {tr("Bytes"), true}, {tr("Since step"), true}}, parent),
      m_all(std::move(rows)),
      m_rows(m_all)
{
}

void AliveTable::setFilter(const QString &text)
{
    beginResetModel();
    m_rows.clear();
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(m_rows),
                 [&text](const AliveRow &row) { return row.name.contains(text, Qt::CaseInsensitive); });
    endResetModel();
}

int AliveTable::rows() const
{
    return static_cast<int>(m_rows.size());
}

QVariant AliveTable::cell(int row, int column, int role) const
{
    const AliveRow &entry = m_rows[static_cast<std::size_t>(row)];
    if (role == kCategoryRole) return static_cast<int>(entry.category);
    if (role == kQuietRole) return column != Name;
    if (role == kPlainNameRole) return true;
    if (!isSaid(role)) return {};
    switch (column) {
    case Name:
        return entry.name;
    case CategoryColumn:
        return categoryText(entry.category);
    case Bytes:
        return bytesCell(entry.bytes, role);
    default:
        return countCell(entry.since, role);
    }
}

AliveList::AliveList(Document *document, std::vector<AliveRow> rows, const QString &title, QWidget *parent)
    : QFrame(parent, Qt::Popup),
      m_document(document),
      m_model(new AliveTable(std::move(rows), this)),
      m_view(new QTableView(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("aliveList"));
    setFrameShape(QFrame::StyledPanel);
    auto *search = new QLineEdit(this);
    search->setObjectName(QStringLiteral("aliveSearch"));
    search->setPlaceholderText(tr("Search by name"));
    search->setAccessibleName(tr("Search by name"));
    search->setClearButtonEnabled(true);
    search->installEventFilter(this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->setSpacing(6);
    column->addWidget(new TokenLabel(title, FontRole::Name, Token::Text, this));
    column->addWidget(search);
    column->addWidget(m_view, 1);
    makePlain(*m_view);
    m_view->setModel(m_model);
    m_view->setItemDelegateForColumn(AliveTable::Name, new NameDelegate(m_view));
    m_view->setMouseTracking(true);
    m_view->setAccessibleName(title);
    m_view->horizontalHeader()->setSectionResizeMode(AliveTable::Name, QHeaderView::Stretch);
    m_view->setColumnWidth(AliveTable::CategoryColumn, 168);
    m_view->setColumnWidth(AliveTable::Bytes, 80);
    m_view->setColumnWidth(AliveTable::Since, 84);
    if (m_model->rowCount() > 0) m_view->setCurrentIndex(m_model->index(0, 0));
    m_view->setFocus();
    resize(560, 340);
    connect(search, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_model->setFilter(text.trimmed());
        if (m_model->rowCount() > 0) m_view->setCurrentIndex(m_model->index(0, 0));
    });
    connect(search, &QLineEdit::returnPressed, this, [this] { choose(m_view->currentIndex()); });
    connect(m_view, &QTableView::entered, this, [this](const QModelIndex &index) {
        Selection hovered;
        hovered.storage = m_model->storageAt(index.row());
        m_document->setHover(hovered);
    });
    connect(m_view, &QTableView::clicked, this, &AliveList::choose);
    connect(m_view, &QTableView::activated, this, &AliveList::choose);
}

void AliveList::choose(const QModelIndex &index)
{
    if (!index.isValid()) return;
    if (const StorageId storage = m_model->storageAt(index.row())) m_document->selectStorage(storage);
    close();
}

/// Up and down go through the list while a name is typed.
bool AliveList::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            QCoreApplication::sendEvent(m_view, event);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void AliveList::hideEvent(QHideEvent *event)
{
    m_document->setHover({});
    QFrame::hideEvent(event);
}

} // namespace remat::studio
