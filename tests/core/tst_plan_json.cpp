// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/io/plan_text.h"
#include "core/plan/plan.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <cstring>
#include <limits>
#include <tuple>

using namespace remat;

namespace {

ValidationRecord fullRecord()
{
    ValidationRecord record;
    record.passed = true;
    record.sentence = "All 148 gradients are equal. \"Größe\"";
    record.device = "cuda";
    record.deviceTitle = "NVIDIA H200";
    record.torchVersion = "2.11.0";
    record.lossEqual = true;
    record.gradients = 148;
    record.gradientsEqual = 147;
    record.buffers = 3;
    record.buffersEqual = 2;
    record.updated = 5;
    record.updatedEqual = 4;
    record.largestDifference = 0.1;
    record.differences = {{"fc.weight", 0.1}, {"bn", std::numeric_limits<double>::infinity()}};
    record.measuredPeakBytes = 123456789012345;
    record.measuredKeepAllPeakBytes = 9;
    record.predictedPeakBytes = 8;
    record.peakReasons = {"addmm: 3 MiB"};
    record.measuredTimeUs = 1.0 / 3;
    record.measuredKeepAllTimeUs = 1e-300;
    record.reference = ReferenceKind::AnotherPlan;
    record.referencePeakBytes = 7;
    record.restlessOps = {"nll (nll_loss2d)"};
    record.warnedOps = {"put (aten::put)"};
    record.excused = {{"loss", 1e-7}};
    record.cpu = {true, 0.25, 1e-3, "fc.weight", "none"};
    record.steps = {{512, 64, 512, 0, 1.5},
                    {512, 0, 0, 1.5, 7.25},
                    {0, 0, 0, 1.5, 2},
                    {512, 0, 0, 7.25, 9},
                    {1024, 0, 512, 9, 10.125}};
    return record;
}

Plan fullPlan(const Graph &graph)
{
    Plan plan;
    plan.steps = {Step::compute(OpId(0)), Step::offload(graph.ops[0].outputs[0]), Step::free(graph.ops[0].outputs[0]),
                  Step::prefetch(graph.ops[0].outputs[0]), Step::compute(OpId(1))};
    plan.budgetBytes = 4294967296;
    plan.origin = {"hiremate", {{"threads", "2"}, {"a \"quoted\" key", "x\ny"}}, 8.123456789012345, "feasible"};
    plan.costSource = {"roofline", "h100"};
    plan.predicted = {4290000000, 91000.1, 9520000000, 82000.3, 88500.7, "cut-closure", OpId(1)};
    return plan;
}

bool same(const ValidationRecord &a, const ValidationRecord &b)
{
    if (a.differences.size() != b.differences.size()) return false;
    for (std::size_t i = 0; i < a.differences.size(); ++i) {
        if (a.differences[i].name != b.differences[i].name) return false;
        if (a.differences[i].largestDifference != b.differences[i].largestDifference) return false;
    }
    const auto sameExcuse = [](const TensorDifference &x, const TensorDifference &y) {
        return x.name == y.name && x.largestDifference == y.largestDifference;
    };
    if (!std::equal(a.excused.begin(), a.excused.end(), b.excused.begin(), b.excused.end(), sameExcuse)) return false;
    if (std::tie(a.reference, a.referencePeakBytes, a.restlessOps, a.warnedOps, a.cpu.done, a.cpu.largestShare,
                 a.cpu.tolerance, a.cpu.worst,
                 a.cpu.sentence) != std::tie(b.reference, b.referencePeakBytes, b.restlessOps, b.warnedOps, b.cpu.done,
                                             b.cpu.largestShare, b.cpu.tolerance, b.cpu.worst, b.cpu.sentence))
        return false;
    const auto tied = [](const StepMeasurement &step) {
        return std::tuple(step.heldBytes, step.workspaceBytes, step.madeBytes, step.startUs, step.endUs);
    };
    const bool sameSteps =
        std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                   [&](const StepMeasurement &x, const StepMeasurement &y) { return tied(x) == tied(y); });
    return sameSteps && a.passed == b.passed && a.sentence == b.sentence && a.device == b.device &&
           a.deviceTitle == b.deviceTitle && a.torchVersion == b.torchVersion && a.lossEqual == b.lossEqual &&
           a.gradients == b.gradients && a.gradientsEqual == b.gradientsEqual && a.buffers == b.buffers &&
           a.buffersEqual == b.buffersEqual && a.updated == b.updated && a.updatedEqual == b.updatedEqual &&
           a.largestDifference == b.largestDifference && a.measuredPeakBytes == b.measuredPeakBytes &&
           a.measuredKeepAllPeakBytes == b.measuredKeepAllPeakBytes && a.predictedPeakBytes == b.predictedPeakBytes &&
           a.peakReasons == b.peakReasons && a.measuredTimeUs == b.measuredTimeUs &&
           a.measuredKeepAllTimeUs == b.measuredKeepAllTimeUs;
}

} // namespace

class TstPlanJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plannedParametersAreSaidInTheFile()
    {
        const Graph graph = test::chainGraph(3);
        QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("plan.json").toStdString();
        for (const bool planned : {false, true}) {
            Plan plan = fullPlan(graph);
            plan.parametersPlanned = planned;
            QVERIFY(writePlan(path, plan, graph));
            QCOMPARE(readFile(path, 1 << 20)->find("\"parameters\": \"planned\"") != std::string::npos, planned);
            QCOMPARE(readPlan(path, graph)->parametersPlanned, planned);
        }
        std::string text = *readFile(path, 1 << 20);
        text.replace(text.find("\"planned\""), 9, "\"at home\"");
        QVERIFY(writeFileAtomically(path, text));
        QVERIFY(readPlan(path, graph).error().message.find("parameters") != std::string::npos);
    }
    void roundTrip_data()
    {
        QTest::addColumn<bool>("validated");
        QTest::newRow("plain") << false;
        QTest::newRow("validated") << true;
    }
    void roundTrip()
    {
        QFETCH(bool, validated);
        const test::Folder folder;
        const Graph graph = test::chainGraph(3);
        Plan plan = fullPlan(graph);
        if (validated) plan.validated = fullRecord();
        if (validated) plan.compiled = CompiledPeak{"inductor", 7000, 9000};
        QVERIFY(writePlan(folder.path("p.json"), plan, graph));
        const Expected<Plan> read = readPlan(folder.path("p.json"), graph);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->steps, plan.steps);
        QCOMPARE(read->budgetBytes, plan.budgetBytes);
        QCOMPARE(read->origin.solver, plan.origin.solver);
        QCOMPARE(read->origin.options, plan.origin.options);
        QCOMPARE(read->origin.seconds, plan.origin.seconds);
        QCOMPARE(read->origin.status, plan.origin.status);
        QVERIFY(read->costSource == plan.costSource);
        QVERIFY(read->predicted == plan.predicted);
        QCOMPARE(read->validated.has_value(), validated);
        QVERIFY(read->compiled == plan.compiled);
        if (validated) QVERIFY(same(*read->validated, *plan.validated));
        QVERIFY(writePlan(folder.path("q.json"), *read, graph));
        QCOMPARE(readFile(folder.path("q.json")).value(), readFile(folder.path("p.json")).value());
    }

    /// Who edits the steps of a plan that was run must still be able to open it; who breaks the record is told.
    void measurementsOfOtherSteps()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(3);
        Plan plan = fullPlan(graph);
        plan.validated = fullRecord();
        plan.steps.pop_back();
        QVERIFY(writePlan(folder.path("p.json"), plan, graph));
        const Expected<Plan> edited = readPlan(folder.path("p.json"), graph);
        QVERIFY2(edited.has_value(), edited ? "" : edited.error().message.c_str());
        QVERIFY(edited->validated && edited->validated->steps.empty());

        plan = fullPlan(graph);
        plan.validated = fullRecord();
        QVERIFY(writePlan(folder.path("p.json"), plan, graph));
        const std::string whole = *readFile(folder.path("p.json"));
        const auto broken = [&](const char *from, const char *to) {
            std::string text = whole;
            text.replace(text.find(from), std::strlen(from), to);
            const Expected<Plan> read = parsePlan(text, "p.json", graph);
            return read ? std::string() : read.error().message;
        };
        QCOMPARE(broken("\"workspace_bytes\":[64,", "\"workspace_bytes\":["),
                 std::string("p.json: validated.steps.workspace_bytes must be as long as \"held_bytes\"."));
        QVERIFY(broken("\"workspace_bytes\":[64,", "\"workspace_bytes\":[-64,").find("must be") != std::string::npos);
        QVERIFY(broken("\"end_us\":[1.5,", "\"end_us\":[-1.5,").find("validated.steps.end_us[0]") != std::string::npos);
    }

    void aCompilersPeakIsRead_data()
    {
        QTest::addColumn<QString>("compiled");
        QTest::addColumn<QString>("part");
        QTest::newRow("whole") << R"({"with": "inductor", "peak_bytes": 7, "plain_peak_bytes": 9})"
                               << "";
        QTest::newRow("no peak") << R"({"with": "inductor", "plain_peak_bytes": 9})"
                                 << "peak_bytes";
        QTest::newRow("below zero") << R"({"with": "inductor", "peak_bytes": -7, "plain_peak_bytes": 9})"
                                    << "peak_bytes";
        QTest::newRow("another") << R"({"with": "nvfuser", "peak_bytes": 7, "plain_peak_bytes": 9})"
                                 << "must be inductor";
        QTest::newRow("no object") << "3"
                                   << "compiled";
    }

    void aCompilersPeakIsRead()
    {
        QFETCH(const QString, compiled);
        QFETCH(const QString, part);
        const Graph graph = test::chainGraph(3);
        test::Json json = test::Json::parse(planText(fullPlan(graph), graph));
        json["compiled"] = test::Json::parse(compiled.toStdString());
        const Expected<Plan> read = parsePlan(json.dump(), "p.json", graph);
        QCOMPARE(read.has_value(), part.isEmpty());
        if (read) QCOMPARE(read->compiled->peakBytes, std::int64_t(7));
        if (!read)
            QVERIFY2(read.error().message.find(part.toStdString()) != std::string::npos, read.error().message.c_str());
    }

    void theFileIsWhatTheFormatSays()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(3);
        QVERIFY(writePlan(folder.path("p.json"), fullPlan(graph), graph));
        const test::Json json = test::Json::parse(readFile(folder.path("p.json")).value());
        QCOMPARE(json["format"], test::Json("remat-plan/1"));
        QCOMPARE(json["graph"]["fingerprint"], test::Json(graph.fingerprint));
        QCOMPARE(json["graph"]["ops"], test::Json(graph.ops.size()));
        QCOMPARE(json["budget_bytes"], test::Json(4294967296));
        QCOMPARE(json["solver"]["options"]["threads"], test::Json("2"));
        QCOMPARE(json["cost_source"]["device"], test::Json("h100"));
        QCOMPARE(json["predicted"]["keep_all_peak_bytes"], test::Json(9520000000));
        QVERIFY(json["validated"].is_null());
        QCOMPARE(json["steps"][0], (test::Json{{"do", "compute"}, {"op", graph.ops[0].name}}));
        const std::string made = graph.storage(graph.ops[0].outputs[0]).name;
        QCOMPARE(json["steps"][1], (test::Json{{"do", "offload"}, {"storage", made}}));
        QCOMPARE(json["steps"][2], (test::Json{{"do", "free"}, {"storage", made}}));
        QCOMPARE(json["steps"][3], (test::Json{{"do", "prefetch"}, {"storage", made}}));
    }

    void onlyFormatGraphAndStepsAreNeeded()
    {
        const test::Folder folder;
        const Graph graph = test::chainGraph(3);
        const test::Json json = {{"format", "remat-plan/1"},
                                 {"graph", {{"fingerprint", graph.fingerprint}}},
                                 {"steps", {{{"do", "compute"}, {"op", graph.ops[0].name}}}}};
        const auto read = readPlan(folder.write("p.json", json.dump()), graph);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->steps.size(), std::size_t(1));
        QCOMPARE(read->budgetBytes, std::int64_t(0));
    }

    void aPlanForAnotherGraphIsRefused()
    {
        const test::Folder folder;
        Graph graph = test::chainGraph(3);
        graph.name = "one";
        Graph other = test::chainGraph(4);
        other.name = "two";
        QVERIFY(writePlan(folder.path("p.json"), keepAllPlan(graph), graph));
        const auto read = readPlan(folder.path("p.json"), other);
        QVERIFY(!read);
        qInfo("%s", read.error().message.c_str());
        for (const char *part : {"\"one\"", "\"two\"", "another graph"})
            QVERIFY(read.error().message.find(part) != std::string::npos);
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *pointer, const char *value, const char *part) {
            QTest::addRow("%s=%s", pointer, value) << pointer << value << part;
        };
        row("/format", R"("remat-graph/1")", "is a graph as JSON, where a plan is needed");
        row("/steps/0/op", R"("nobody")", "steps[0].op");
        row("/steps/1/storage", R"("nothing")", "steps[1].storage");
        row("/steps/0/do", R"("dance")", "steps[0].do");
        row("/steps/2", "[]", "steps[2]");
        row("/steps", "{}", "steps");
        row("/budget_bytes", "-1", "budget_bytes");
        row("/budget_bytes", "1e30", "budget_bytes");
        row("/predicted/peak_bytes", R"("big")", "predicted.peak_bytes");
        row("/solver/seconds", "[]", "solver.seconds");
        row("/solver/options", "7", "solver.options");
        row("/validated", "{}", "passed");
        row("/graph", "7", "graph");
    }
    void refusals()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, part);
        const test::Folder folder;
        const Graph graph = test::chainGraph(3);
        QVERIFY(writePlan(folder.path("p.json"), fullPlan(graph), graph));
        test::Json json = test::Json::parse(readFile(folder.path("p.json")).value());
        json[test::Json::json_pointer(pointer.toStdString())] = test::Json::parse(value.toStdString());
        const auto read = readPlan(folder.write("q.json", json.dump()), graph);
        QVERIFY(!read);
        qInfo("%s", read.error().message.c_str());
        QVERIFY2(read.error().message.find(part.toStdString()) != std::string::npos, read.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TstPlanJson)
#include "tst_plan_json.moc"
