// SPDX-License-Identifier: Apache-2.0
#include "core/base/units.h"
#include "core/exports/exporter.h"
#include "core/exports/html.h"
#include "core/exports/python_literals.h"
#include "core/exports/quoted.h"
#include "core/exports/report.h"
#include "core/io/csv.h"
#include "core/plan/timeline.h"
#include "solvers/interface/solver.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <limits>

using namespace remat;

namespace {

/// A sample under a plan.
struct PlannedSample {
    Model model;
    CostTable costs;
    Plan plan;

    ExportInput input() const { return {model, costs, plan}; }
};

/// Chen's planner is quick, and its plans compute again.
PlannedSample plannedSample(double share = 0.5)
{
    auto model = test::loadSample("tiny_gpt2");
    if (!model) qFatal("%s", model.error().message.c_str());
    PlannedSample planned{std::move(*model), {}, {}};
    planned.costs = rooflineCosts(planned.model, *findDevice("reference"));
    auto keepAll = simulate(planned.model.graph, planned.costs, keepAllPlan(planned.model.graph).steps);
    SolveRequest request;
    request.graph = &planned.model.graph;
    request.costs = &planned.costs;
    request.budgetBytes = static_cast<std::int64_t>(static_cast<double>(keepAll->peakBytes) * share);
    auto found = findPlanner("chen-sqrt");
    request.options = *makeOptions((*found)->info.options, {});
    auto outcome = solve(**found, request, {});
    if (!outcome || !outcome->plan) qFatal("no plan");
    planned.plan = *outcome->plan;
    return planned;
}

/// One line of CSV whose quoted fields hold no quotes.
QStringList fieldsOf(const QString &line)
{
    QStringList fields = {QString()};
    bool quoted = false;
    for (const QChar c : line) {
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (c == QLatin1Char(',') && !quoted)
            fields << QString();
        else
            fields.back() += c;
    }
    return fields;
}

QStringList linesOf(const std::string &text)
{
    return QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

} // namespace

class TestExports : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyFormIsFoundByItsName()
    {
        std::string names;
        for (const ExportFormat &format : exportFormats()) {
            names += (names.empty() ? "" : ", ") + format.name;
            const auto found = findExportFormat(format.name);
            QVERIFY(found);
            QCOMPARE(*found, &format);
            QVERIFY(!format.sentence.empty() && !format.suffix.empty());
        }
        const auto none = findExportFormat("xml");
        QVERIFY(!none);
        QCOMPARE(none.error().message, "There is no export \"xml\". There are: " + names + ".");
    }

    void csvHasARowPerStepAndEndsWhereThePlanEnds()
    {
        const PlannedSample planned = plannedSample();
        const auto csv = (*findExportFormat("csv"))->write(planned.input());
        QVERIFY(csv);
        const QStringList lines = linesOf(*csv);
        QCOMPARE(lines.size(), qsizetype(planned.plan.steps.size() + 1));
        const QStringList head = fieldsOf(lines.front());
        std::int64_t most = 0, again = 0;
        for (const QString &line : lines.mid(1)) {
            const QStringList fields = fieldsOf(line);
            QCOMPARE(fields.size(), head.size());
            most = std::max(most, std::int64_t(fields[head.indexOf(QStringLiteral("held_bytes"))].toLongLong()));
            again += fields[head.indexOf(QStringLiteral("again"))].toInt();
        }
        const auto simulation = simulatePlan(planned.model.graph, planned.costs, planned.plan);
        QCOMPARE(most, simulation->peakBytes);
        QCOMPARE(again, std::int64_t(simulation->recomputations));
        QVERIFY(again > 0);
    }

    void chromeTraceHoldsEveryComputationInItsLane()
    {
        const PlannedSample planned = plannedSample();
        const auto trace = (*findExportFormat("chrome-trace"))->write(planned.input());
        QVERIFY(trace);
        const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(*trace));
        const QJsonArray events = document.object()[QStringLiteral("traceEvents")].toArray();
        const auto simulation = simulatePlan(planned.model.graph, planned.costs, planned.plan);
        int computed = 0, recomputed = 0, counters = 0;
        double end = 0;
        for (const QJsonValue &value : events) {
            const QJsonObject event = value.toObject();
            const QString kind = event[QStringLiteral("ph")].toString();
            if (kind == QStringLiteral("C")) ++counters;
            if (kind != QStringLiteral("X")) continue;
            (event[QStringLiteral("tid")].toInt() == 2 ? recomputed : computed)++;
            end = std::max(end, event[QStringLiteral("ts")].toDouble() + event[QStringLiteral("dur")].toDouble());
        }
        QCOMPARE(recomputed, simulation->recomputations);
        QCOMPARE(computed, int(planned.model.graph.ops.size()));
        QCOMPARE(counters, computed + recomputed);
        QVERIFY(std::abs(end - simulation->timeUs) < 1e-6 * end);
    }

    void dotNamesEveryOpOnceAndMarksWhatIsComputedAgain()
    {
        const PlannedSample planned = plannedSample();
        const auto dot = (*findExportFormat("dot"))->write(planned.input());
        QVERIFY(dot);
        const QString text = QString::fromStdString(*dot);
        QCOMPARE(text.count(QStringLiteral("[label=")), qsizetype(planned.model.graph.ops.size()));
        QCOMPARE(text.count(QLatin1Char('{')), text.count(QLatin1Char('}')));
        const auto simulation = simulatePlan(planned.model.graph, planned.costs, planned.plan);
        QCOMPARE(text.count(QStringLiteral("computed ")), qsizetype(simulation->recomputedOps));
    }

    void pythonIsRefusedWhereThereAreNoOperators()
    {
        PlannedSample planned = plannedSample();
        planned.model.program.reset();
        const auto code = (*findExportFormat("python"))->write(planned.input());
        QVERIFY(!code);
        QVERIFY(code.error().message.find("is a graph without operators") != std::string::npos);
    }

    void pythonIsRefusedWhereTheGraphIsOfOneBatch()
    {
        PlannedSample planned = plannedSample();
        QVERIFY((*findExportFormat("python"))->write(planned.input()));
        planned.model.eager.batch = "This is the graph of this batch.";
        const auto code = (*findExportFormat("python"))->write(planned.input());
        QVERIFY(!code);
        QVERIFY(code.error().message.find("is the graph of one batch") != std::string::npos);
    }

    void pythonFreesWhatThePlanFrees()
    {
        const PlannedSample planned = plannedSample();
        const auto code = (*findExportFormat("python"))->write(planned.input());
        QVERIFY(code);
        const QString text = QString::fromStdString(*code);
        qsizetype frees = 0;
        for (const Step &step : planned.plan.steps)
            frees += step.kind == StepKind::Free ? 1 : 0;
        // Unused outputs are deleted besides.
        QVERIFY(text.count(QStringLiteral("\n    del ")) >= frees);
        QVERIFY(text.contains(QStringLiteral("def step(inputs, device=\"cpu\", seed=None):")));
    }

    void literalsAreAsPythonReadsThem_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("whole") << 2.0 << QStringLiteral("2.0");
        QTest::newRow("tenth") << 0.1 << QStringLiteral("0.1");
        QTest::newRow("small") << 1e-05 << QStringLiteral("1e-05");
        QTest::newRow("minus infinity") << -std::numeric_limits<double>::infinity()
                                        << QStringLiteral("float(\"-inf\")");
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN() << QStringLiteral("float(\"nan\")");
    }
    void literalsAreAsPythonReadsThem()
    {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(python::number(value)), text);
    }

    void namesBecomeNamesOfPython()
    {
        QCOMPARE(python::identifier("add_1"), std::string("add_1"));
        QCOMPARE(python::identifier("lambda"), std::string("lambda_"));
        QCOMPARE(python::identifier("0.weight"), std::string("v_0_weight"));
        QCOMPARE(python::identifier("__debug__"), std::string("__debug___"));
        QCOMPARE(python::tuple({}), std::string("()"));
        QCOMPARE(python::tuple({3}), std::string("(3,)"));
        QCOMPARE(python::tuple({3, 4}), std::string("(3, 4)"));
    }

    void textsAreQuotedAsEachLanguageReadsThem()
    {
        QCOMPARE(pythonQuoted("a\"b\\c"), std::string("\"a\\\"b\\\\c\""));
        QCOMPARE(pythonQuoted("a\n\x1b\u202e"), std::string("\"a\\n\\u001b\\u202e\""));
        QCOMPARE(inDocstring("a\"\"\"\\\nb"), std::string("a\\\"\\\"\\\"\\\\ b"));
        QCOMPARE(dotQuoted("a\"\\\n&\x1b"), std::string("\"a\\\"\\\\\\n&amp; \""));
        QCOMPARE(shellQuoted("gpt2-0.5.pt2"), std::string("gpt2-0.5.pt2"));
        QCOMPARE(shellQuoted("a b'; rm -rf ~\n$(x)"), std::string("'a b'\\''; rm -rf ~ $(x)'"));
        QCOMPARE(shellQuoted(""), std::string("''"));
    }

    void onlyOperatorsAreCalled_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("overload");
        QTest::addColumn<QString>("text");
        QTest::newRow("plain") << "aten::add"
                               << "Tensor"
                               << "torch.ops.aten.add.Tensor";
        QTest::newRow("default") << "aten::mm"
                                 << ""
                                 << "torch.ops.aten.mm.default";
        QTest::newRow("underscores") << "aten::__and__"
                                     << "Scalar"
                                     << "torch.ops.aten.__and__.Scalar";
        QTest::newRow("loads a library") << "load_library::__call__"
                                         << "__call__"
                                         << "";
        QTest::newRow("Python's own") << "aten::__class__"
                                      << "mro"
                                      << "";
        QTest::newRow("own overload") << "aten::add"
                                      << "__call__"
                                      << "";
        QTest::newRow("code") << "aten::mm"
                              << "default(x); import os; os"
                              << "";
        QTest::newRow("writes a file") << "aten::from_file"
                                       << ""
                                       << "";
        QTest::newRow("a word of the language") << "aten::random_"
                                                << "from"
                                                << "";
        QTest::newRow("no operator") << "mm"
                                     << ""
                                     << "";
        QTest::newRow("letters of another script") << QStringLiteral("aten::аdd") << "Tensor"
                                                   << "";
    }
    void onlyOperatorsAreCalled()
    {
        QFETCH(QString, name);
        QFETCH(QString, overload);
        QFETCH(QString, text);
        const auto written = python::operatorName(name.toStdString(), overload.toStdString());
        QCOMPARE(QString::fromStdString(written.value_or("")), text);
    }

    void cellsAreNoFormulas_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        QTest::newRow("name") << "add_1"
                              << "add_1";
        QTest::newRow("formula") << "=1+1"
                                 << "'=1+1";
        QTest::newRow("command") << "+cmd|' /C calc'!A0"
                                 << "'+cmd|' /C calc'!A0";
        QTest::newRow("call") << "@SUM(A1)"
                              << "'@SUM(A1)";
        QTest::newRow("minus") << "-2+3"
                               << "'-2+3";
        QTest::newRow("link") << "=HYPERLINK(\"http://x\",\"y\")"
                              << "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"";
        QTest::newRow("behind spaces") << "\t =1"
                                       << "'  =1";
        QTest::newRow("full width") << QStringLiteral("＝1") << QStringLiteral("'＝1");
        QTest::newRow("amount") << "-12.5 MiB"
                                << "-12.5 MiB";
        QTest::newRow("share") << QStringLiteral("-3.1\u202f%") << QStringLiteral("-3.1\u202f%");
        QTest::newRow("number") << "-5"
                                << "-5";
        QTest::newRow("lines") << "a\r\n=b"
                               << "a  =b";
        QTest::newRow("other separator") << "a;=b"
                                         << "\"a;=b\"";
    }
    void cellsAreNoFormulas()
    {
        QFETCH(QString, text);
        QFETCH(QString, cell);
        QCOMPARE(QString::fromStdString(csvField(text.toStdString())), cell);
    }

    void reportSaysTheFiguresOfEveryPlan()
    {
        const PlannedSample half = plannedSample(0.5);
        const PlannedSample more = plannedSample(0.7);
        const auto page = reportOfPlans(half.model, half.costs, {{"A", &half.plan}, {"B", &more.plan}});
        QVERIFY2(page, page ? "" : page.error().message.c_str());
        const QString text = QString::fromStdString(*page);
        for (const Plan *plan : {&half.plan, &more.plan})
            QVERIFY(text.contains(
                QString::fromStdString(formatBytes(plan->predicted.peakBytes, Rounding::Up)).toHtmlEscaped()));
        QCOMPARE(text.count(QStringLiteral("<svg")), 3); // the trade-off and two timelines
        QVERIFY(text.contains(QStringLiteral("remat plan tiny_gpt2.pt2 --budget")));
        // What is between the style and the end is well-formed.
        const qsizetype body = text.indexOf(QStringLiteral("<body>"));
        QXmlStreamReader reader(text.mid(body, text.indexOf(QStringLiteral("</html>")) - body));
        while (!reader.atEnd())
            reader.readNext();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    }

    void reportRefusesAPlanThatIsNotPossible()
    {
        PlannedSample planned = plannedSample();
        planned.plan.steps.erase(planned.plan.steps.begin());
        const auto page = (*findExportFormat("report"))->write(planned.input());
        QVERIFY(!page);
        QVERIFY(!page.error().message.empty());
    }

    void namesFromFilesAreEscapedInPages()
    {
        QCOMPARE(html::escaped("<b>&\"x\""), std::string("&lt;b&gt;&amp;&quot;x&quot;"));
        QCOMPARE(html::escaped("it's"), std::string("it&#39;s"));
    }
};

QTEST_GUILESS_MAIN(TestExports)
#include "tst_exports.moc"
