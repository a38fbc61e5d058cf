// SPDX-License-Identifier: Apache-2.0
// The tree the graph view shows, and the figures on its cards.
#include "core/views/graph_figures.h"
#include "core/views/graph_names.h"
#include "tests/support/costed_models.h"
#include "tests/support/text_rows.h"

#include <set>

using namespace remat;

namespace {

int childCalled(const GraphTree &tree, int parent, const std::string &title)
{
    for (const int child : tree.node(parent).children)
        if (tree.node(child).title == title) return child;
    return -1;
}

const NodeFigures &figuresAt(const GraphFigures &figures, int node)
{
    return figures.nodes[static_cast<std::size_t>(node)];
}

/// Two clusters with four ops between them that nothing is computed backward for.
Graph preparedGraph()
{
    test::GraphBuilder builder;
    StorageId x = builder.resident(8);
    const auto add = [&](const char *module, const char *kind) {
        const OpId op = builder.op({x}, {{16, StorageKind::Activation, false, {}}});
        builder.edit(op).module = module;
        builder.edit(op).kind = kind;
        x = builder.output(op);
        return op;
    };
    const OpId a = add("a", "linear"), a2 = add("a", "gelu");
    for (int i = 0; i < 4; ++i)
        add("", "arange");
    const OpId b = add("b", "linear"), b2 = add("b", "gelu");
    StorageId gradient = x;
    for (const OpId twin : {b2, b, a2, a}) {
        const OpId op = builder.op({gradient}, {{16, StorageKind::Gradient, twin == a, {}}}, 1, Phase::Backward);
        builder.edit(op).forwardOp = twin;
        gradient = builder.output(op);
    }
    return builder.finish();
}

} // namespace

class TestGraphModel : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyOpHasOnePlace_data()
    {
        test::textRows("what",
                       {"layers", "chain", "random", "tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"});
    }

    void everyOpHasOnePlace()
    {
        QFETCH(QString, what);
        Graph graph;
        if (what == QLatin1String("layers")) {
            graph = test::layeredGraph(5);
        } else if (what == QLatin1String("chain")) {
            graph = test::chainGraph(6);
        } else if (what == QLatin1String("random")) {
            graph = test::randomGraph(7, {.ops = 40, .joint = true});
        } else {
            auto model = test::loadSample(what.toStdString());
            if (!model) QFAIL(model.error().message.c_str());
            graph = std::move(model->graph);
        }
        for (const ClusterTree &clusters :
             {moduleTree(graph), blockPartition(graph, test::graphCosts(graph).timeUs, {})}) {
            const GraphTree tree = buildGraphTree(graph, clusters);
            std::set<std::string> paths;
            std::size_t held = 0;
            for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                const GraphNode &node = tree.nodes[i];
                QVERIFY2(paths.insert(node.path).second, node.path.c_str());
                QCOMPARE(tree.find(node.path), static_cast<int>(i));
                QVERIFY(!node.title.empty() || i == 0);
                QVERIFY(i == 0 || !node.forwardOps.empty() || !node.backwardOps.empty());
                std::size_t below = 0;
                for (const int child : node.children) {
                    QCOMPARE(tree.node(child).parent, static_cast<int>(i));
                    below += tree.node(child).forwardOps.size() + tree.node(child).backwardOps.size();
                }
                const std::size_t own = node.forwardOps.size() + node.backwardOps.size();
                if (node.children.empty())
                    held += own;
                else
                    QCOMPARE(below, own);
            }
            QCOMPARE(held, graph.ops.size());
            for (std::size_t op = 0; op < graph.ops.size(); ++op) {
                const GraphNode &leaf = tree.node(tree.leafOf[op]);
                QVERIFY(leaf.children.empty());
                const auto &ops = leaf.ops(graph.ops[op].phase == Phase::Backward ? Side::Backward : Side::Forward);
                QVERIFY(std::find(ops.begin(), ops.end(), OpId(op)) != ops.end());
                QVERIFY(leaf.forwardOps.size() <= 1 && leaf.backwardOps.size() <= 1);
            }
        }
    }

    void foldsSingleChildren()
    {
        const Graph graph = test::layeredGraph(4);
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        // `model` holds everything but the loss, so it stays; below it nothing is a single child.
        const int model = childCalled(tree, 0, "model");
        QVERIFY(model > 0);
        // A cluster of one op is that op under the cluster's name.
        const int embed = childCalled(tree, model, "embed");
        QVERIFY(embed > 0);
        QCOMPARE(tree.node(embed).kind, NodeKind::Ops);
        QCOMPARE(tree.node(embed).path, std::string("model.embed"));
        QCOMPARE(tree.node(embed).backwardTitle, std::string("∂ embed"));

        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        for (const char *module :
             {"outer.inner.a", "outer.inner.a", "outer.inner.b", "outer.inner.b", "tail", "tail"}) {
            const OpId op = builder.op({x}, {{8, StorageKind::Activation, true, {}}});
            builder.edit(op).module = module;
        }
        const Graph nested = builder.finish();
        const GraphTree folded = buildGraphTree(nested, moduleTree(nested));
        const int outer = childCalled(folded, 0, "outer.inner");
        QVERIFY(outer > 0);
        QCOMPARE(folded.node(outer).children.size(), std::size_t(2));
        QCOMPARE(folded.find("outer"), outer);
        QCOMPARE(folded.find("outer.inner"), outer);
        QCOMPARE(folded.find("elsewhere"), -1);
    }

    void stacksIdenticalBlocks()
    {
        const Graph graph = test::layeredGraph(12);
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        const int h = tree.find("model.h");
        QVERIFY(h > 0);
        int stacks = 0, represented = 0, members = 0;
        for (const int child : tree.node(h).children) {
            const GraphNode &node = tree.node(child);
            if (node.kind == NodeKind::Stack) {
                ++stacks;
                QCOMPARE(static_cast<std::size_t>(node.copies), node.children.size());
                QVERIFY(node.title.find(" – ") != std::string::npos);
                members += node.copies;
            } else {
                ++members;
            }
            represented += node.run >= 0 ? 1 : 0;
        }
        QCOMPARE(stacks, 1);
        QCOMPARE(represented, 1);
        QCOMPARE(members, 12);
        QCOMPARE(tree.runs.size(), std::size_t(1));
        QCOMPARE(tree.runs[0].chosen, static_cast<int>(tree.runs[0].paths.size()) - 1);
        const GraphTree three = buildGraphTree(test::layeredGraph(1), moduleTree(test::layeredGraph(1)));
        QVERIFY(three.runs.empty());
    }

    void chosenMemberStandsAlone()
    {
        const Graph graph = test::layeredGraph(12);
        const ClusterTree clusters = moduleTree(graph);
        const Run run = buildGraphTree(graph, clusters).runs.at(0);
        for (const int choice : {-5, 0, 1, 4, 99}) {
            const GraphTree tree = buildGraphTree(graph, clusters, {{run.key, choice}});
            const int member = std::clamp(choice, 0, static_cast<int>(run.paths.size()) - 1);
            QCOMPARE(tree.runs.at(0).chosen, member);
            const int node = tree.find(run.paths[static_cast<std::size_t>(member)]);
            QCOMPARE(tree.node(node).run, 0);
            QCOMPARE(tree.node(tree.node(node).parent).path, std::string("model.h"));
        }
        // In the middle there is a stack on either side.
        const GraphTree middle = buildGraphTree(graph, clusters, {{run.key, 4}});
        int stacks = 0;
        for (const GraphNode &node : middle.nodes)
            stacks += node.kind == NodeKind::Stack ? 1 : 0;
        QCOMPARE(stacks, 2);
    }

    void groupsOpsWithoutBackward()
    {
        const Graph graph = preparedGraph();
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        QCOMPARE(tree.node(0).children.size(), std::size_t(3));
        const GraphNode &group = tree.node(tree.node(0).children[1]);
        QCOMPARE(group.kind, NodeKind::Group);
        QCOMPARE(group.forwardOps.size(), std::size_t(4));
        QCOMPARE(group.title, graph.ops[2].name + " – " + graph.ops[5].name);
    }

    void numbersOpsOfOneKind()
    {
        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        for (const char *kind : {"mul", "pow", "mul", "native_layer_norm"}) {
            const OpId op = builder.op({x}, {{8, StorageKind::Activation, true, {}}});
            builder.edit(op).kind = kind;
            builder.edit(op).node = NodeId(0);
        }
        const Graph graph = builder.finish();
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        std::vector<std::string> titles;
        for (const int child : tree.node(0).children)
            titles.push_back(tree.node(child).title);
        QCOMPARE(titles, (std::vector<std::string>{"mul 1", "pow", "mul 2", "layer norm"}));
    }

    void backwardOpsOpenUnderTheirForwardOp()
    {
        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        const OpId forward = builder.op({x}, {{8, StorageKind::Activation, false, {}}});
        builder.edit(forward).module = "fc";
        StorageId gradient = builder.output(forward);
        std::vector<OpId> backward;
        for (const char *kind : {"mm", "mm", "sum"}) {
            backward.push_back(builder.op({gradient}, {{8, StorageKind::Gradient, true, {}}}, 1, Phase::Backward));
            builder.edit(backward.back()).forwardOp = forward;
            builder.edit(backward.back()).kind = kind;
            builder.edit(backward.back()).node = NodeId(0);
        }
        const OpId other = builder.op({gradient}, {{8, StorageKind::Activation, true, {}}});
        builder.edit(other).module = "tail";
        const Graph graph = builder.finish();
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        const GraphNode &fc = tree.node(tree.find("fc"));
        QCOMPARE(fc.kind, NodeKind::Ops);
        QCOMPARE(fc.forwardOps, std::vector<OpId>{forward});
        QCOMPARE(fc.backwardOps, backward);
        QCOMPARE(fc.children.size(), std::size_t(3));
        // Backward runs upwards; its first op shares the lowest row with the forward op.
        QCOMPARE(tree.node(fc.children[0]).backwardTitle, std::string("sum"));
        QCOMPARE(tree.node(fc.children[1]).backwardTitle, std::string("mm 2"));
        QCOMPARE(tree.node(fc.children[2]).backwardTitle, std::string("mm 1"));
        QCOMPARE(tree.node(fc.children[2]).forwardOps, std::vector<OpId>{forward});
    }

    void deepNestingEnds()
    {
        test::GraphBuilder builder;
        const StorageId x = builder.resident(8);
        std::string module;
        for (int i = 0; i < 300; ++i) {
            module += (i > 0 ? ".m" : "m") + std::to_string(i);
            for (int k = 0; k < 2; ++k) {
                const OpId op = builder.op({x}, {{8, StorageKind::Activation, true, {}}});
                builder.edit(op).module = module;
            }
        }
        const Graph graph = builder.finish();
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        QCOMPARE(tree.node(0).forwardOps.size(), std::size_t(600));
        for (std::size_t op = 0; op < graph.ops.size(); ++op)
            QVERIFY(tree.lineage(tree.leafOf[op]).size() < 80);
    }

    void names()
    {
        QCOMPARE(humanKind("addmm"), std::string("addmm"));
        QCOMPARE(humanKind("native_layer_norm"), std::string("layer norm"));
        QCOMPARE(humanKind("_native_batch_norm_legit_functional"), std::string("batch norm"));
        QCOMPARE(humanKind("_scaled_dot_product_flash_attention_for_cpu"), std::string("attention"));
        QCOMPARE(humanKind("_scaled_dot_product_efficient_attention_backward"), std::string("attention backward"));
        QCOMPARE(humanKind("_"), std::string("_"));
        QCOMPARE(humanKind(""), std::string());
        QCOMPARE(foldedName("encoder", "layers"), std::string("encoder.layers"));
        QCOMPARE(foldedName("h", "h.0"), std::string("h.0"));
        QCOMPARE(rangeName("h.0", "h.10"), std::string("h.0 – h.10"));
        QCOMPARE(rangeName("decoder.0", "decoder.3"), std::string("decoder.0 – 3"));
        QCOMPARE(rangeName("block 3", "block 12"), std::string("block 3 – 12"));
        QCOMPARE(rangeName("h.0 – h.1", "h.9 – h.10"), std::string("h.0 – h.10"));
        QCOMPARE(rangeName("very_long_name", "other_long_name"), std::string("very_long_name – other_long_name"));
    }

    void keepAllFigures()
    {
        const auto model = test::costedModel(test::layeredGraph(4));
        const Graph &graph = model->graph();
        const GraphTree tree = buildGraphTree(graph, model->open->modules);
        const GraphFigures figures = graphFigures(tree, graph, *model->costs, *model->keepAll, model->open->readers);
        // Held for the backward pass: what a forward op made and a backward op reads, counted here by itself.
        std::int64_t held = 0;
        double forwardUs = 0, lossUs = 0, backwardUs = 0;
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            const Op &op = graph.ops[i];
            (op.phase == Phase::Forward ? forwardUs : op.phase == Phase::Loss ? lossUs : backwardUs) += op.timeUs;
            if (op.phase == Phase::Backward) continue;
            for (const StorageId output : op.outputs) {
                bool read = graph.storage(output).isOutput;
                for (const OpId reader : model->open->readers[output.index()])
                    read = read || graph.op(reader).phase == Phase::Backward;
                held += read ? graph.storage(output).bytes : 0;
            }
        }
        QCOMPARE(figuresAt(figures, 0).forward.bytes, held);
        QCOMPARE(figuresAt(figures, 0).forward.recomputedBytes, std::int64_t(0));
        QCOMPARE(figuresAt(figures, 0).recomputedOps, 0);
        QCOMPARE(figures.totals.forwardUs, forwardUs);
        QCOMPARE(figures.totals.lossUs, lossUs);
        QCOMPARE(figures.totals.backwardUs, backwardUs);
        QCOMPARE(figuresAt(figures, 0).forward.timeUs, forwardUs + lossUs);
        QCOMPARE(figuresAt(figures, 0).backward.timeUs, backwardUs);
        QCOMPARE(figuresAt(figures, 0).backward.state, NodeState::Backward);
        QCOMPARE(figuresAt(figures, 0).forward.state, NodeState::Kept);
        const int head = tree.find("model.head");
        QCOMPARE(figuresAt(figures, head).forward.state, NodeState::Freed);
    }

    void figuresFollowThePlan()
    {
        const auto model = test::costedModel(test::layeredGraph(4));
        const Graph &graph = model->graph();
        const GraphTree tree = buildGraphTree(graph, model->open->modules);
        const auto plan = test::recomputingPlan(*model, 1, [](const Op &op) { return op.kind == "gelu"; });
        const GraphFigures figures = graphFigures(tree, graph, *model->costs, *plan->timeline, model->open->readers);
        int gelus = 0;
        double geluUs = 0;
        std::int64_t geluBytes = 0;
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            if (graph.ops[i].kind != "gelu") continue;
            ++gelus;
            geluUs += graph.ops[i].timeUs;
            geluBytes += graph.storage(graph.ops[i].outputs[0]).bytes;
            QCOMPARE(figures.opStates[i], NodeState::Recomputed);
            const NodeFigures &leaf = figuresAt(figures, tree.leafOf[i]);
            QCOMPARE(leaf.forward.bytes, std::int64_t(0));
            QCOMPARE(leaf.forward.recomputedBytes, graph.storage(graph.ops[i].outputs[0]).bytes);
            QCOMPARE(leaf.forward.state, NodeState::Recomputed);
        }
        QCOMPARE(gelus, 4);
        QCOMPARE(figuresAt(figures, 0).recomputedOps, gelus);
        QCOMPARE(figuresAt(figures, 0).recomputations, gelus);
        QVERIFY(qAbs(figuresAt(figures, 0).recomputeUs - geluUs) < 1e-9);
        QCOMPARE(figuresAt(figures, 0).forward.recomputedBytes, geluBytes);
        QCOMPARE(figuresAt(figures, 0).forward.state, NodeState::Mixed);
        QCOMPARE(figuresAt(figures, tree.find("model.embed")).forward.state, NodeState::Kept);
        double backwardUs = 0;
        for (const Op &op : graph.ops)
            backwardUs += op.phase == Phase::Backward ? op.timeUs : 0;
        QVERIFY(qAbs(figures.totals.backwardUs - backwardUs - geluUs) < 1e-9);
    }

    void bytesOfGradientsLeaveTheirCluster()
    {
        const auto model = test::costedModel(test::layeredGraph(4));
        const Graph &graph = model->graph();
        const GraphTree tree = buildGraphTree(graph, model->open->modules);
        const GraphFigures figures = graphFigures(tree, graph, *model->costs, *model->keepAll, model->open->readers);
        for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
            const GraphNode &node = tree.nodes[i];
            std::int64_t leaving = 0;
            for (const OpId op : node.backwardOps) {
                for (const StorageId output : graph.op(op).outputs) {
                    bool leaves = node.children.empty() || graph.storage(output).isOutput;
                    for (const OpId reader : model->open->readers[output.index()])
                        leaves = leaves || std::find(node.backwardOps.begin(), node.backwardOps.end(), reader) ==
                                               node.backwardOps.end();
                    leaving += leaves ? graph.storage(output).bytes : 0;
                }
            }
            QCOMPARE(figures.nodes[i].backward.bytes, leaving);
        }
    }

    void firstExpansionFitsAScreen()
    {
        const Graph graph = test::layeredGraph(12);
        const GraphTree tree = buildGraphTree(graph, moduleTree(graph));
        const std::vector<std::string> open = firstExpansion(tree);
        QVERIFY(std::find(open.begin(), open.end(), "model") != open.end());
        QVERIFY(std::find(open.begin(), open.end(), "model.h") != open.end());
        const Graph flat = test::randomGraph(3, {.ops = 60});
        const GraphTree flatTree = buildGraphTree(flat, moduleTree(flat));
        const std::vector<std::string> none = firstExpansion(flatTree);
        QVERIFY2(none.empty(), none.empty() ? "" : none.front().c_str());
    }
};

QTEST_GUILESS_MAIN(TestGraphModel)
#include "tst_graph_model.moc"
