#include "app/studio/panels/cluster_tree_view.h"

#include "app/studio/document/text.h"
#include "app/studio/panels/table_look.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kBytesColumn = 88;
constexpr int kBar = 22;
constexpr int kIndent = 14;

/// Bar and bytes, both right-aligned, so that the numbers of all levels stand in one column.
class ClusterDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (index.column() == ClusterTreeModel::Name) {
            PlainDelegate::paint(painter, option, index);
            return;
        }
        const Theme &theme = Theme::instance();
        painter->save();
        paintRow(*painter, option);
        const QRect cell = option.rect.adjusted(0, 0, -10, 0);
        const double share = index.data(ClusterTreeModel::kShareRole).toDouble();
        // The root is everything; a full bar there says nothing.
        if (share > 0 && index.parent().isValid()) {
            const QRect trough(cell.left(), cell.center().y() - 2, kBar, 4);
            painter->fillRect(trough, theme.color(Token::Sunken));
            painter->fillRect(QRectF(trough.left(), trough.top(), std::max(1.0, share * kBar), 4),
                              theme.categoryColor(Category::KeptActivations));
        }
        painter->setFont(theme.font(FontRole::Label));
        painter->setPen(theme.color(Token::Text2));
        painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, index.data().toString());
        painter->restore();
    }
};

} // namespace

void ClusterTreeModel::setModel(std::shared_ptr<const CostedModel> model, Hierarchy hierarchy)
{
    beginResetModel();
    m_model = std::move(model);
    m_hierarchy = hierarchy;
    sumBytes();
    endResetModel();
}

const ClusterTree *ClusterTreeModel::tree() const
{
    if (!m_model) return nullptr;
    return m_hierarchy == Hierarchy::Modules ? &m_model->open->modules : &m_model->open->partition;
}

void ClusterTreeModel::sumBytes()
{
    m_bytes.clear();
    m_row.clear();
    const ClusterTree *clusters = tree();
    if (!clusters) return;
    m_bytes.assign(clusters->clusters.size(), 0);
    m_row.assign(clusters->clusters.size(), 0);
    const Graph &graph = m_model->graph();
    const MemoryTimeline &timeline = *m_model->keepAll;
    for (const LiveRange &range : aliveAt(graph, timeline, timeline.peakSample)) {
        const OpId producer = graph.storage(range.storage).producer;
        if (!producer) continue;
        for (ClusterId id = clusters->clusterOf[producer.index()]; id; id = clusters->cluster(id).parent)
            m_bytes[id.index()] += graph.storage(range.storage).bytes;
    }
    for (const Cluster &cluster : clusters->clusters)
        for (std::size_t row = 0; row < cluster.children.size(); ++row)
            m_row[cluster.children[row].index()] = static_cast<int>(row);
}

ClusterId ClusterTreeModel::clusterAt(const QModelIndex &index) const
{
    return index.isValid() ? ClusterId(static_cast<std::int32_t>(index.internalId())) : ClusterId();
}

QModelIndex ClusterTreeModel::indexOf(ClusterId cluster) const
{
    if (!cluster || cluster.index() >= m_row.size()) return {};
    return createIndex(m_row[cluster.index()], 0, static_cast<quintptr>(cluster.value));
}

QModelIndex ClusterTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || row < 0 || column < 0 || column >= kColumns || clusters->clusters.empty()) return {};
    if (!parent.isValid()) return row == 0 ? createIndex(0, column, quintptr(0)) : QModelIndex();
    const auto &children = clusters->cluster(clusterAt(parent)).children;
    if (row >= static_cast<int>(children.size())) return {};
    return createIndex(row, column, static_cast<quintptr>(children[static_cast<std::size_t>(row)].value));
}

QModelIndex ClusterTreeModel::parent(const QModelIndex &index) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || !index.isValid()) return {};
    return indexOf(clusters->cluster(clusterAt(index)).parent);
}

int ClusterTreeModel::rowCount(const QModelIndex &parent) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || clusters->clusters.empty() || parent.column() > 0) return 0;
    if (!parent.isValid()) return 1;
    return static_cast<int>(clusters->cluster(clusterAt(parent)).children.size());
}

int ClusterTreeModel::columnCount(const QModelIndex &) const
{
    return kColumns;
}

QVariant ClusterTreeModel::data(const QModelIndex &index, int role) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || !index.isValid()) return {};
    const ClusterId id = clusterAt(index);
    const Cluster &cluster = clusters->cluster(id);
    const std::int64_t bytes = m_bytes[id.index()];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Bytes) return bytesText(bytes);
        if (cluster.name.empty()) return toQString(m_model->graph().name);
        return toQString(cluster.name);
    case Qt::ToolTipRole: {
        QString text = cluster.path.empty() ? toQString(m_model->graph().name) : toQString(cluster.path);
        text += QLatin1Char('\n') + tr("%1 held at the peak of keep-all").arg(exactBytesText(bytes));
        if (cluster.copies > 1) text += QLatin1Char('\n') + tr("One of %n identical", nullptr, cluster.copies);
        return text;
    }
    case kPlainNameRole:
        return static_cast<bool>(cluster.parent);
    case kShareRole:
        return m_bytes.front() > 0 ? static_cast<double>(bytes) / static_cast<double>(m_bytes.front()) : 0.0;
    default:
        return {};
    }
}

ClusterTreeView::ClusterTreeView(Document *document, QWidget *parent)
    : QTreeView(parent), m_document(document), m_model(new ClusterTreeModel(this))
{
    setObjectName(QStringLiteral("clusterTree"));
    setAccessibleName(tr("Modules"));
    QTreeView::setModel(m_model);
    setItemDelegate(new ClusterDelegate(this));
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(kIndent);
    setUniformRowHeights(true);
    setViewportMargins(0, 6, 0, 0);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setExpandsOnDoubleClick(true);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(20);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &index) {
        if (!m_following && index.isValid()) Q_EMIT clusterChosen(m_model->clusterAt(index));
    });
    connect(this, &QAbstractItemView::clicked, this, [this](const QModelIndex &index) {
        if (index.isValid()) Q_EMIT clusterChosen(m_model->clusterAt(index));
    });
    connect(m_document, &Document::modelChanged, this, &ClusterTreeView::showModel);
    connect(m_document, &Document::selectionChanged, this, &ClusterTreeView::followSelection);
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
    showModel();
}

void ClusterTreeView::setHierarchy(Hierarchy hierarchy)
{
    if (m_hierarchy == hierarchy) return;
    m_hierarchy = hierarchy;
    setAccessibleName(hierarchy == Hierarchy::Modules ? tr("Modules") : tr("Partition"));
    showModel();
    followSelection();
}

void ClusterTreeView::showModel()
{
    m_model->setModel(m_document->model(), m_hierarchy);
    expandToDepth(1);
    followSelection();
}

void ClusterTreeView::followSelection()
{
    const ClusterTree *tree = m_model->tree();
    const OpId op = m_document->selection().op;
    if (!tree || !op) return;
    const QModelIndex index = m_model->indexOf(tree->clusterOf[op.index()]);
    m_following = true;
    setCurrentIndex(index);
    scrollTo(index);
    m_following = false;
}

void ClusterTreeView::resizeEvent(QResizeEvent *event)
{
    QTreeView::resizeEvent(event);
    setColumnWidth(ClusterTreeModel::Bytes, kBytesColumn);
    setColumnWidth(ClusterTreeModel::Name, viewport()->width() - kBytesColumn);
}

void ClusterTreeView::drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const
{
    const Theme &theme = Theme::instance();
    if (selectionModel()->isSelected(index)) painter->fillRect(rect, theme.color(Token::AccentSoft));
    if (m_model->rowCount(index) == 0) return;
    const QString icon = isExpanded(index) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right");
    painter->drawPixmap(rect.right() - 13, rect.center().y() - 6,
                        theme.iconPixmap(icon, 13, Token::Text3, devicePixelRatioF()));
}

} // namespace remat::studio
