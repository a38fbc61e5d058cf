// SPDX-License-Identifier: Apache-2.0
// Updates of optimizers put into training steps.
#include "core/costs/update_costs.h"
#include "core/graph/optimizer.h"
#include "core/plan/checker.h"
#include "core/plan/simulator.h"
#include "tests/support/graphs.h"
#include "tests/support/text_rows.h"

#include <algorithm>

using namespace remat;
using namespace remat::test;

namespace {

/// Two layers, the second of which makes the gradient of its parameter before it reads the parameter once more.
Model twoLayers()
{
    GraphBuilder builder;
    const StorageId x = builder.resident(3, StorageKind::Input, "x");
    const StorageId v = builder.resident(10, StorageKind::Parameter, "v");
    const StorageId w = builder.resident(20, StorageKind::Parameter, "w");
    const OpId f = builder.op({x, v}, {{4}});
    const OpId g = builder.op({builder.output(f), w}, {{1}});
    const OpId loss = builder.op({builder.output(g)}, {{1, StorageKind::Gradient}}, 1, Phase::Loss);
    const OpId gw = builder.op({builder.output(loss), builder.output(f)},
                               {{20, StorageKind::ParameterGradient, true, "gw"}}, 1, Phase::Backward);
    const OpId d = builder.op({builder.output(loss), w}, {{4, StorageKind::Gradient}}, 1, Phase::Backward);
    const OpId gv =
        builder.op({builder.output(d), x}, {{10, StorageKind::ParameterGradient, true, "gv"}}, 1, Phase::Backward);
    builder.edit(gw).forwardOp = g;
    builder.edit(d).forwardOp = g;
    builder.edit(gv).forwardOp = f;
    return {{}, builder.finish(), std::nullopt};
}

std::vector<std::string> namesOf(const Graph &graph)
{
    std::vector<std::string> names;
    for (const Op &op : graph.ops)
        names.push_back(op.name);
    return names;
}

} // namespace

class TestOptimizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void placesThem()
    {
        const Model model = twoLayers();
        const auto soon = withUpdates(model, {"adamw", UpdateAt::Gradient, false});
        QVERIFY2(soon, soon ? "" : soon.error().message.c_str());
        // Behind the last op that reads the parameter, not only behind the one that makes its gradient.
        QCOMPARE(namesOf(*soon),
                 (std::vector<std::string>{"op0", "op1", "op2", "op3", "op4", "update_w", "op5", "update_v"}));
        const Op &update = soon->ops[5];
        QCOMPARE(update.kind, std::string("adamw"));
        QCOMPARE(update.inputs.size(), std::size_t(4));
        QCOMPARE(update.updates.size(), std::size_t(3));
        QVERIFY(update.computeOnce && !update.onHost && update.outputs.empty());
        QCOMPARE(soon->op(update.forwardOp).name, std::string("op1"));
        QCOMPARE(soon->op(soon->ops[7].forwardOp).name, std::string("op0"));
        for (const StorageId state : {update.updates[1], update.updates[2]}) {
            QCOMPARE(soon->storage(state).kind, StorageKind::State);
            QCOMPARE(soon->storage(state).bytes, std::int64_t(20));
        }
        QVERIFY(std::none_of(soon->storages.begin(), soon->storages.end(), [](const Storage &storage) {
            return storage.kind == StorageKind::ParameterGradient && storage.isOutput;
        }));

        const auto late = withUpdates(model, {"sgd", UpdateAt::End, true});
        QVERIFY(late);
        QCOMPARE(namesOf(*late),
                 (std::vector<std::string>{"op0", "op1", "op2", "op3", "op4", "op5", "update_w", "update_v"}));
        QVERIFY(late->ops[6].onHost);
        QCOMPARE(late->storages.size(), model.graph.storages.size());
    }

    void leavesTheRestAlone()
    {
        const Model model = twoLayers();
        for (const char *none : {"", "none"}) {
            const auto same = withUpdates(model, {none, UpdateAt::Gradient, false});
            QVERIFY(same);
            QCOMPARE(same->fingerprint, model.graph.fingerprint);
        }
        const auto updated = withUpdates(model, {"momentum", UpdateAt::Gradient, false});
        QVERIFY(updated);
        Device device;
        device.bytesPerSecond = 1e6;
        device.launchUs = 2;
        const CostTable before = graphCosts(model.graph);
        const CostTable after = costsWithMore(model.graph, before, *updated, device);
        QCOMPARE(after.timeUs.size(), updated->ops.size());
        QCOMPARE(after.timeUs[6], before.timeUs[5]);
        // Reads gradient, parameter and state of 20 B, writes two of them.
        QCOMPARE(after.timeUs[5], 5 * 20.0 + 2);
        QVERIFY(after.source.digest != before.source.digest || before.source.digest.empty());
    }

    void hostsAreAsFastAsTheDeviceSays()
    {
        const Model model = twoLayers();
        const auto updated = withUpdates(model, {"momentum", UpdateAt::Gradient, true});
        QVERIFY(updated);
        Device device;
        device.bytesPerSecond = 1e6;
        device.hostBytesPerSecond = 2e5;
        const CostTable after = costsWithMore(model.graph, graphCosts(model.graph), *updated, device);
        QCOMPARE(after.timeUs[5], 5 * 20.0 * 5);
    }

    void areKnownByTheFingerprint()
    {
        const Model model = twoLayers();
        for (const Updates &updates : {Updates{"adam", UpdateAt::Gradient, true},
                                       Updates{"adamw", UpdateAt::End, false}, Updates{"sgd", UpdateAt::End, true}}) {
            const auto graph = withUpdates(model, updates);
            QVERIFY(graph);
            const Updates found = updatesOf(model, graph->fingerprint);
            QCOMPARE(found.optimizer, updates.optimizer);
            QVERIFY(found.at == updates.at && found.onHost == updates.onHost);
        }
        QVERIFY(!updatesOf(model, model.graph.fingerprint).given());
        QVERIFY(!updatesOf(model, "of another graph").given());
    }

    void refusals()
    {
        Model model = twoLayers();
        const auto sentence = [&](const Updates &updates) {
            const auto graph = withUpdates(model, updates);
            return graph ? std::string() : graph.error().message;
        };
        QVERIFY(sentence({"adagrad", UpdateAt::Gradient, false}).find("There are: adamw") != std::string::npos);
        model.graph = *withUpdates(model, {"sgd", UpdateAt::Gradient, false});
        QVERIFY(sentence({"sgd", UpdateAt::Gradient, false}).find("has updates of its own") != std::string::npos);
        model.graph = chainGraph(3);
        QVERIFY(sentence({"sgd", UpdateAt::Gradient, false}).find("has no gradients") != std::string::npos);
        model.graph = chainGraph(3, {.parameterBytes = 7});
        QVERIFY(sentence({"sgd", UpdateAt::Gradient, false}).find("does not say whose gradient") != std::string::npos);
    }

    void samples_data() { textRows("sample", {"tiny_gpt2", "tiny_resnet", "tiny_transformer"}); }

    void samples()
    {
        QFETCH(const QString, sample);
        const Expected<Model> model = loadSample(sample.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const auto gradients =
            std::count_if(model->graph.storages.begin(), model->graph.storages.end(),
                          [](const Storage &storage) { return storage.kind == StorageKind::ParameterGradient; });
        const Expected<Device> device = findDevice("reference");
        QVERIFY(device);
        for (const UpdateAt at : {UpdateAt::Gradient, UpdateAt::End})
            for (const bool onHost : {false, true}) {
                const auto graph = withUpdates(*model, {"adamw", at, onHost});
                QVERIFY2(graph, graph ? "" : graph.error().message.c_str());
                const auto updates = std::count_if(graph->ops.begin(), graph->ops.end(),
                                                   [](const Op &op) { return !op.updates.empty(); });
                QVERIFY(updates >= gradients && gradients > 0);
                const CostTable costs = costsWithMore(model->graph, rooflineCosts(*model, *device), *graph, *device);
                for (const Graph &each : {*graph, withPlannedParameters(*graph)}) {
                    const Plan plan = keepAllPlan(each);
                    const Verdict verdict = checkPlan(*graph, costs, plan);
                    QVERIFY2(verdict.ok, verdict.sentence.c_str());
                }
            }
    }
};

QTEST_APPLESS_MAIN(TestOptimizer)
#include "tst_optimizer.moc"
