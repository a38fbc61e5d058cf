// SPDX-License-Identifier: Apache-2.0
// The module tree or the solving partition, each cluster with its bytes.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/document/hierarchy.h"

#include <QAbstractItemModel>
#include <QTreeView>

namespace remat::studio {

/// One tree of the open model. Bytes of a cluster: what its ops and those below it hold at the keep-all peak. Of
/// identical clusters in a row all but the last are folded into one row, `h.0 – h.10`.
class ClusterTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Name, Bytes, kColumns };
    static constexpr int kShareRole = Qt::UserRole + 1; ///< share of the root's bytes, 0..1

    using QAbstractItemModel::QAbstractItemModel;
    void setModel(std::shared_ptr<const CostedModel> model, Hierarchy hierarchy);
    const ClusterTree *tree() const;
    /// None for a fold.
    ClusterId clusterAt(const QModelIndex &index) const;
    std::vector<QModelIndex> folds() const;
    /// How deep it gets, runs of equal modules opened. O(clusters × depth).
    int levels() const;
    QModelIndex indexOf(ClusterId cluster) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    /// Identical siblings under one row.
    struct Fold {
        ClusterId parent;
        std::vector<ClusterId> members;
        int row = 0; ///< under the parent
    };
    struct Row {
        ClusterId cluster;
        int fold = -1; ///< instead of a cluster
    };
    void sumBytes();
    void foldRows();
    const Fold *foldAt(const QModelIndex &index) const;
    QModelIndex foldIndex(int fold, int column = 0) const;
    QVariant foldData(const Fold &fold, int column, int role) const;
    double share(std::int64_t bytes) const;

    std::shared_ptr<const CostedModel> m_model;
    Hierarchy m_hierarchy = Hierarchy::Modules;
    std::vector<std::int64_t> m_bytes; ///< per cluster, everything below it included
    std::vector<Fold> m_folds;
    std::vector<std::vector<Row>> m_rows; ///< per cluster, what stands below it
    std::vector<int> m_row, m_foldOf;     ///< per cluster: its row, and the fold it is in or -1
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
    void placeColumns();

    Document *m_document;
    ClusterTreeModel *m_model;
    Hierarchy m_hierarchy = Hierarchy::Modules;
    bool m_following = false;
};

} // namespace remat::studio
