// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/cluster_table.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"

#include <QHeaderView>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kMostRows = 5;

/// Every schedule that is taken, a line each.
QString chosenText(const ClusterProgress &cluster)
{
    QStringList lines;
    for (const ChosenOption &option : cluster.chosen)
        lines << QStringLiteral("×%1: ").arg(option.uses) +
                     ClusterModel::tr("holds %1 from forward to backward, adds %2")
                         .arg(memoryText(option.keptBytes), timeText(option.extraUs));
    return lines.join(u'\n');
}

/// A row as tables show it, with the bar below while it runs.
class ClusterDelegate : public PlainDelegate
{
public:
    using PlainDelegate::PlainDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        PlainDelegate::paint(painter, option, index);
        if (!index.data(ClusterModel::kRunningRole).toBool()) return;
        const QRect bar(option.rect.left(), option.rect.bottom() - 2, option.rect.width(), 2);
        painter->fillRect(bar, Theme::instance().color(Token::Accent));
    }
};

} // namespace

ClusterModel::ClusterModel(QObject *parent)
    : RowTable({{tr("Cluster")},
                {tr("Level"), true},
                {tr("Uses"), true},
                {tr("Options"), true},
                {tr("Gap"), true},
                {tr("Time"), true},
                {tr("Chosen"), true}},
               parent)
{
}

void ClusterModel::setClusters(const std::vector<ClusterProgress> &clusters)
{
    if (clusters.size() == m_clusters.size()) {
        m_clusters = clusters;
        cellsChanged();
        return;
    }
    beginResetModel();
    m_clusters = clusters;
    endResetModel();
}

int ClusterModel::rows() const
{
    return static_cast<int>(m_clusters.size());
}

QVariant ClusterModel::cell(int row, int column, int role) const
{
    const ClusterProgress &cluster = m_clusters[static_cast<std::size_t>(row)];
    if (role == kRunningRole) return cluster.running;
    if (role == kQuietRole) return column != Name;
    if (role == Qt::ToolTipRole && column == Gap && cluster.gap < 0)
        return tr("How much better this block could be planned is not known yet.");
    if (role == Qt::ToolTipRole && column == Name) return toQString(cluster.name);
    if (role == Qt::ToolTipRole && column == Chosen) return chosenText(cluster);
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case Name:
        return toQString(cluster.name);
    case Level:
        return countText(cluster.level);
    case Chosen:
        return cluster.chosen.empty() ? dash() : countText(static_cast<std::int64_t>(cluster.chosen.size()));
    case Uses:
        return QStringLiteral("×%1").arg(cluster.uses);
    case Options:
        return countText(cluster.options);
    case Gap:
        return cluster.gap < 0 ? dash() : shareText(cluster.gap);
    default:
        return cluster.seconds <= 0 ? dash() : timeText(cluster.seconds * 1e6);
    }
}

ClusterTable::ClusterTable(QWidget *parent) : QTableView(parent), m_model(new ClusterModel(this))
{
    setModel(m_model);
    setItemDelegate(new ClusterDelegate(this));
    makePlain(*this);
    setSelectionMode(QAbstractItemView::NoSelection);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Clusters being solved"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ClusterTable::setClusters(const std::vector<ClusterProgress> &clusters)
{
    const int before = m_model->rowCount();
    m_model->setClusters(clusters);
    if (m_model->rowCount() != before) updateGeometry();
    const bool levels = std::any_of(clusters.begin(), clusters.end(), [](const auto &c) { return c.level != 1; });
    setColumnHidden(ClusterModel::Level, !levels);
    const bool chosen = std::any_of(clusters.begin(), clusters.end(), [](const auto &c) { return !c.chosen.empty(); });
    setColumnHidden(ClusterModel::Chosen, !chosen);
    // The panel has no room for all: with levels there is no gap, and how the solves went is of the past once all are
    // done, or it is known what was taken of them.
    const bool done = std::all_of(clusters.begin(), clusters.end(), [](const auto &c) { return c.done; });
    setColumnHidden(ClusterModel::Gap, chosen || levels);
    setColumnHidden(ClusterModel::Time, chosen || (levels && done));
    fitColumns();
    const auto running = std::find_if(clusters.begin(), clusters.end(), [](const auto &c) { return c.running; });
    if (running != clusters.end()) scrollTo(m_model->index(static_cast<int>(running - clusters.begin()), 0));
}

QSize ClusterTable::sizeHint() const
{
    return {200, kTableRow * (1 + std::min(m_model->rowCount(), kMostRows)) + 1};
}

void ClusterTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void ClusterTable::fitColumns()
{
    setWidths(*this, {0, 44, 42, 56, 56, 62, 56});
}

void ClusterTable::wheelEvent(QWheelEvent *event)
{
    if (verticalScrollBar()->maximum() == 0)
        event->ignore(); // the panel scrolls
    else
        QTableView::wheelEvent(event);
}

} // namespace remat::studio
