// The module tree or the solving partition, each cluster with its bytes.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/graph_view/graph_view.h"

#include <QAbstractItemModel>
#include <QTreeView>

namespace remat::studio {

/// One tree of the open model. Bytes of a cluster: what its ops and those below it hold at the keep-all peak.
class ClusterTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Name, Bytes, kColumns };
    static constexpr int kShareRole = Qt::UserRole + 1; ///< of the root's bytes, 0..1

    using QAbstractItemModel::QAbstractItemModel;
    void setModel(std::shared_ptr<const CostedModel> model, Hierarchy hierarchy);
    const ClusterTree *tree() const;
    ClusterId clusterAt(const QModelIndex &index) const;
    QModelIndex indexOf(ClusterId cluster) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void sumBytes();

    std::shared_ptr<const CostedModel> m_model;
    Hierarchy m_hierarchy = Hierarchy::Modules;
    std::vector<std::int64_t> m_bytes; ///< per cluster, everything below it included
    std::vector<int> m_row;            ///< per cluster, among its siblings
};

/// Rows of 24 with a bar and the bytes at the right.
class ClusterTreeView : public QTreeView
{
    Q_OBJECT
public:
    ClusterTreeView(Document *document, QWidget *parent = nullptr);
    void setHierarchy(Hierarchy hierarchy);
    Hierarchy hierarchy() const { return m_hierarchy; }

Q_SIGNALS:
    /// The person chose a cluster here.
    void clusterChosen(remat::ClusterId cluster);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const override;

private:
    void showModel();
    void followSelection();

    Document *m_document;
    ClusterTreeModel *m_model;
    Hierarchy m_hierarchy = Hierarchy::Modules;
    bool m_following = false;
};

} // namespace remat::studio
