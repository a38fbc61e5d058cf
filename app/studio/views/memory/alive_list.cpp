#include "app/studio/views/memory/alive_list.h"

#include "app/studio/base/plots/tags.h"
#include "app/studio/base/text/category_text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/table_look.h"
#include "app/studio/views/memory/memory_painter.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

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

AliveTable::AliveTable(const Document *document, std::size_t sample, QObject *parent)
    : RowTable({{tr("Storage")}, {tr("Category")}, {tr("Bytes"), true}, {tr("Since step"), true}}, parent)
{
    const auto model = document->model();
    const auto timeline = document->timeline();
    if (!model || sample >= timeline->op.size()) return;
    const Graph &graph = model->graph();
    const OpLabels labels(graph);
    for (const LiveRange &range : aliveAt(graph, *timeline, sample)) {
        const std::int64_t bytes = graph.storage(range.storage).bytes;
        if (bytes == 0) continue;
        m_rows.push_back({range.storage, labels.storage(graph, range.storage), range.category, bytes, range.firstStep});
    }
    const std::int64_t workspace = timeline->bytes[static_cast<std::size_t>(Category::Workspace)][sample];
    if (workspace <= 0) return;
    const auto place =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.bytes < workspace; });
    m_rows.insert(place, {{}, tr("workspace"), Category::Workspace, workspace, timeline->step[sample]});
}

int AliveTable::rows() const
{
    return static_cast<int>(m_rows.size());
}

QVariant AliveTable::cell(int row, int column, int role) const
{
    const Row &entry = m_rows[static_cast<std::size_t>(row)];
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

AliveList::AliveList(Document *document, std::size_t sample, const QString &title, QWidget *parent)
    : QFrame(parent, Qt::Popup),
      m_document(document),
      m_model(new AliveTable(document, sample, this)),
      m_view(new QTableView(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("aliveList"));
    setFrameShape(QFrame::StyledPanel);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->setSpacing(6);
    column->addWidget(new TokenLabel(title, FontRole::Name, Token::Text, this));
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
    resize(560, 320);
    connect(m_view, &QTableView::entered, this, [this](const QModelIndex &index) {
        Selection hovered;
        hovered.storage = m_model->storageAt(index.row());
        m_document->setHover(hovered);
    });
    const auto choose = [this](const QModelIndex &index) {
        if (const StorageId storage = m_model->storageAt(index.row())) m_document->selectStorage(storage);
        close();
    };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);
}

void AliveList::hideEvent(QHideEvent *event)
{
    m_document->setHover({});
    QFrame::hideEvent(event);
}

} // namespace remat::studio
