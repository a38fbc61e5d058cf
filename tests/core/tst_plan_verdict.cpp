// SPDX-License-Identifier: Apache-2.0
// One function decides how a plan stands: every combination of budget, peaks, check and run.
#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/io/eager_comparison_json.h"
#include "core/plan/eager_verdict.h"
#include "core/plan/plan_verdict.h"
#include "tests/support/graphs.h"

#include <QtTest>

using namespace remat;

namespace {

constexpr std::int64_t kPeak = 1000 * kKiB;

ValidationRecord runWith(std::int64_t measured)
{
    ValidationRecord run;
    run.passed = run.peakHolds = run.lossEqual = true;
    run.device = "cpu";
    run.sentence = "Loss and 3 gradients equal bit for bit.";
    run.measuredPeakBytes = measured;
    return run;
}

bool says(const PlanVerdict &verdict, const std::string &part)
{
    return verdict.sentence.find(part) != std::string::npos;
}

} // namespace

class TestPlanVerdict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCombination()
    {
        const std::int64_t step = 100 * kKiB;
        int combinations = 0;
        for (const std::int64_t budget : {std::int64_t(0), kPeak - step, kPeak, kPeak + step})
            for (const std::int64_t own : {std::int64_t(0), kPeak, kPeak + step})
                for (const int check : {0, 1, 2})
                    for (const std::int64_t measured :
                         {std::int64_t(0), kPeak - 2 * step, kPeak, kPeak + step, kPeak + 2 * step})
                        for (const bool equal : {true, false})
                            for (const bool holds : {true, false})
                                for (const bool belongs : {true, false}) {
                                    ++combinations;
                                    const Verdict found{check == 1, check == 1 ? -1 : 3,
                                                        check == 1 ? "" : "Step 3 is wrong.", kPeak, 1};
                                    ValidationRecord run = runWith(measured);
                                    run.lossEqual = equal;
                                    run.peakHolds = holds;
                                    VerdictFacts facts{budget, own, check == 0 ? nullptr : &found,
                                                       measured > 0 ? &run : nullptr, belongs};
                                    const PlanVerdict verdict = planVerdict(facts);
                                    const bool ran = measured > 0 && belongs;
                                    const bool over = budget > 0 && (kPeak > budget || (ran && measured > budget));
                                    VerdictLevel wanted = over ? VerdictLevel::OverBudget : VerdictLevel::Ok;
                                    if (ran && (!equal || !holds)) wanted = VerdictLevel::Failed;
                                    if (check == 2) wanted = VerdictLevel::Failed;
                                    if (check == 0) wanted = VerdictLevel::Unproven;
                                    QVERIFY2(verdict.level == wanted, verdict.sentence.c_str());
                                    QVERIFY(!verdict.title.empty() && !verdict.sentence.empty());
                                    // Never both in one breath, and always against a budget that is named.
                                    const bool within = says(verdict, "within"),
                                               above = says(verdict, " over the budget");
                                    QVERIFY2(!(within && above), verdict.sentence.c_str());
                                    if (verdict.level == VerdictLevel::OverBudget) QVERIFY(above && !within);
                                    if (verdict.level == VerdictLevel::Ok) QVERIFY(!above && within == (budget > 0));
                                    if (within || above)
                                        QVERIFY(says(verdict, "the budget of " + formatMemory(budget)));
                                    QVERIFY(verdict.wasRun == (check == 1 && ran));
                                }
        QCOMPARE(combinations, 4 * 3 * 3 * 5 * 2 * 2 * 2);
    }

    void theSentencesNameTheFigures()
    {
        const Verdict found{true, -1, {}, kPeak, 1};
        QCOMPARE(
            planVerdict({kPeak, kPeak, &found, nullptr, true}).sentence,
            std::string("Every step was replayed without an error. Peak 0.98 MiB, within the budget of 0.98 MiB."));
        QCOMPARE(planVerdict({800 * kKiB, kPeak, &found, nullptr, true}).sentence,
                 std::string("Every step was replayed without an error. The peak of 0.98 MiB is 200 KiB over the "
                             "budget of 800 KiB. It was "
                             "made for 0.98 MiB."));
        const ValidationRecord run = runWith(kPeak + 3 * kKiB);
        const PlanVerdict measured = planVerdict({kPeak, kPeak, &found, &run, true});
        QCOMPARE(measured.title, std::string("Over the budget"));
        QVERIFY2(says(measured, "The measured peak of 0.98 MiB is 3.00 KiB over the budget of 0.98 MiB."),
                 measured.sentence.c_str());
        QVERIFY(says(planVerdict({kPeak, kPeak, &found, &run, false}), "of other steps"));
    }

    void aCompilersPeakIsWhatCounts()
    {
        const Verdict found{true, -1, {}, kPeak, 1};
        const CompiledPeak exact{"inductor", 900 * kKiB, 2000 * kKiB};
        VerdictFacts facts{kPeak - kKiB, kPeak - kKiB, &found};
        QCOMPARE(planVerdict(facts).level, VerdictLevel::OverBudget);
        facts.compiled = &exact;
        const PlanVerdict verdict = planVerdict(facts);
        QCOMPARE(verdict.level, VerdictLevel::Ok);
        QCOMPARE(verdict.title, std::string("Exact peak"));
        QCOMPARE(verdict.sentence,
                 std::string("Every step was replayed without an error. It is for Inductor's kernels, whose code says "
                             "their peak to the byte; without a plan that is 1.96 MiB. Peak 900 KiB, within the budget "
                             "of 999 KiB."));
        facts.budgetBytes = 800 * kKiB;
        QCOMPARE(planVerdict(facts).level, VerdictLevel::OverBudget);
        QVERIFY(says(planVerdict(facts), "The peak of 900 KiB is 100 KiB over the budget of 800 KiB."));
    }

    void wordsReachTranslators()
    {
        const Verdict found{true, -1, {}, kPeak, 1};
        const PlanVerdict verdict =
            planVerdict({kPeak, kPeak, &found, nullptr, true}, [](const char *, const char *text) {
                return text == std::string("Peak %1, within the budget of %2.") ? std::string("%2 hält %1.")
                                                                                : std::string(text);
            });
        QVERIFY2(says(verdict, "0.98 MiB hält 0.98 MiB."), verdict.sentence.c_str());
    }

    /// The second half of a verdict: whether the graph is what PyTorch computes.
    void aGraphThatPyTorchContradictsIsNeverGreen_data()
    {
        QTest::addColumn<QString>("record");
        QTest::addColumn<bool>("red");
        QTest::addColumn<QString>("half");
        const auto row = [](const char *name, const char *record, bool red, const char *half) {
            QTest::newRow(name)
                << QString(R"({"format": "remat-comparison/1", "torch": "2.11.0", "seed": 0, %1})").arg(QString(record))
                << red << QString(half);
        };
        row("equal",
            R"("verdict": "equal", "why": "It is.", "tensors": [{"name": "loss", "kind": "loss", "equal": true}])",
            false, "The graph is what PyTorch computes: all 1 tensors of one step are equal, bit for bit.");
        row("the next step has no numbers",
            R"("verdict": "equal", "next_step": "But the next step has numbers that are not finite in its loss.",
                "tensors": [{"name": "loss", "kind": "loss", "equal": true}])",
            false,
            "The graph is what PyTorch computes: all 1 tensors of one step are equal, bit for bit. But the next step "
            "has numbers that are not finite in its loss.");
        row("the graph is of one batch",
            R"("verdict": "equal", "batch": "This is the graph of this batch.",
                "tensors": [{"name": "loss", "kind": "loss", "equal": true}])",
            false,
            "The graph is what PyTorch computes: all 1 tensors of one step are equal, bit for bit. This is the graph "
            "of "
            "this batch.");
        row("explained",
            R"("verdict": "explained", "tensors": [{"name": "w", "kind": "gradient", "equal": false,
                "relative": 0.015, "explained_by": "order of a sum"}])",
            false,
            "The graph is what PyTorch computes, but for what is explained: gradient of \"w\" (order of a sum, "
            "relative difference 0.015).");
        row("different",
            R"("verdict": "different", "tensors": [
                {"name": "v", "kind": "gradient", "equal": false, "relative": 0.5, "explained_by": ""},
                {"name": "w", "kind": "gradient", "equal": false, "relative": "nan", "explained_by": ""}],
                "first_op": {"name": "linalg_pinv", "operator": "aten.linalg_pinv", "module": "head",
                             "line": "m.py:7", "relative": 1.46})",
            true,
            "The graph is not what PyTorch computes: op \"linalg_pinv\" (aten.linalg_pinv) in \"head\" [m.py:7], "
            "gradient of \"w\", relative difference beyond numbers. Do not train with a plan of it.");
        row("not compared", R"("verdict": "not compared", "why": "The weights are not real.")", false,
            "No comparison with plain PyTorch stands behind this graph. The weights are not real.");
        row("nothing said", R"("verdict": "not compared")", false,
            "Nobody has compared this graph with plain PyTorch; `python -m remat_studio.trace --compare always` does.");
    }
    void aGraphThatPyTorchContradictsIsNeverGreen()
    {
        QFETCH(QString, record);
        QFETCH(bool, red);
        QFETCH(QString, half);
        const auto comparison = parseEagerComparison(record.toStdString(), "record");
        QVERIFY2(comparison.has_value(), comparison ? "" : comparison.error().message.c_str());
        Model model;
        model.program.emplace();
        model.eager = *comparison;
        const Verdict found{true, -1, {}, kPeak, 1};
        ValidationRecord run = runWith(kPeak);
        for (const bool ran : {false, true}) {
            VerdictFacts facts;
            facts.check = &found;
            facts.run = ran ? &run : nullptr;
            facts.model = &model;
            const PlanVerdict verdict = planVerdict(facts);
            QCOMPARE(verdict.level == VerdictLevel::Failed, red);
            QVERIFY2(QString::fromStdString(verdict.sentence).endsWith(" " + half), verdict.sentence.c_str());
        }
        // A plan's file says so by itself.
        run.eagerVerdict = comparison->verdict;
        run.eagerSentence = eagerSentence(model);
        VerdictFacts facts;
        facts.check = &found;
        facts.run = &run;
        QCOMPARE(planVerdict(facts).level == VerdictLevel::Failed, red);
        QVERIFY(says(planVerdict(facts), half.toStdString()));
        // Nobody runs a graph as JSON.
        model.program.reset();
        QVERIFY(eagerSentence(model).empty());
    }

    void aComparisonThatContradictsItselfIsRefused_data()
    {
        QTest::addColumn<QString>("record");
        const char *tensor = R"("tensors": [{"name": "w", "equal": false, "relative": 1}])";
        QTest::newRow("equal, but not") << QString(R"("verdict": "equal", %1)").arg(tensor);
        QTest::newRow("explained by nothing") << QString(R"("verdict": "explained", %1)").arg(tensor);
        QTest::newRow("no verdict") << QString(R"("verdict": "fine")");
        QTest::newRow("none at all") << QString(R"("why": "")");
    }
    void aComparisonThatContradictsItselfIsRefused()
    {
        QFETCH(QString, record);
        const auto read = parseEagerComparison(
            QString(R"({"format": "remat-comparison/1", %1})").arg(record).toStdString(), "record");
        QVERIFY(!read);
        QVERIFY2(read.error().message.starts_with("record: "), read.error().message.c_str());
        QVERIFY2(read.error().message.find("verdict") != std::string::npos, read.error().message.c_str());
    }

    void aRecordIsOfTheStepsThatWereRun()
    {
        const Graph graph = test::chainGraph(3);
        Plan plan = keepAllPlan(graph);
        const Verdict found = checkPlan(graph, test::graphCosts(graph), plan);
        plan.validated = runWith(found.peakBytes);
        QVERIFY(planVerdict(verdictFacts(plan, found)).wasRun); // a record of version 0.1.0, which did not say
        plan.validated->stepsDigest = stepsDigest(plan.steps);
        QVERIFY(planVerdict(verdictFacts(plan, found)).wasRun);
        plan.steps.push_back(Step::offload(graph.op(OpId(0)).outputs[0]));
        QVERIFY(!planVerdict(verdictFacts(plan, found)).wasRun);
    }
};

QTEST_GUILESS_MAIN(TestPlanVerdict)
#include "tst_plan_verdict.moc"
