// SPDX-License-Identifier: Apache-2.0
// Blocks are called by the modules that they hold.
#include "core/clusters/block_name.h"
#include "core/clusters/cluster_tree.h"
#include "core/costs/cost_table.h"
#include "core/graph/model.h"

#include <QtTest>

using namespace remat;

class TestBlockName : public QObject
{
    Q_OBJECT

    static Graph withModules(const std::vector<std::string> &modules)
    {
        Graph graph;
        for (const std::string &module : modules) {
            Op op;
            op.module = module;
            graph.ops.push_back(op);
        }
        return graph;
    }
    static std::string nameOf(const std::vector<std::string> &modules)
    {
        const Graph graph = withModules(modules);
        std::vector<OpId> ops;
        for (std::size_t i = 0; i < modules.size(); ++i)
            ops.emplace_back(i);
        return blockName(graph, ops, "block 7");
    }

private Q_SLOTS:
    void itIsOfItsModules()
    {
        QCOMPARE(nameOf({"transformer.h.2.ln_1", "transformer.h.2.attn.c_attn", "transformer.h.2.mlp"}),
                 std::string("h.2"));
        QCOMPARE(nameOf({"transformer.h.2.mlp", "", "transformer.h.3.ln_1"}), std::string("h.2 – h.3"));
        QCOMPARE(nameOf({"transformer.wte", "transformer.h.0.ln_1"}), std::string("wte – h.0"));
        QCOMPARE(nameOf({"layer1.0.conv1", "layer1.0.bn1"}), std::string("layer1.0"));
        QCOMPARE(nameOf({"0", "1"}), std::string("0 – 1"));
        QCOMPARE(nameOf({"lm_head"}), std::string("lm_head"));
        QCOMPARE(nameOf({"", ""}), std::string("block 7"));
        QCOMPARE(nameOf({}), std::string("block 7"));
    }

    /// A range would say that what lies between is in it, too.
    void blocksThatAreApartAreNoRange()
    {
        const Graph graph = withModules({"down.0", "down.1", "up.0", "up.1"});
        QCOMPARE(blockName(graph, {OpId(0), OpId(3)}, {}), std::string("down.0 + up.1"));
        QCOMPARE(blockName(graph, {OpId(1), OpId(2)}, {}), std::string("down.1 – up.0"));
    }

    void theSamplesBlocksHaveNames()
    {
        const auto opened = readModel(REMAT_SAMPLES "/gpt2.pt2");
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        const Graph &graph = opened->graph;
        const ClusterTree tree = blockPartition(graph, std::vector<double>(graph.ops.size(), 1.0), {});
        QVERIFY(tree.clusters.size() > 5);
        int named = 0;
        for (std::size_t c = 1; c < tree.clusters.size(); ++c) {
            QVERIFY(!tree.clusters[c].name.empty());
            named += tree.clusters[c].name.starts_with("block ") ? 0 : 1;
        }
        QCOMPARE(named, static_cast<int>(tree.clusters.size()) - 1);
    }
};

QTEST_GUILESS_MAIN(TestBlockName)
#include "tst_block_name.moc"
