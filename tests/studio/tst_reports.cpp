// SPDX-License-Identifier: Apache-2.0
// Reports of devices: those that came with the program, and one that a person was sent.
#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/reports/report_runs.h"
#include "app/studio/shell/reports/reports_window.h"
#include "app/studio/views/shared/verdict.h"
#include "core/base/file.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestReports : public QObject, fixture::InWindow
{
    Q_OBJECT

    ReportsWindow *shown() { return m_window->findChild<ReportsWindow *>(); }
    QListWidget *list() { return shown()->findChild<QListWidget *>(QStringLiteral("reportList")); }
    QAbstractItemModel *runs() { return shown()->findChild<QTableView *>(QStringLiteral("reportRuns"))->model(); }
    VerdictLook verdict() { return shown()->findChild<VerdictBox *>(QStringLiteral("reportVerdict"))->look(); }
    QString said(const char *name) { return shown()->findChild<QLabel *>(QString::fromLatin1(name))->text(); }
    QString written(const Report &report)
    {
        const QString path = m_folder.filePath(QStringLiteral("sent.json"));
        if (!writeFileAtomically(path.toStdString(), reportText(report))) qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    static Report failed()
    {
        Report report;
        report.made = "2026-11-23 20:00 UTC";
        report.device = "cuda";
        report.title = "A card";
        report.found = {{"LibTorch", true, "2.11.0"}, {"CP-SAT", false, "pip install ortools"}};
        report.checks = {{"copies", true, ""}, {"order of streams", false, "a copy overtook another"}};
        report.linkBytesPerSecond = 25e9;
        report.linkLatencyUs = 8;
        ReportRun run;
        run.model = "gpt2";
        run.planner = "pofo";
        run.budgetShare = 0.5;
        run.equal = true;
        run.measuredPeakBytes = 3 << 20;
        run.predictedPeakBytes = 2 << 20;
        run.measuredUs = 2500;
        run.predictedUs = 2000;
        run.sentence = "Measured peak 3.00 MiB, 50 % over predicted.";
        report.runs = {run};
        report.verdict = "1 of 2 checks of the device and 0 of 1 plans passed.";
        return report;
    }

private Q_SLOTS:
    void init() { openFresh(); }

    void keptOnesAreListed()
    {
        m_window->commands().find(QStringLiteral("reports"))->trigger();
        QVERIFY(shown() && shown()->isVisible());
        const std::vector<Report> kept = keptReports();
        QVERIFY(!kept.empty());
        QCOMPARE(list()->count(), int(kept.size()));
        QAbstractItemModelTester tester(runs());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            list()->setCurrentRow(int(i));
            QCOMPARE(verdict().sentence, toQString(kept[i].verdict));
            QCOMPARE(verdict().ink, kept[i].passed ? Token::Ok : Token::Error);
            QVERIFY(said("reportDevice").contains(toQString(kept[i].title)));
            QCOMPARE(runs()->rowCount(), int(kept[i].runs.size()));
            for (int row = 0; row < runs()->rowCount(); ++row) {
                const ReportRun &run = kept[i].runs[std::size_t(row)];
                QCOMPARE(runs()->index(row, ReportRuns::Planner).data().toString(), toQString(run.planner));
                QCOMPARE(runs()->index(row, ReportRuns::Peak).data(ReportRuns::kValueRole).toLongLong(),
                         run.measuredPeakBytes);
            }
        }
        // Asked for again, it is the same window.
        m_window->commands().find(QStringLiteral("reports"))->trigger();
        QCOMPARE(m_window->findChildren<ReportsWindow *>().size(), 1);
    }

    void aSentOneOpensBesideThem()
    {
        const QString path = written(failed());
        m_window->openFile(path);
        QVERIFY(shown() && shown()->isVisible());
        const int all = list()->count();
        QCOMPARE(all, int(keptReports().size()) + 1);
        QCOMPARE(list()->currentRow(), all - 1);
        QCOMPARE(verdict().ink, Token::Error);
        QCOMPARE(verdict().sentence, toQString(failed().verdict));
        QCOMPARE(said("reportChecks"), QStringLiteral("order of streams: a copy overtook another"));
        QVERIFY(said("reportFound").contains(QStringLiteral("without CP-SAT")));
        QVERIFY(said("reportLink").contains(QStringLiteral("8")));
        const auto cell = [this](int column) { return runs()->index(0, column); };
        QCOMPARE(cell(ReportRuns::Result).data().toString(), QStringLiteral("failed, though equal"));
        QCOMPARE(cell(ReportRuns::Result).data(Qt::ToolTipRole).toString(), toQString(failed().runs[0].sentence));
        QVERIFY(!cell(ReportRuns::Height).data(ReportRuns::kValueRole).isValid());
        QCOMPARE(cell(ReportRuns::Time).data(ReportRuns::kValueRole).toDouble(), 2500.0);
        m_window->openFile(path);
        QCOMPARE(list()->count(), all); // the same one is not there twice
    }

    void aBrokenOneIsASentence()
    {
        const QString path = m_folder.filePath(QStringLiteral("broken.json"));
        QVERIFY(writeFileAtomically(path.toStdString(), R"({"format": "remat-report/1", "written_by": 7})"));
        m_window->openFile(path);
        QVERIFY(!shown());
        QVERIFY(m_window->messages()->sentence().contains(QStringLiteral("broken.json")));
    }
};

QTEST_MAIN(TestReports)
#include "tst_reports.moc"
