// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/memory_budget.h"
#include "tests/solvers/planner_checks.h"

#include <algorithm>

using namespace remat;
using namespace remat::mincut;

// That decisions are those of PyTorch itself is tested against it, in tests/python/test_torch_mincut.py.

namespace {

/// Two layers of a network as PyTorch would name them: linear, GELU, linear, mean.
struct TwoLayers {
    Graph graph;
    StorageId first, gelu, second, loss;

    TwoLayers()
    {
        test::GraphBuilder build;
        const StorageId x = build.resident(40);
        const StorageId weight = build.resident(1000, StorageKind::Parameter);
        const auto op = [&](const char *kind, const std::vector<StorageId> &inputs, std::int64_t bytes, Phase phase,
                            bool isOutput = false) {
            const OpId id = build.op(inputs, {{bytes, StorageKind::Activation, isOutput}}, 1, phase);
            build.edit(id).kind = kind;
            return build.output(id);
        };
        first = op("mm", {x, weight}, 100, Phase::Forward);
        gelu = op("gelu", {first}, 100, Phase::Forward);
        second = op("mm", {gelu, weight}, 60, Phase::Forward);
        loss = op("mean", {second}, 1, Phase::Forward, true);
        const StorageId g = op("div", {loss}, 60, Phase::Backward);
        const StorageId toGelu = op("mm", {g, weight}, 100, Phase::Backward);
        op("mm", {g, gelu}, 30, Phase::Backward, true);
        const StorageId toFirst = op("gelu_backward", {toGelu, first}, 100, Phase::Backward);
        op("mm", {toFirst, x}, 30, Phase::Backward, true);
        graph = build.finish();
    }
};

std::vector<StorageId> savedAt(const FxGraph &graph, const MemoryBudget &decide, double budget)
{
    std::vector<StorageId> saved;
    for (const int node : decide.saved(budget))
        if (!graph.nodes[static_cast<std::size_t>(node)].primal)
            saved.push_back(graph.nodes[static_cast<std::size_t>(node)].storage);
    return saved;
}

} // namespace

class TestTorchMincut : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoLayersByHand()
    {
        const TwoLayers net;
        const FxGraph graph = fxGraph(net.graph, test::graphCosts(net.graph));
        const auto decide = MemoryBudget::make(graph, Knapsack::DynamicProgram);
        QVERIFY2(decide.has_value(), test::sentenceOf(decide).c_str());
        // Matrix products are not on the allow-list, and GELU's result is read by one in the backward pass: both saved,
        // 200 bytes beside the inputs. The loss is read by the backward pass.
        QCOMPARE(savedAt(graph, *decide, 1), (std::vector<StorageId>{net.first, net.gelu, net.loss}));
        // Without that ban GELU is done again from the first product.
        QCOMPARE(savedAt(graph, *decide, 0.9), (std::vector<StorageId>{net.first, net.loss}));
        QVERIFY(savedAt(graph, *decide, 0).empty());
    }

    void bansByName()
    {
        const TwoLayers net;
        const FxGraph graph = fxGraph(net.graph, test::graphCosts(net.graph));
        const auto isBanned = [&](const Bans &bans, StorageId storage) {
            const std::vector<int> banned = bannedNodes(graph, bans);
            return std::any_of(banned.begin(), banned.end(), [&](int node) {
                return graph.nodes[static_cast<std::size_t>(node)].storage == storage;
            });
        };
        Bans bans;
        QVERIFY(isBanned(bans, net.first) && isBanned(bans, net.gelu));
        QVERIFY2(isBanned(bans, net.loss), "a reduction, and an output");
        bans.materializedBackward = false;
        QVERIFY(!isBanned(bans, net.gelu));
        QVERIFY(isBanned(bans, net.loss));
        bans.reduction = false;
        QVERIFY(!isBanned(bans, net.loss));
        bans.notInAllowList = false;
        QVERIFY2(isBanned(bans, net.first), "compute-intensive");
    }

    void decisionsFallFromOneToZero()
    {
        for (const char *name : {"tiny_gpt2", "tiny_unet"}) {
            const Expected<Model> model = test::loadSample(name);
            if (!model) QFAIL(model.error().message.c_str());
            const CostTable costs = rooflineCosts(*model, *findDevice("reference"));
            const FxGraph graph = fxGraph(*model->program, costs, {});
            const auto decide = MemoryBudget::make(graph, Knapsack::DynamicProgram);
            QVERIFY2(decide.has_value(), test::sentenceOf(decide).c_str());
            const std::vector<double> budgets = decide->decisions();
            QCOMPARE(budgets.front(), 1.0);
            QCOMPARE(budgets.back(), 0.0);
            QVERIFY(budgets.size() > 10 && budgets.size() < 10010);
            QVERIFY(std::is_sorted(budgets.rbegin(), budgets.rend()));
            // Nothing between two of them is decided in another way than the larger.
            for (std::size_t i = 0; i + 2 < budgets.size(); i += 1 + budgets.size() / 40) {
                const double between = budgets[i + 1] + 0.25 * (budgets[i] - budgets[i + 1]);
                const std::vector<int> saved = decide->saved(between);
                QVERIFY(saved == decide->saved(budgets[i]) || saved == decide->saved(budgets[i + 1]));
            }
        }
    }

    void planOfATrace_data()
    {
        test::textRows("sample", {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer", "gpt2", "resnet50"});
    }

    void planOfATrace()
    {
        QFETCH(const QString, sample);
        const Expected<Model> model = test::loadSample(sample.toStdString());
        if (!model) QFAIL(model.error().message.c_str());
        const test::Case of(model->graph, rooflineCosts(*model, *findDevice("reference")));
        const Expected<const Planner *> planner = findPlanner("torch-mincut");
        SolveRequest request;
        request.graph = &of.graph;
        request.costs = &of.costs;
        request.program = &*model->program;
        request.options = *makeOptions((*planner)->info.options, {});
        int plans = 0;
        for (int share = 90; share > 0; share -= 10) {
            request.budgetBytes = of.percent(share);
            const auto outcome = solve(**planner, request, {});
            QVERIFY2(outcome.has_value(), test::sentenceOf(outcome).c_str());
            if (!outcome->plan) {
                QCOMPARE(outcome->status, SolveStatus::Infeasible);
                QVERIFY(outcome->smallestPeakBytes > request.budgetBytes);
                break;
            }
            ++plans;
            QVERIFY(outcome->plan->predicted.peakBytes <= request.budgetBytes);
        }
        QVERIFY(plans > 0);
    }

    void aSetBudgetIsKeptOrRefused()
    {
        const auto of = test::sampleCase("tiny_gpt2");
        if (!of) QFAIL(of.error().message.c_str());
        const auto all =
            test::plan("torch-mincut", *of, 2 * of->keepAllPeakBytes, {}, {{"activation-memory-budget", "1"}});
        QVERIFY(all && all->plan);
        const auto refused = test::plan("torch-mincut", *of, all->plan->predicted.peakBytes - 1, {},
                                        {{"activation-memory-budget", "1"}});
        QCOMPARE(refused->status, SolveStatus::Infeasible);
        QCOMPARE(refused->smallestPeakBytes, all->plan->predicted.peakBytes);
        QVERIFY(refused->message.find("peak") != std::string::npos);
    }

    void sizesThatCannotBeWeighedAreRefused()
    {
        test::ChainParams params;
        params.activationBytes = std::int64_t(1) << 56;
        const test::Case chain(test::chainGraph(6, params));
        const auto outcome = test::plan("torch-mincut", chain, chain.keepAllPeakBytes);
        QVERIFY(!outcome.has_value());
        QVERIFY2(outcome.error().message.find("too large") != std::string::npos, outcome.error().message.c_str());
    }

    void needsABackwardPart() { test::needsABackwardPart("torch-mincut"); }

    void threadsChangeNothing() { test::threadsChangeNothing("torch-mincut"); }
    void neverBeatsTheOptimum_data() { test::textRows("planner", {"torch-mincut"}); }
    void neverBeatsTheOptimum() { test::neverBeatsTheOptimum(); }
};

QTEST_GUILESS_MAIN(TestTorchMincut)
#include "tst_torch_mincut.moc"
