// SPDX-License-Identifier: Apache-2.0
// Nothing calls itself once a level: graphs of 100,000 levels, in what ops read, in views of views, and in modules.
#include "archive_fixture.h"

#include "core/addresses/layout.h"
#include "core/base/text.h"
#include "core/bounds/bounds.h"
#include "core/clusters/cluster_tree.h"
#include "core/exports/exporter.h"
#include "core/graph/program_graph.h"
#include "core/plan/checker.h"
#include "core/plan/timeline.h"
#include "core/teaching/explain/choices.h"
#include "core/teaching/explain/peak.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <algorithm>

using namespace remat;

namespace {

constexpr std::size_t kLevels = 100000;

struct Planned {
    Model model;
    CostTable costs;
    Plan plan;
};

Planned keptWhole(Model model)
{
    Planned planned{std::move(model), {}, {}};
    planned.costs = test::graphCosts(planned.model.graph);
    planned.plan = keepAllPlan(planned.model.graph);
    return planned;
}

/// Every format that the model can be put in.
void exportAll(const Planned &planned)
{
    for (const ExportFormat &format : exportFormats()) {
        if (format.needsOperators && !planned.model.program) continue;
        QElapsedTimer clock;
        clock.start();
        const auto text = format.write({planned.model, planned.costs, planned.plan});
        if (!text && text.error().message.find("has no backward pass") != std::string::npos) continue;
        QVERIFY2(text.has_value(), text ? "" : text.error().message.c_str());
        QVERIFY(text->size() > 100);
        qInfo("%s: %zu bytes in %lld ms", format.name.c_str(), text->size(), clock.elapsed());
    }
}

Value tensor(const std::string &name, ValueId aliasOf = {})
{
    Value value;
    value.name = name;
    value.sizes = {16};
    value.strides = {1};
    value.aliasOf = aliasOf;
    return value;
}

/// x, then views of it, each made with the one before (as `view_as` is), then a forward and a backward pass.
Program viewsOfViews(bool eachOfTheOneBefore)
{
    Program program;
    program.name = "views";
    const auto add = [&](const std::string &name, ValueId aliasOf = {}) {
        program.values.push_back(tensor(name, aliasOf));
        return ValueId(program.values.size() - 1);
    };
    const auto call = [&](const std::string &op, const std::vector<ValueId> &reads, ValueId made, Phase phase) {
        Node node;
        node.name = program.value(made).name;
        node.opName = "aten::" + op;
        node.phase = phase;
        for (const ValueId read : reads)
            node.arguments.push_back({"a", read, false});
        node.outputs = {made};
        program.nodes.push_back(std::move(node));
    };
    const ValueId x = add("x");
    program.inputs.push_back({x, StorageKind::Parameter, "x", {}, {}});
    ValueId last = x;
    for (std::size_t i = 0; i < kLevels; ++i) {
        const ValueId view = add("v" + std::to_string(i), eachOfTheOneBefore ? last : x);
        call("view_as", eachOfTheOneBefore ? std::vector{last} : std::vector{x, last}, view, Phase::Forward);
        last = view;
    }
    const ValueId loss = add("loss");
    call("mean", {last}, loss, Phase::Loss);
    // Each stands for a view, whose first reader is to be found.
    ValueId gradient = loss;
    for (std::size_t i = 0; i < 1000; ++i) {
        const ValueId made = add("g" + std::to_string(i));
        call("neg", {gradient}, made, Phase::Backward);
        program.nodes.back().forwardNode = "v" + std::to_string(i * 97);
        gradient = made;
    }
    program.outputs = {{loss, OutputKind::Loss, ""}, {gradient, OutputKind::ParameterGradient, "x"}};
    return program;
}

} // namespace

class TstDeep : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opsOfOps()
    {
        // Half of the levels forward, and as many backward.
        const Planned planned = keptWhole({{}, test::chainGraph(kLevels / 2), {}});
        const Graph &graph = planned.model.graph;
        QVERIFY(graph.ops.size() > kLevels);
        const Verdict verdict = checkPlan(graph, planned.costs, planned.plan);
        QVERIFY2(verdict.ok, verdict.sentence.c_str());
        const auto timeline = buildTimeline(graph, planned.costs, planned.plan.steps);
        QVERIFY(timeline.has_value());
        QVERIFY(momentAt(graph, *timeline, timeline->peakSample).holders.size() > kLevels / 4);
        const auto instances = memoryInstances(graph, planned.costs, planned.plan.steps);
        const MemoryLayout layout = layOut(instances);
        QVERIFY(layout.heightBytes >= layout.loadBytes && layout.loadBytes > 0);
        QVERIFY(!peakBounds(graph, planned.costs).empty());
        QVERIFY(everyPlanBound(graph, planned.costs, timeline->peakBytes).timeUs > 0);
        QCOMPARE(moduleTree(graph).clusterOf.size(), graph.ops.size());
        QCOMPARE(blockPartition(graph, planned.costs.timeUs, {}).clusterOf.size(), graph.ops.size());
        exportAll(planned);
    }

    /// What would have to be computed again for the last of a chain is the whole chain.
    void whatAChoiceWouldCost()
    {
        test::GraphBuilder builder;
        StorageId last = builder.resident(1);
        for (std::size_t i = 0; i < kLevels; ++i)
            last = builder.output(builder.op({last}, {{.bytes = 1}}));
        builder.op({builder.resident(1)}, {{.bytes = 1}});
        builder.op({last}, {{.bytes = 1, .isOutput = true}});
        const Graph graph = builder.finish();
        const auto why = whyKept(graph, test::graphCosts(graph), keepAllPlan(graph), last);
        QVERIFY(why.has_value());
        QCOMPARE(why->chain.size(), kLevels);
        QCOMPARE(why->chainUs, double(kLevels));
    }

    void viewsOfViews_data()
    {
        QTest::addColumn<bool>("eachOfTheOneBefore");
        QTest::newRow("each of the one before") << true;
        QTest::newRow("all of one, each made with the one before") << false;
    }
    void viewsOfViews()
    {
        QFETCH(bool, eachOfTheOneBefore);
        Program program = ::viewsOfViews(eachOfTheOneBefore);
        // 1,000 ops that each look for a reader of a view once walked 100 million views each: that never ended.
        auto graph = buildGraph(program);
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
        // Views in a line each lead to what reads the last; of views beside each other only the last does.
        const OpId forward = graph->ops[1].forwardOp;
        QCOMPARE(forward ? graph->op(forward).name : std::string(), std::string(eachOfTheOneBefore ? "loss" : ""));
        exportAll(keptWhole({{}, std::move(*graph), std::move(program)}));
    }

    /// Deeper than anybody nests modules, paths end: the ops stay in the deepest that is told apart.
    void modulesInModules()
    {
        std::string path = "layers";
        for (std::size_t i = 0; i < kLevels; ++i)
            path += ".0";
        test::Json op = {{"name", "a"}, {"inputs", test::Json::array()}, {"outputs", {{{"name", "s"}, {"bytes", 1}}}}};
        op["module"] = path;
        const test::Folder folder;
        auto model =
            readModel(folder.write("deep.json", test::Json({{"format", "remat-graph/1"}, {"ops", {op}}}).dump()));
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        const ClusterTree tree = moduleTree(model->graph);
        QCOMPARE(tree.clusters.size(), kMaxModuleLevels + 1);
        QCOMPARE(tree.cluster(tree.clusterOf[0]).path, model->graph.ops[0].module);
        exportAll(keptWhole(std::move(*model)));
    }

    void namesOfSaneLength()
    {
        test::GraphBuilder builder;
        const OpId op = builder.op({}, {{.bytes = 1}});
        builder.edit(op).module = std::string(100000, 'm') + ".fc";
        builder.edit(op).source = std::string(100000, 's');
        const Graph graph = finishGraph(builder.draft()).value();
        QCOMPARE(graph.ops[0].module.size(), kMaxModuleBytes);
        QCOMPARE(graph.ops[0].source.size(), kMaxSourceBytes);
        builder.edit(op).name = std::string(kMaxNameBytes, 'n');
        QVERIFY(finishGraph(builder.draft()));
        builder.edit(op).name += 'n';
        const auto refused = finishGraph(builder.draft());
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("has 1001 bytes; names have at most 1000") != std::string::npos);
        QVERIFY(refused.error().message.size() < 300);
    }
};

QTEST_GUILESS_MAIN(TstDeep)
#include "tst_deep.moc"
