// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/modules/cluster_tree_view.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"
#include "core/views/graph_names.h"
#include "core/views/graph_tree.h"

#include <QHeaderView>
#include <QPainter>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kBytesColumn = 88;
constexpr int kBar = 22;
constexpr int kBytesOnly = kBytesColumn - kBar - 4; ///< where a bar would cost names their room
constexpr int kNoBars = 250;                        ///< a panel narrower than this has none
constexpr int kIndent = 14, kLeastIndent = 5;
constexpr int kNameRoom = 70;                     ///< what the deepest name keeps beside its indentation
constexpr quintptr kFoldFlag = quintptr(1) << 40; // in internal ids, which are clusters otherwise

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
        if (share > 0 && index.parent().isValid() && cell.width() >= kBytesColumn - 10) {
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
    m_folds.clear();
    m_rows.clear();
    m_row.clear();
    m_foldOf.clear();
    const ClusterTree *clusters = tree();
    if (!clusters) return;
    m_bytes.assign(clusters->clusters.size(), 0);
    const Graph &graph = m_model->graph();
    const MemoryTimeline &timeline = *m_model->keepAll;
    for (const LiveRange &range : aliveAt(graph, timeline, timeline.peakSample)) {
        const OpId producer = graph.storage(range.storage).producer;
        if (!producer) continue;
        for (ClusterId id = clusters->clusterOf[producer.index()]; id; id = clusters->cluster(id).parent)
            m_bytes[id.index()] += graph.storage(range.storage).bytes;
    }
    foldRows();
}

void ClusterTreeModel::foldRows()
{
    const ClusterTree &clusters = *tree();
    m_folds.clear();
    m_rows.assign(clusters.clusters.size(), {});
    m_row.assign(clusters.clusters.size(), 0);
    m_foldOf.assign(clusters.clusters.size(), -1);
    for (std::size_t at = 0; at < clusters.clusters.size(); ++at) {
        const auto &children = clusters.clusters[at].children;
        auto &rows = m_rows[at];
        for (std::size_t first = 0; first < children.size();) {
            std::size_t end = first + 1;
            while (end < children.size() &&
                   clusters.cluster(children[end]).structure == clusters.cluster(children[first]).structure)
                ++end;
            if (end - first >= kShortestRun) {
                Fold fold{ClusterId(at),
                          {children.begin() + static_cast<std::ptrdiff_t>(first),
                           children.begin() + static_cast<std::ptrdiff_t>(end) - 1},
                          static_cast<int>(rows.size())};
                for (std::size_t i = 0; i < fold.members.size(); ++i) {
                    m_row[fold.members[i].index()] = static_cast<int>(i);
                    m_foldOf[fold.members[i].index()] = static_cast<int>(m_folds.size());
                }
                rows.push_back({{}, static_cast<int>(m_folds.size())});
                m_folds.push_back(std::move(fold));
                first = end - 1; // the last one stands by itself
            }
            for (; first < end; ++first) {
                m_row[children[first].index()] = static_cast<int>(rows.size());
                rows.push_back({children[first], -1});
            }
        }
    }
}

const ClusterTreeModel::Fold *ClusterTreeModel::foldAt(const QModelIndex &index) const
{
    if (!index.isValid() || !(index.internalId() & kFoldFlag)) return nullptr;
    return &m_folds[static_cast<std::size_t>(index.internalId() & ~kFoldFlag)];
}

QModelIndex ClusterTreeModel::foldIndex(int fold, int column) const
{
    return createIndex(m_folds[static_cast<std::size_t>(fold)].row, column, static_cast<quintptr>(fold) | kFoldFlag);
}

std::vector<QModelIndex> ClusterTreeModel::folds() const
{
    std::vector<QModelIndex> indexes;
    indexes.reserve(m_folds.size());
    for (std::size_t i = 0; i < m_folds.size(); ++i)
        indexes.push_back(foldIndex(static_cast<int>(i)));
    return indexes;
}

ClusterId ClusterTreeModel::clusterAt(const QModelIndex &index) const
{
    if (!index.isValid() || foldAt(index)) return {};
    return ClusterId(static_cast<std::int32_t>(index.internalId()));
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
    if (row >= rowCount(parent.siblingAtColumn(0))) return {};
    const auto at = static_cast<std::size_t>(row);
    if (const Fold *fold = foldAt(parent))
        return createIndex(row, column, static_cast<quintptr>(fold->members[at].value));
    const Row &entry = m_rows[clusterAt(parent).index()][at];
    return entry.fold >= 0 ? foldIndex(entry.fold, column)
                           : createIndex(row, column, static_cast<quintptr>(entry.cluster.value));
}

QModelIndex ClusterTreeModel::parent(const QModelIndex &index) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || !index.isValid()) return {};
    if (const Fold *fold = foldAt(index)) return indexOf(fold->parent);
    const ClusterId cluster = clusterAt(index);
    const int fold = m_foldOf[cluster.index()];
    return fold >= 0 ? foldIndex(fold) : indexOf(clusters->cluster(cluster).parent);
}

int ClusterTreeModel::rowCount(const QModelIndex &parent) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || clusters->clusters.empty() || parent.column() > 0) return 0;
    if (!parent.isValid()) return 1;
    if (const Fold *fold = foldAt(parent)) return static_cast<int>(fold->members.size());
    return static_cast<int>(m_rows[clusterAt(parent).index()].size());
}

int ClusterTreeModel::columnCount(const QModelIndex &) const
{
    return kColumns;
}

int ClusterTreeModel::levels() const
{
    const ClusterTree *clusters = tree();
    if (!clusters) return 0;
    int most = 0;
    for (std::size_t i = 0; i < clusters->clusters.size(); ++i) {
        int level = 0;
        for (QModelIndex at = indexOf(ClusterId(i)); at.isValid(); at = at.parent())
            ++level;
        most = std::max(most, level);
    }
    return most;
}

double ClusterTreeModel::share(std::int64_t bytes) const
{
    return m_bytes.front() > 0 ? static_cast<double>(bytes) / static_cast<double>(m_bytes.front()) : 0.0;
}

QVariant ClusterTreeModel::foldData(const Fold &fold, int column, int role) const
{
    const ClusterTree &clusters = *tree();
    std::int64_t bytes = 0;
    for (const ClusterId member : fold.members)
        bytes += m_bytes[member.index()];
    const QString name =
        toQString(rangeName(clusters.cluster(fold.members.front()).name, clusters.cluster(fold.members.back()).name));
    switch (role) {
    case Qt::DisplayRole:
        return column == Bytes ? memoryText(bytes) : name;
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2").arg(
            tr("%n identical, solved once", nullptr, static_cast<int>(fold.members.size()) + 1),
            tr("%1 held at the peak of keep-all").arg(exactBytesText(bytes)));
    case kPlainNameRole:
        return true;
    case kShareRole:
        return share(bytes);
    default:
        return {};
    }
}

QVariant ClusterTreeModel::data(const QModelIndex &index, int role) const
{
    const ClusterTree *clusters = tree();
    if (!clusters || !index.isValid()) return {};
    if (const Fold *fold = foldAt(index)) return foldData(*fold, index.column(), role);
    const ClusterId id = clusterAt(index);
    const Cluster &cluster = clusters->cluster(id);
    const std::int64_t bytes = m_bytes[id.index()];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Bytes) return memoryText(bytes);
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
        return share(bytes);
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
    for (const QModelIndex &fold : m_model->folds())
        collapse(fold);
    placeColumns();
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
    placeColumns();
}

void ClusterTreeView::placeColumns()
{
    const int width = viewport()->width();
    const int bytes = width < kNoBars ? kBytesOnly : kBytesColumn;
    setColumnWidth(ClusterTreeModel::Bytes, bytes);
    setColumnWidth(ClusterTreeModel::Name, width - bytes);
    const int levels = std::max(1, m_model->levels());
    setIndentation(std::clamp((width - bytes - kNameRoom) / levels, kLeastIndent, kIndent));
}

void ClusterTreeView::drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const
{
    const Theme &theme = Theme::instance();
    if (selectionModel()->isSelected(index)) painter->fillRect(rect, theme.color(Token::AccentSoft));
    if (m_model->rowCount(index) == 0) return;
    const QString icon = isExpanded(index) ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right");
    // At the outermost level the indentation may be less than the chevron takes; its strokes begin 3 px inside.
    painter->drawPixmap(std::max(rect.right() - 13, -2), rect.center().y() - 6,
                        theme.iconPixmap(icon, 13, Token::Text3, devicePixelRatioF()));
}

} // namespace remat::studio
