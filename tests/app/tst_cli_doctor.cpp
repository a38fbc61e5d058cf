// SPDX-License-Identifier: Apache-2.0
// remat doctor as a person calls it: what it finds, its report, its exit codes.
#include "core/io/report_json.h"
#include "gpu/runtime.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/torch.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>

using namespace remat;
using namespace remat::test;

class TestCliDoctor : public QObject, InFolder
{
    Q_OBJECT

private Q_SLOTS:
    void looksAtTheDevice_data()
    {
        QTest::addColumn<QString>("device");
        QTest::newRow("cpu") << "cpu";
        QTest::newRow("simulated") << "simulated";
    }
    void looksAtTheDevice()
    {
        QFETCH(QString, device);
        const QString path = m_folder.filePath(device + ".json");
        const Outcome outcome = callRemat({"doctor", "--device", device, "--no-plans", "-o", path});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out + outcome.err));
        for (const char *found : {"Qt", "LibTorch", "CBC", "Graphviz", "CP-SAT", "CUDA module"})
            QVERIFY2(outcome.out.contains(found), found);
        QVERIFY(outcome.out.contains("6 of 6 checks of the device passed."));
        const Expected<Report> report = readReport(path.toStdString());
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->passed && report->runs.empty());
        QCOMPARE(QString::fromStdString(report->device), device);
        QVERIFY(report->copies.size() >= 7 && report->linkBytesPerSecond > 0);
        QVERIFY(report->overlapCopyUs > 0 && report->overlapComputeUs > 0 && report->overlapBothUs > 0);
        QVERIFY(outcome.out.contains("together"));
        QCOMPARE(reportText(*report), reportText(*readReport(path.toStdString())));
    }

    void runsPlansOnTheSimulatedDevice()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        const Outcome outcome = callRemat({"doctor", "--device", "simulated", "--samples", "tiny_transformer",
                                           "--solver", "chen-sqrt", "--threads", "1", "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out + outcome.err));
        const QJsonArray runs = outcome.json()["runs"].toArray();
        QVERIFY(!runs.isEmpty());
        for (const auto &run : runs) {
            QVERIFY(run.toObject()["passed"].toBool() && run.toObject()["equal"].toBool());
            QCOMPARE(run.toObject()["measured_peak_bytes"].toDouble(),
                     run.toObject()["predicted_peak_bytes"].toDouble());
            QCOMPARE(run.toObject()["height_bytes"].toDouble(), run.toObject()["planned_height_bytes"].toDouble());
        }
    }

    /// Without a GPU the answer is no, with a sentence, and the report says so, too.
    void saysThatThereIsNoGpu()
    {
        if (runtimeInfo().cuda) QSKIP("there is a GPU");
        const QString path = m_folder.filePath("cuda.json");
        const Outcome outcome = callRemat({"doctor", "--device", "cuda", "-o", path});
        QCOMPARE(outcome.code, 1);
        const Expected<Report> report = readReport(path.toStdString());
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(!report->passed && report->checks.empty() && report->runs.empty());
        QVERIFY2(report->verdict.ends_with('.'), report->verdict.c_str());
        QVERIFY(outcome.out.contains(QString::fromStdString(report->verdict)));
        const auto driver = std::find_if(report->found.begin(), report->found.end(),
                                         [](const ReportFinding &found) { return found.name == "GPU"; });
        QVERIFY(driver != report->found.end() && !driver->there);
    }

    void refusesWhatItDoesNotKnow_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("device") << QStringList{"--device", "tpu"} << "tpu";
        QTest::newRow("sample") << QStringList{"--samples", "gpt9"} << "none of the small samples";
        QTest::newRow("planner") << QStringList{"--solver", "nobody"} << "nobody";
        QTest::newRow("time") << QStringList{"--plan-seconds", "0"} << "--plan-seconds";
        QTest::newRow("folder") << QStringList{"-o", "/nowhere/at/all.json"} << "/nowhere";
        QTest::newRow("both outputs") << QStringList{"--json", "-o", "-"} << "--json";
    }
    void refusesWhatItDoesNotKnow()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        const Outcome outcome = callRemat(QStringList{"doctor"} + arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(sentence), qPrintable(outcome.err));
        QVERIFY(outcome.out.isEmpty());
    }

    void reportsAreReadCarefully()
    {
        const auto refused = [&](const QByteArray &text, const char *part) {
            const Expected<Report> report = readReport(write("broken.json", text).toStdString());
            return !report && QString::fromStdString(report.error().message).contains(part);
        };
        QVERIFY(refused("", "broken.json"));
        QVERIFY(refused("[]", "broken.json"));
        QVERIFY(refused(R"({"format": "remat-plan/1"})", "remat-report/1"));
        QVERIFY(refused(R"({"format": "remat-report/1", "written_by": 3})", "written_by"));
    }

    /// Those that come with the program can be read.
    void keptReportsAreWhole()
    {
        const std::filesystem::path folder = REMAT_SAMPLES "/../reports";
        std::ptrdiff_t files = 0;
        for (const auto &entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() != ".json") continue;
            const Expected<Report> report = readReport(entry.path());
            QVERIFY2(report, report ? "" : report.error().message.c_str());
            QVERIFY(!report->checks.empty() && !report->runs.empty() && !report->title.empty());
            ++files;
        }
        QVERIFY(files >= 1);
        QCOMPARE(static_cast<std::ptrdiff_t>(keptReports().size()), files);
    }
};

QTEST_GUILESS_MAIN(TestCliDoctor)
#include "tst_cli_doctor.moc"
