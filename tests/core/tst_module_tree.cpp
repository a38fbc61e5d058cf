// SPDX-License-Identifier: Apache-2.0
#include "core/clusters/cluster_tree.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <set>

using namespace remat;
using namespace remat::test;

namespace {

const Cluster *find(const ClusterTree &tree, const std::string &path)
{
    for (const Cluster &cluster : tree.clusters)
        if (cluster.path == path) return &cluster;
    return nullptr;
}

/// Every op in exactly one list, in graph order, and the tree's links agree with each other.
void verifyTree(const Graph &graph, const ClusterTree &tree)
{
    std::vector<int> seen(graph.ops.size(), 0);
    std::set<std::string> paths;
    for (std::size_t c = 0; c < tree.clusters.size(); ++c) {
        const Cluster &cluster = tree.clusters[c];
        QVERIFY(paths.insert(cluster.path).second);
        QVERIFY(std::is_sorted(cluster.forwardOps.begin(), cluster.forwardOps.end()));
        QVERIFY(std::is_sorted(cluster.backwardOps.begin(), cluster.backwardOps.end()));
        for (const OpId op : cluster.forwardOps)
            QVERIFY(graph.op(op).phase != Phase::Backward);
        for (const OpId op : cluster.backwardOps)
            QVERIFY(graph.op(op).phase == Phase::Backward);
        for (const auto *ops : {&cluster.forwardOps, &cluster.backwardOps}) {
            for (const OpId op : *ops) {
                ++seen[op.index()];
                QVERIFY(tree.clusterOf[op.index()] == ClusterId(c));
            }
        }
        for (const ClusterId child : cluster.children)
            QVERIFY(tree.cluster(child).parent == ClusterId(c));
        QCOMPARE(c == 0, !cluster.parent);
        QVERIFY(cluster.representative <= ClusterId(c));
        QCOMPARE(tree.cluster(cluster.representative).structure, cluster.structure);
        QVERIFY(cluster.copies >= 1);
    }
    QVERIFY(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    QCOMPARE(allOps(tree, tree.root()).size(), graph.ops.size());
}

} // namespace

class TestModuleTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pathsBecomeClusters()
    {
        const Graph graph = layeredGraph(3);
        const ClusterTree tree = moduleTree(graph);
        verifyTree(graph, tree);
        const Cluster *layer = find(tree, "model.h.1");
        QVERIFY(layer);
        QCOMPARE(layer->name, "h.1");
        QCOMPARE(tree.cluster(layer->parent).path, "model.h");
        QCOMPARE(layer->children.size(), 2U);
        QCOMPARE(tree.cluster(layer->children[0]).name, "attn");
        QCOMPARE(tree.cluster(layer->children[1]).path, "model.h.1.mlp");
        QVERIFY(layer->forwardOps.empty());
        QCOMPARE(tree.cluster(layer->children[0]).forwardOps.size(), 9U);
        const Cluster *loss = find(tree, "loss");
        QVERIFY(loss);
        QCOMPARE(loss->forwardOps.size(), 1U);
        QVERIFY(loss->parent == tree.root());
        const Cluster &model = *find(tree, "model");
        QCOMPARE(model.children.size(), 3U);
        QCOMPARE(tree.cluster(model.children[0]).name, "embed");
        QCOMPARE(tree.cluster(model.children[2]).name, "head");
    }

    void backwardOpsGoWithTheirForwardOp()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId a = builder.op({x}, {{1}});
        const OpId b = builder.op({builder.output(a)}, {{1}});
        const OpId loss = builder.op({builder.output(b)}, {{1, StorageKind::Activation, true}}, 1, Phase::Loss);
        const auto backward = [&] {
            return builder.op({builder.output(loss)}, {{1, StorageKind::Gradient, true}}, 1, Phase::Backward);
        };
        const OpId first = backward(), ofB = backward(), after = backward(), bySequence = backward();
        builder.edit(a).module = "left";
        builder.edit(a).sequence = 7;
        builder.edit(b).module = "right";
        builder.edit(ofB).forwardOp = b;
        builder.edit(ofB).module = "somewhere.else";
        builder.edit(bySequence).sequence = 7;
        const Graph graph = builder.finish();
        const ClusterTree tree = moduleTree(graph);
        verifyTree(graph, tree);
        const auto pathOf = [&](OpId op) { return tree.cluster(tree.clusterOf[op.index()]).path; };
        QCOMPARE(pathOf(first), "loss");
        QCOMPARE(pathOf(ofB), "right");
        QCOMPARE(pathOf(after), "right"); // with the one before it
        QCOMPARE(pathOf(bySequence), "left");
        QVERIFY(!find(tree, "somewhere"));
    }

    void identicalLayersAreFound()
    {
        const ClusterTree tree = moduleTree(layeredGraph(12));
        const Cluster *first = find(tree, "model.h.0"), *last = find(tree, "model.h.11");
        QCOMPARE(first->copies, 12);
        QCOMPARE(last->structure, first->structure);
        QCOMPARE(tree.cluster(last->representative).path, "model.h.0");
        QCOMPARE(tree.cluster(first->children[0]).copies, 1); // attn and mlp differ
        QVERIFY(find(tree, "model.embed")->structure != find(tree, "model.head")->structure);
    }

    void aLargerLayerIsNotTheSame()
    {
        Graph graph = layeredGraph(3);
        for (Op &op : graph.ops)
            if (op.module == "model.h.1.mlp" && op.kind == "gelu") graph.storages[op.outputs[0].index()].bytes += 1;
        const ClusterTree tree = moduleTree(graph);
        QCOMPARE(find(tree, "model.h.0")->copies, 2);
        QCOMPARE(find(tree, "model.h.1")->copies, 1);
        QCOMPARE(find(tree, "model.h.1.attn")->structure, find(tree, "model.h.0.attn")->structure);
    }

    void randomGraphsAreCovered()
    {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const Graph graph = randomGraph(seed, {.ops = static_cast<int>(seed % 40), .joint = seed % 2 == 0});
            verifyTree(graph, moduleTree(graph));
        }
    }

    void deepPathsDoNotOverflow()
    {
        constexpr int kDepth = 10'000;
        GraphBuilder builder;
        StorageId x = builder.resident(1);
        std::string path;
        for (int i = 0; i < kDepth; ++i)
            path.append(i == 0 ? "m" : ".m");
        const OpId op = builder.op({x}, {{1, StorageKind::Activation, true}});
        // Set afterwards: a graph that is read has its paths cut long before that.
        Graph graph = builder.finish();
        graph.ops[op.index()].module = path;
        const ClusterTree tree = moduleTree(graph);
        QCOMPARE(tree.clusters.size(), static_cast<std::size_t>(kDepth) + 1);
        QCOMPARE(allOps(tree, tree.root()).size(), 1U);
    }

    void emptyAndOddPaths()
    {
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        for (const char *path : {"", "..", "a..b", ".a", "0", "a.0.1"}) {
            const OpId op = builder.op({x}, {{1, StorageKind::Activation, true}});
            builder.edit(op).module = path;
        }
        const Graph graph = builder.finish();
        const ClusterTree tree = moduleTree(graph);
        QCOMPARE(allOps(tree, tree.root()).size(), graph.ops.size());
        QVERIFY(tree.clusterOf[0] == tree.root() && tree.clusterOf[1] == tree.root());
        QCOMPARE(tree.cluster(tree.clusterOf[4]).name, "0");
        QCOMPARE(tree.cluster(tree.clusterOf[5]).name, "a.0.1");
        QCOMPARE(moduleTree(Graph()).clusters.size(), 1U);
    }

    void sumsOfGradientsAreOfTheModuleThatTakesThem()
    {
        // Both heads read what the trunk makes. Another tracer pairs what autograd adds up with the loss.
        GraphBuilder builder;
        const StorageId x = builder.resident(1);
        const OpId trunk = builder.op({x}, {{1}});
        const OpId left = builder.op({builder.output(trunk)}, {{1}});
        const OpId right = builder.op({builder.output(trunk)}, {{1}});
        const OpId loss = builder.op({builder.output(left), builder.output(right)}, {{1}}, 1, Phase::Loss);
        const OpId backLeft = builder.op({builder.output(loss)}, {{1}}, 1, Phase::Backward);
        const OpId backRight = builder.op({builder.output(loss)}, {{1}}, 1, Phase::Backward);
        const OpId sum = builder.op({builder.output(backLeft), builder.output(backRight)}, {{1}}, 1, Phase::Backward);
        const OpId again = builder.op({builder.output(sum), builder.output(backRight)}, {{1}}, 1, Phase::Backward);
        const OpId backTrunk =
            builder.op({builder.output(again)}, {{1, StorageKind::Activation, true}}, 1, Phase::Backward);
        const std::vector<std::pair<OpId, const char *>> modules = {{trunk, "trunk"}, {left, "left"}, {right, "right"}};
        for (const auto &[op, module] : modules)
            builder.edit(op).module = module;
        for (const auto &[op, twin] : {std::pair(backLeft, left), std::pair(backRight, right), std::pair(sum, loss),
                                       std::pair(again, loss), std::pair(backTrunk, trunk)})
            builder.edit(op).forwardOp = twin;
        builder.edit(sum).kind = "aten.add.Tensor";
        builder.edit(again).kind = "aten.add.Tensor";
        const Graph graph = builder.finish();
        const ClusterTree tree = moduleTree(graph);
        verifyTree(graph, tree);
        QCOMPARE(tree.cluster(tree.clusterOf[sum.index()]).path, "trunk");
        QCOMPARE(tree.cluster(tree.clusterOf[again.index()]).path, "trunk");
        QVERIFY(find(tree, "loss")->backwardOps.empty());
    }

    void gpt2()
    {
        const auto model = loadSample("gpt2");
        if (!model) QFAIL(model.error().message.c_str());
        const ClusterTree tree = moduleTree(model->graph);
        verifyTree(model->graph, tree);
        const Cluster *layer = find(tree, "transformer.h.11");
        QVERIFY(layer);
        QCOMPARE(layer->name, "h.11");
        QCOMPARE(layer->copies, 12);
    }
};

QTEST_GUILESS_MAIN(TestModuleTree)
#include "tst_module_tree.moc"
