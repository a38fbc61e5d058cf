// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/compose.h"
#include "solvers/hiremate/leaf.h"
#include "solvers/ilp/cbc.h"
#include "tests/solvers/solving.h"

#include <QtTest>

using namespace remat;
using namespace remat::hiremate;

namespace {

/// Everything up to the program over the chain.
struct Prepared {
    test::Case of;
    FlatGraph flat;
    Chain chain;
    std::vector<std::vector<Option>> options;
    std::vector<BlockChoices> choices;

    explicit Prepared(const Graph &graph) : Prepared(test::Case(graph), "ilp", 12) {}

    Prepared(test::Case given, const std::string &leaf, int levels) : of(std::move(given))
    {
        flat = flatten(of.graph, of.costs);
        chain = makeChain(flat, partitionLabels(flat, PartitionSizes{14, 30}), of.keepAllPeakBytes);
        ClosureSettings settings;
        settings.levels = levels;
        settings.interfaces = true;
        options.resize(chain.blocks.size());
        for (std::size_t k = 0; k < chain.blocks.size(); ++k) {
            const Block &block = chain.blocks[k];
            const auto rep = static_cast<std::size_t>(block.representative);
            if (options[rep].empty()) options[rep] = leafOptions(leaf, flat, chain, chain.blocks[rep], settings, {});
            BlockChoices choice;
            choice.options = &options[rep];
            choice.lites = liteAlternatives(flat, chain, block, options[rep], {});
            std::vector<int> made;
            for (const LocalOp &op : block.ops)
                made.insert(made.end(), op.madeInterfaces.begin(), op.madeInterfaces.end());
            choice.fastForward = rebuild(flat, block, std::vector<char>(block.storages.size(), 0), made);
            choices.push_back(std::move(choice));
        }
    }
};

} // namespace

/// The program over the chain, and what its solutions compose to.
class TestTopModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void composedPlansStayWithinTheModelledBudget()
    {
        const Prepared p(test::layeredGraph(6));
        SequenceEvaluator evaluator(p.of.graph, p.of.costs);
        int plans = 0;
        for (const double share : {90.0, 75.0, 60.0, 50.0}) {
            const TopModel top = *buildTopModel(p.flat, p.chain, p.choices, p.of.percent(share), {});
            ilp::Limits limits;
            limits.relativeGap = 0.01;
            limits.deadline = Deadline(20.0);
            const ilp::Solution solution = ilp::solve(top.model, limits);
            if (!solution.found()) continue;
            ++plans;
            const std::vector<Recompute> set = compose(p.flat, p.chain, p.choices, readChoice(top, solution.x));
            const SequenceCost cost = replay(p.flat, evaluator, set);
            QVERIFY2(cost.peakBytes <= p.of.percent(share), qPrintable(QString::number(share)));
            QVERIFY(cost.timeUs - p.of.keepAllTimeUs <= solution.objective + 1e-6);
        }
        QVERIFY(plans >= 3);
    }

    void thePricedStartSolvesTheModel()
    {
        const Prepared p(test::layeredGraph(6));
        const TopModel top = *buildTopModel(p.flat, p.chain, p.choices, p.of.percent(75), {});
        const std::vector<double> start = pricedStart(top, p.choices);
        QVERIFY(!start.empty());
        QVERIFY(ilp::violation(top.model, start) < 1e-6);
        ilp::Limits limits;
        limits.deadline = Deadline(20.0);
        limits.relativeGap = 0.01;
        limits.start = start;
        const ilp::Solution solution = ilp::solve(top.model, limits);
        QVERIFY(solution.found());
        QVERIFY(solution.objective <= ilp::objectiveOf(top.model, start) + 1e-6);
    }

    void theProgramOfSamplesIsThatOfTheFormulation_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<double>("percent");
        QTest::addColumn<QString>("size");
        QTest::newRow("gpt2, 80 %") << "tiny_gpt2" << 80.0 << "147 columns, 150 rows, 1013 terms";
        QTest::newRow("gpt2, 50 %") << "tiny_gpt2" << 50.0 << "147 columns, 162 rows, 1422 terms";
        QTest::newRow("unet, 50 %") << "tiny_unet" << 50.0 << "110 columns, 75 rows, 1027 terms";
        QTest::newRow("transformer, 30 %") << "tiny_transformer" << 30.0 << "213 columns, 174 rows, 2551 terms";
        QTest::newRow("resnet, 30 %") << "tiny_resnet" << 30.0 << "133 columns, 118 rows, 1225 terms";
    }

    /// The sizes are those that the program had when it was one class: whoever changes the formulation changes them.
    void theProgramOfSamplesIsThatOfTheFormulation()
    {
        QFETCH(const QString, sample);
        QFETCH(const double, percent);
        const auto of = test::sampleCase(sample.toStdString());
        QVERIFY2(of.has_value(), test::sentenceOf(of).c_str());
        const Prepared p(*of, "search", 60);
        const TopModel top = *buildTopModel(p.flat, p.chain, p.choices, of->percent(percent), {});
        QTEST(QString("%1 columns, %2 rows, %3 terms")
                  .arg(top.model.columns())
                  .arg(top.model.rows())
                  .arg(top.model.terms.size()),
              "size");
    }

    void theModelGrowsGentlyWithTheNumberOfLayers()
    {
        const Prepared small(test::layeredGraph(6)), large(test::layeredGraph(12));
        const int few =
            buildTopModel(small.flat, small.chain, small.choices, small.of.percent(50), {})->model.columns();
        const int many =
            buildTopModel(large.flat, large.chain, large.choices, large.of.percent(50), {})->model.columns();
        QVERIFY2(many < 5 * few, qPrintable(QString("%1 and %2").arg(few).arg(many)));
    }

    void itIsGivenUpWhenStoppedOrTooLarge()
    {
        const Prepared p(test::layeredGraph(6));
        int asked = 0;
        TopSettings settings;
        settings.stop = [&] { return ++asked < 0; };
        const auto whole = buildTopModel(p.flat, p.chain, p.choices, p.of.percent(50), settings);
        QVERIFY(whole);
        const int all = asked;
        QVERIFY2(all > 40, qPrintable(QString::number(all)));
        for (int most = 0; most < all; most += 1 + all / 20) {
            asked = 0;
            settings.stop = [&] { return asked++ >= most; };
            QVERIFY(!buildTopModel(p.flat, p.chain, p.choices, p.of.percent(50), settings));
            QVERIFY2(asked <= most + 1, qPrintable(QString::number(most))); // it is not asked twice
        }
        settings = {};
        settings.mostTerms = whole->model.terms.size();
        QVERIFY(buildTopModel(p.flat, p.chain, p.choices, p.of.percent(50), settings));
        settings.mostTerms /= 2;
        QVERIFY(!buildTopModel(p.flat, p.chain, p.choices, p.of.percent(50), settings));
        QVERIFY(pricedStart(*whole, p.choices, [] { return true; }).empty());
    }

    void setsAndSequencesAreTheSame()
    {
        const test::Case of(test::chainGraph(8));
        const FlatGraph flat = flatten(of.graph, of.costs);
        std::vector<Recompute> set = {{flat.ops - 1, 0}, {flat.forwardOps + 1, 2}, {flat.forwardOps + 1, 1}};
        std::sort(set.begin(), set.end());
        QVERIFY(toRecomputes(flat, toSequence(flat, set)) == set);
        tidyRecomputes(flat, set);
        QCOMPARE(toSequence(flat, set), dropUselessRecomputes(of.graph, toSequence(flat, set)));
    }
};

QTEST_GUILESS_MAIN(TestTopModel)
#include "tst_top_model.moc"
