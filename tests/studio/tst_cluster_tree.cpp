// SPDX-License-Identifier: Apache-2.0
// The tree of modules: every cluster once, identical ones in a row under a fold.
#include "app/studio/views/modules/cluster_tree_view.h"
#include "tests/support/costed_models.h"

#include <QtTest>

#include <set>

using namespace remat;
using namespace remat::studio;

class TestClusterTree : public QObject
{
    Q_OBJECT

    void gather(const ClusterTreeModel &model, const QModelIndex &index, std::multiset<int> &clusters,
                QStringList &folds)
    {
        const ClusterId cluster = model.clusterAt(index);
        if (cluster)
            clusters.insert(cluster.value);
        else
            folds << index.data().toString();
        for (int row = 0; row < model.rowCount(index); ++row)
            gather(model, model.index(row, 0, index), clusters, folds);
    }

private Q_SLOTS:
    void everyClusterOnceAndFolded()
    {
        for (const int count : {2, 3, 6, 14}) {
            const auto costed = test::costedModel(test::layeredGraph(count));
            ClusterTreeModel model;
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            model.setModel(costed, Hierarchy::Modules);
            std::multiset<int> clusters;
            QStringList folds;
            gather(model, model.index(0, 0), clusters, folds);
            const auto &tree = costed->open->modules;
            QCOMPARE(clusters.size(), tree.clusters.size());
            QCOMPARE(std::set<int>(clusters.begin(), clusters.end()).size(), clusters.size());
            QCOMPARE(model.folds().size(), static_cast<std::size_t>(folds.size()));
            for (std::size_t i = 0; i < tree.clusters.size(); ++i)
                QCOMPARE(model.clusterAt(model.indexOf(ClusterId(i))), ClusterId(i));
            if (count < 3)
                QVERIFY(folds.isEmpty());
            else
                QVERIFY2(folds.contains(QStringLiteral("h.0 – h.%1").arg(count - 2)), qPrintable(folds.join(u',')));
        }
    }

    void bytesOfAFoldAreItsMembers()
    {
        const auto costed = test::costedModel(test::layeredGraph(6));
        ClusterTreeModel model;
        model.setModel(costed, Hierarchy::Modules);
        const QModelIndex fold = model.folds().front();
        double share = 0;
        for (int row = 0; row < model.rowCount(fold); ++row)
            share += model.index(row, ClusterTreeModel::Bytes, fold).data(ClusterTreeModel::kShareRole).toDouble();
        QVERIFY(share > 0);
        QVERIFY(qAbs(fold.data(ClusterTreeModel::kShareRole).toDouble() - share) < 1e-9);
        QVERIFY(!fold.data(Qt::ToolTipRole).toString().isEmpty());
    }

    void foldsOpenForTheSelection()
    {
        Document document;
        ClusterTreeView view(&document);
        view.resize(240, 600);
        view.show();
        document.setModel(test::costedModel(test::layeredGraph(6)));
        auto *model = qobject_cast<ClusterTreeModel *>(view.model());
        const QModelIndex fold = model->folds().front();
        QVERIFY(!view.isExpanded(fold));
        QSignalSpy chosen(&view, &ClusterTreeView::clusterChosen);
        const Graph &graph = document.model()->graph();
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (graph.ops[i].module.starts_with("model.h.2.mlp")) {
                document.selectOp(OpId(i));
                break;
            }
        QVERIFY(view.isExpanded(model->folds().front()));
        QCOMPARE(chosen.size(), 0);
        view.setCurrentIndex(model->folds().front());
        for (const auto &call : chosen)
            QVERIFY(!call.front().value<ClusterId>());
    }
};

QTEST_MAIN(TestClusterTree)
#include "tst_cluster_tree.moc"
