// SPDX-License-Identifier: Apache-2.0
// Differences of two plans as data, against plans made by hand.
#include "core/base/units.h"
#include "core/views/compare_verdict.h"
#include "core/views/comparison_text.h"
#include "core/views/difference_line.h"
#include "core/views/sample_axis.h"
#include "tests/support/memory_models.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

using namespace remat;

namespace {

constexpr std::int64_t kSize = 1 << 20;

/// GCC 12 sees an overlap where a literal and a temporary are added.
std::string numbered(const char *name, int number)
{
    return std::string(name).append(std::to_string(number));
}

/// `layers` stages f1 … fn, a loss, and the stages backward, each reading what its forward op made.
Graph chain(int layers)
{
    Graph graph;
    const auto storage = [&](const std::string &name, StorageKind kind, std::int64_t bytes) {
        Storage made;
        made.name = name;
        made.kind = kind;
        made.bytes = bytes;
        graph.storages.push_back(made);
        return StorageId(graph.storages.size() - 1);
    };
    const auto op = [&](const std::string &name, Phase phase, double timeUs, std::vector<StorageId> inputs,
                        std::vector<StorageId> outputs) {
        Op made;
        made.name = name;
        made.kind = name.substr(0, 1);
        made.phase = phase;
        made.timeUs = timeUs;
        made.inputs = std::move(inputs);
        made.outputs = std::move(outputs);
        graph.ops.push_back(made);
        const OpId id(graph.ops.size() - 1);
        for (const StorageId output : graph.ops.back().outputs)
            graph.storages[output.index()].producer = id;
        return id;
    };
    std::vector<StorageId> values{storage("x", StorageKind::Input, kSize)};
    for (int i = 0; i < layers; ++i) {
        values.push_back(storage(numbered("a", i), StorageKind::Activation, kSize));
        const OpId id = op(numbered("f", i), Phase::Forward, 10, {values[std::size_t(i)]}, {values.back()});
        graph.ops[id.index()].module = numbered("layers.", i);
    }
    StorageId gradient = storage("l", StorageKind::Activation, 512);
    op("loss", Phase::Loss, 5, {values.back()}, {gradient});
    for (int i = layers; i-- > 0;) {
        const StorageId made = storage(numbered("g", i), StorageKind::Gradient, kSize);
        const OpId id = op(numbered("b", i), Phase::Backward, 20,
                           {gradient, values[std::size_t(i)], values[std::size_t(i) + 1]}, {made});
        graph.ops[id.index()].module = numbered("layers.", i);
        graph.ops[id.index()].forwardOp = OpId(std::size_t(i));
        gradient = made;
    }
    graph.storages[gradient.index()].isOutput = true;
    Expected<Graph> finished = finishGraph(std::move(graph));
    if (!finished) qFatal("%s", finished.error().message.c_str());
    return *std::move(finished);
}

std::shared_ptr<const CostedModel> opened(Graph graph)
{
    Model model;
    model.graph = std::move(graph);
    auto costed = std::make_shared<CostedModel>(*test::memoryModel(std::move(model)));
    auto open = std::make_shared<OpenModel>(*costed->open);
    open->modules = moduleTree(open->model->graph);
    costed->open = std::move(open);
    return costed;
}

/// The chain with what stages `again` make dropped after the forward pass; runs of such stages are computed again
/// together, right before the first backward op that reads the last of them.
std::vector<OpId> sequence(int layers, const std::vector<int> &again)
{
    const auto dropped = [&](int stage) { return std::find(again.begin(), again.end(), stage) != again.end(); };
    std::vector<OpId> order;
    for (int i = 0; i <= layers; ++i)
        order.emplace_back(std::size_t(i));
    for (int i = layers; i-- > 0;) {
        if (dropped(i - 1) && !dropped(i)) {
            int first = i - 1;
            while (dropped(first - 1))
                --first;
            for (int stage = first; stage < i; ++stage)
                order.emplace_back(std::size_t(stage));
        }
        order.emplace_back(std::size_t(layers + 1 + (layers - 1 - i)));
    }
    return order;
}

struct Two {
    std::shared_ptr<const CostedModel> model;
    OpBlocks blocks;
    std::shared_ptr<const PlanEntry> keepAll, less;
    PlanUse useKeepAll, useLess;

    explicit Two(int layers, const std::vector<int> &again) : model(opened(chain(layers)))
    {
        blocks = OpBlocks(*model->open);
        keepAll = test::planEntry(*model, withEarliestFrees(graph(), sequence(layers, {})), 1);
        less = test::planEntry(*model, withEarliestFrees(graph(), sequence(layers, again)), 2);
        useKeepAll = planUse(graph(), *keepAll);
        useLess = planUse(graph(), *less);
    }
    const Graph &graph() const { return model->graph(); }
    PlanComparison compare(CompareLevel level) const
    {
        return comparePlans(graph(), blocks, useLess, useKeepAll, level);
    }
};

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneDroppedStorageIsOneRow()
    {
        // a1 is dropped after f2 and made again for b2; b1 reads that copy, too.
        const Two two(4, {1});
        const PlanComparison storages = two.compare(CompareLevel::Storages);
        const auto row = std::find_if(storages.rows.begin(), storages.rows.end(),
                                      [](const DifferenceRow &r) { return r.a.state == NodeState::Recomputed; });
        QVERIFY(row != storages.rows.end());
        QCOMPARE(two.graph().storage(row->storages.front()).name, std::string("a1"));
        QCOMPARE(row->b.state, NodeState::Kept);
        QCOMPARE(row->uses, 1);
        QCOMPARE(row->module, std::string("layers.1"));
        QCOMPARE(row->timeUs(), 10.0);
        QCOMPARE(row->a.recomputations, 1);
        QCOMPARE(storages.states, 1);
    }

    void bytesAddUpToTheDifferenceOfPeaks_data()
    {
        QTest::addColumn<int>("level");
        QTest::newRow("storages") << int(CompareLevel::Storages);
        QTest::newRow("ops") << int(CompareLevel::Ops);
        QTest::newRow("clusters") << int(CompareLevel::Clusters);
    }
    void bytesAddUpToTheDifferenceOfPeaks()
    {
        QFETCH(int, level);
        for (const int layers : {6, 12}) {
            auto model = opened(test::memoryGraph(layers));
            const Graph &graph = model->graph();
            const auto a = test::planEntry(*model, withEarliestFrees(graph, test::segmentedSequence(graph)), 1);
            const auto b = test::planEntry(*model, keepAllPlan(graph).steps, 2);
            const PlanComparison comparison = comparePlans(graph, OpBlocks(*model->open), planUse(graph, *a),
                                                           planUse(graph, *b), static_cast<CompareLevel>(level));
            std::int64_t bytes = 0;
            double timeUs = 0;
            for (const DifferenceRow &row : comparison.rows) {
                bytes += row.bytes();
                timeUs += row.timeUs();
                QVERIFY(row.bytes() != 0 || row.timeUs() != 0 || row.a.state != row.b.state ||
                        row.a.recomputations != row.b.recomputations);
            }
            const auto held = [](const PlanEntry &plan) {
                const MemoryTimeline &line = *plan.timeline;
                const auto workspace = static_cast<std::size_t>(Category::Workspace);
                return line.totalBytes[line.peakSample] - line.bytes[workspace][line.peakSample];
            };
            QCOMPARE(bytes, held(*a) - held(*b));
            QVERIFY2(std::abs(timeUs - (a->timeline->timeUs - b->timeline->timeUs)) < 1e-3,
                     qPrintable(QString::number(timeUs)));
            for (std::size_t i = 1; i < comparison.rows.size(); ++i)
                QVERIFY(std::abs(comparison.rows[i - 1].bytes()) >= std::abs(comparison.rows[i].bytes()));
        }
    }

    void swappedPlansSwapTheSigns()
    {
        const Two two(6, {1, 3});
        const PlanComparison one = two.compare(CompareLevel::Storages);
        const PlanComparison other =
            comparePlans(two.graph(), two.blocks, two.useKeepAll, two.useLess, CompareLevel::Storages);
        QCOMPARE(one.rows.size(), other.rows.size());
        for (const DifferenceRow &row : one.rows) {
            const auto twin = std::find_if(other.rows.begin(), other.rows.end(),
                                           [&](const DifferenceRow &r) { return r.storages == row.storages; });
            QVERIFY(twin != other.rows.end());
            QCOMPARE(twin->bytes(), -row.bytes());
            QCOMPARE(twin->timeUs(), -row.timeUs());
            QCOMPARE(twin->a.state, row.b.state);
        }
    }

    void samePlansDoNotDiffer()
    {
        const Two two(5, {});
        for (const CompareLevel level : {CompareLevel::Storages, CompareLevel::Ops, CompareLevel::Clusters})
            QVERIFY(two.compare(level).rows.empty());
    }

    void identicalBlocksAreOneRow()
    {
        // Inner stages of a chain are alike; of those that are dropped, all that hold nothing at the peak share a row.
        const Two two(9, {2, 3, 4});
        const PlanComparison storages = two.compare(CompareLevel::Storages);
        const auto row = std::find_if(storages.rows.begin(), storages.rows.end(),
                                      [](const DifferenceRow &r) { return r.uses == 3; });
        QVERIFY(row != storages.rows.end());
        QCOMPARE(row->module, std::string("layers.2 – 4"));
        QCOMPARE(row->storages.size(), 3U);
        QCOMPARE(row->timeUs(), 30.0);
        const Two gap(9, {2, 4});
        const PlanComparison gaps = gap.compare(CompareLevel::Storages);
        const auto some =
            std::find_if(gaps.rows.begin(), gaps.rows.end(), [](const DifferenceRow &r) { return r.uses == 2; });
        QVERIFY(some != gaps.rows.end());
        QVERIFY2(some->module.starts_with("2 of "), some->module.c_str());
    }

    void rowsAreFoundByTheirMembers()
    {
        const Two two(6, {1, 3});
        for (const CompareLevel level : {CompareLevel::Storages, CompareLevel::Ops, CompareLevel::Clusters}) {
            const PlanComparison comparison = two.compare(level);
            for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
                const DifferenceRow &row = comparison.rows[i];
                for (std::size_t m = 0; m < row.ops.size(); ++m)
                    QCOMPARE(rowOf(comparison, level,
                                   {row.ops[m], level == CompareLevel::Storages ? row.storages[m] : StorageId()}),
                             int(i));
            }
            QCOMPARE(rowOf(comparison, level, {}), -1);
        }
    }

    void theBetterPlanIsBetterOnBothCounts()
    {
        PlanFigures a, b;
        a.peakBytes = 10;
        a.timeUs = 5;
        b.peakBytes = 12;
        b.timeUs = 6;
        QCOMPARE(betterOnBoth(a, b), BetterPlan::First);
        QCOMPARE(betterOnBoth(b, a), BetterPlan::Second);
        b.timeUs = 5;
        QCOMPARE(betterOnBoth(a, b), BetterPlan::Neither);
    }

    void theVerdictNamesTheLargestDifferences()
    {
        const Two two(8, {1, 3, 5, 6});
        const CompareVerdict verdict = compareVerdict(*two.model, *two.less, *two.keepAll);
        QCOMPARE(verdict.title, std::string("B is faster, A needs less memory"));
        QVERIFY(verdict.unequal.empty());
        PlanComparison comparison = two.compare(CompareLevel::Storages);
        std::erase_if(comparison.rows, [](const auto &row) { return row.timeUs() == 0; });
        QVERIFY(comparison.rows.size() >= 2); // equal layers are one difference
        QCOMPARE(verdict.why.size(), std::min<std::size_t>(comparison.rows.size(), 3));
        std::stable_sort(comparison.rows.begin(), comparison.rows.end(),
                         [](const auto &x, const auto &y) { return std::abs(x.timeUs()) > std::abs(y.timeUs()); });
        for (std::size_t i = 0; i < verdict.why.size(); ++i)
            QVERIFY2(verdict.why[i].find(comparison.rows[i].name) == 0, verdict.why[i].c_str());
        // A plan beside itself has a verdict, too, and no difference.
        const CompareVerdict same = compareVerdict(*two.model, *two.less, *two.less);
        QCOMPARE(same.title, std::string("Both take the same memory and time"));
        QVERIFY(same.why.empty() && same.unequal.empty());
    }

    void whatWasUnequalIsSaid()
    {
        const Two two(6, {1, 3});
        const auto saidOf = [&](const std::function<void(Plan &)> &change) {
            auto plan = std::make_shared<Plan>(*two.less->plan);
            change(*plan);
            PlanEntry other = *two.less;
            other.plan = plan;
            return compareVerdict(*two.model, other, *two.less).unequal;
        };
        QVERIFY(saidOf([](Plan &) {}).empty());
        const std::vector<std::pair<std::function<void(Plan &)>, std::string>> cases = {
            {[](Plan &plan) { plan.budgetBytes = 8 * kSize; }, "A was made for 8.00 MiB, B for no budget."},
            {[](Plan &plan) { plan.origin.options["keep"] = "a3"; },
             "By hand was decided for A: keep a3; for B: nothing."},
            {[](Plan &plan) { plan.costSource.device = "h100"; }, "A was planned with the costs of "},
            {[](Plan &plan) { plan.origin.seconds = 10; }, "A was searched for 10"},
            {[](Plan &plan) { plan.parametersPlanned = true; }, "Only A counts parameters"}};
        for (const auto &[change, sentence] : cases) {
            const std::vector<std::string> said = saidOf(change);
            QCOMPARE(said.size(), std::size_t(1));
            QVERIFY2(said.front().find(sentence) == 0, said.front().c_str());
        }
    }

    void figuresAreThoseOfTheTimeline()
    {
        const Two two(6, {1, 3});
        const PlanFigures figures = planFigures(*two.model, *two.less, two.useLess);
        QCOMPARE(figures.peakBytes, two.less->timeline->peakBytes);
        QCOMPARE(figures.recomputedOps, 2);
        QCOMPARE(figures.overhead, two.less->timeline->timeUs / two.model->keepAllTimeUs - 1);
        QVERIFY(!figures.boundOverhead.has_value());
        QCOMPARE(figures.keptBytes, planFigures(*two.model, *two.keepAll, two.useKeepAll).keptBytes - 2 * kSize);
    }

    void differenceOfSteps()
    {
        const DifferenceLine line = differenceOf({0, 1, 3}, {10, 20}, {0, 2, 4}, {5, 50});
        QCOMPARE(line.edges, (std::vector<double>{0, 1, 2, 3, 4}));
        QCOMPARE(line.values, (std::vector<std::int64_t>{5, 15, -30, -50}));
        QCOMPARE(line.largest, std::int64_t(50));
        // A sample of no width is a moment that counts.
        const DifferenceLine moment = differenceOf({0, 1, 1, 2}, {1, 9, 1}, {0, 2}, {1});
        QCOMPARE(moment.largest, std::int64_t(8));
    }

    void alignedOpsStandWhereAComputesThem()
    {
        const Two two(5, {1, 2});
        const SampleAxis axis(*two.keepAll->timeline, AxisKind::Steps);
        const std::vector<double> edges = alignedEdges(*two.less->timeline, *two.keepAll->timeline, axis.edges());
        QCOMPARE(edges.size(), two.less->timeline->op.size() + 1);
        QVERIFY(std::is_sorted(edges.begin(), edges.end()));
        QCOMPARE(edges.back(), axis.length());
        for (std::size_t i = 0; i < two.less->timeline->op.size(); ++i) {
            if (two.less->timeline->recompute[i]) continue;
            const auto &ops = two.keepAll->timeline->op;
            const auto place = std::find(ops.begin(), ops.end(), two.less->timeline->op[i]) - ops.begin();
            QCOMPARE(edges[i], axis.edges()[std::size_t(place)]);
        }
        // A plan without some op: what it does not compute is nobody's anchor.
        MemoryTimeline part = *two.keepAll->timeline;
        part.op.pop_back();
        part.recompute.pop_back();
        part.step.pop_back();
        part.startUs.pop_back();
        part.endUs.pop_back();
        const SampleAxis partAxis(part, AxisKind::Steps);
        QVERIFY(std::is_sorted(edges.begin(), edges.end()));
        QCOMPARE(alignedEdges(*two.less->timeline, part, partAxis.edges()).back(), partAxis.length());
    }

    void figuresAreRows()
    {
        const Two two(6, {1, 3});
        PlanFigures a = planFigures(*two.model, *two.less, two.useLess);
        const PlanFigures b = planFigures(*two.model, *two.keepAll, two.useKeepAll);
        const auto rows = figureRows(a, b, {});
        QCOMPARE(rows.size(), std::size_t(6));
        QCOMPARE(rows[0].label, std::string("Peak"));
        QVERIFY(rows[0].better && !rows[3].better);
        QCOMPARE(rows[4].change, std::string("+2"));
        QCOMPARE(rows[5].change, std::string("−2.00 MiB"));
        // Copies to host memory are said where there are any.
        a.offloadedBytes = kSize;
        QCOMPARE(figureRows(a, b, {}).back().label, std::string("Offloaded"));
        QCOMPARE(figureRows(a, b, {}).back().change, std::string("+1.00 MiB"));
    }

    void wordsAreOfTheReader()
    {
        const Two two(9, {2, 4});
        const Words words = [](const char *, const char *text) { return "<" + std::string(text) + ">"; };
        const PlanComparison comparison = comparePlans(two.graph(), OpBlocks(*two.model->open, words), two.useLess,
                                                       two.useKeepAll, CompareLevel::Storages);
        QVERIFY(std::any_of(comparison.rows.begin(), comparison.rows.end(),
                            [](const DifferenceRow &row) { return row.module.starts_with("<2 of "); }));
        QCOMPARE(stateWord(NodeState::Kept, words), std::string("<Kept>"));
        QVERIFY(rowSentence(comparison.rows.front(), "B", words).starts_with("<"));
    }

    void signsAreTrueSigns()
    {
        QCOMPARE(signedBytes(-576 * kMiB), std::string("−576 MiB"));
        QCOMPARE(signedBytes(12 * kMiB), std::string("+12.0 MiB"));
        QCOMPARE(signedBytes(0), std::string("0"));
        QCOMPARE(signedTime(-21), std::string("−21 µs"));
        QCOMPARE(signedCount(-48), std::string("−48"));
        QVERIFY(signedPoints(-0.017).starts_with("−1.70"));
        QVERIFY(signedPoints(-0.017).ends_with("pp"));
    }

    void sentencesSayWhatBothDo()
    {
        const Two two(6, {1});
        const PlanComparison comparison = two.compare(CompareLevel::Storages);
        const auto row = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                      [](const DifferenceRow &r) { return r.a.state == NodeState::Recomputed; });
        QVERIFY(row != comparison.rows.end());
        const std::string text = rowSentence(*row, "B", {});
        QVERIFY2(text.find("A drops it and computes it again, which costs 10") != std::string::npos, text.c_str());
        QVERIFY2(text.find("B keeps it") != std::string::npos, text.c_str());
    }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "tst_comparison.moc"
