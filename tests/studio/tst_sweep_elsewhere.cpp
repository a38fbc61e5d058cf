// SPDX-License-Identifier: Apache-2.0
// A sweep of the window on a cluster of two workers, which a person names in the menu of planners.
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_view.h"
#include "core/base/python.h"
#include "core/base/resources.h"
#include "tests/studio/window_test.h"

#include <set>

using namespace remat;
using namespace remat::studio;

namespace {

constexpr int kSlowMs = 180000; // workers are Pythons that start

const char *const kCluster = R"(
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
)";

} // namespace

class TestSweepElsewhere : public QObject, fixture::InWindow
{
    Q_OBJECT

    QProcess m_cluster;
    QString m_scheduler;

    CurveView *view() { return m_window->workspace()->view<CurveView>(); }
    SweepRunner &sweeps() { return m_window->session().sweeps; }
    QAction *elsewhere() { return view()->strip()->findChild<QAction *>(QStringLiteral("sweepElsewhere")); }

    /// As a person does: the entry of the menu, and an address in the dialog.
    void choose(const QString &scheduler)
    {
        elsewhere()->trigger();
        auto *dialog = m_window->findChild<QInputDialog *>(QStringLiteral("sweepCluster"));
        QVERIFY(dialog);
        dialog->setTextValue(scheduler);
        dialog->accept();
        QCOMPARE(elsewhere()->isChecked(), true);
        QVERIFY(elsewhere()->text().contains(scheduler));
    }
    void sweepToTheEnd()
    {
        view()->strip()->setChosen({"chen-sqrt", "dtr"});
        view()->strip()->start();
        QVERIFY(sweeps().running());
        QTRY_VERIFY_WITH_TIMEOUT(!sweeps().running(), kSlowMs);
    }
    using Made = std::tuple<std::string, std::int64_t, double>;
    std::set<Made> plans()
    {
        std::set<Made> made;
        for (const auto &entry : document().plans())
            made.insert({entry->plan->origin.solver, entry->timeline->peakBytes, entry->timeline->timeUs});
        return made;
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto python = pythonWith("distributed", pythonPrefixes());
        QVERIFY2(python, "Dask is in packaging/requirements-test.txt: packaging/test installs it");
        const QString script = m_folder.filePath(QStringLiteral("cluster.py"));
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kCluster) > 0);
        file.close();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PYTHONPATH"), QString::fromStdString((resourceDir() / "python").string()));
        environment.insert(QStringLiteral("REMAT_BIN"), QString::fromStdString(helperProgramPath("remat").string()));
        m_cluster.setProcessEnvironment(environment);
        m_cluster.start(QString::fromStdString(python->string()), {script});
        QTRY_VERIFY_WITH_TIMEOUT(m_cluster.canReadLine(), kSlowMs);
        m_scheduler = QString::fromUtf8(m_cluster.readLine()).trimmed();
        QVERIFY(m_scheduler.startsWith(QStringLiteral("tcp://")));
    }
    void cleanupTestCase()
    {
        m_cluster.closeWriteChannel();
        if (!m_cluster.waitForFinished(120000)) m_cluster.kill();
    }
    void init()
    {
        openFresh({1280, 800});
        openChain(8);
    }

    void plansComeFromTheCluster()
    {
        sweepToTheEnd();
        const std::set<Made> here = plans();
        const int misses = static_cast<int>(sweeps().report().misses.size());
        QVERIFY(here.size() > 4 && misses > 0);
        m_window.reset();
        init();
        choose(m_scheduler);
        sweepToTheEnd();
        const SweepReport &report = sweeps().report();
        QVERIFY2(report.sentence.isEmpty(), qPrintable(report.sentence));
        QCOMPARE(report.done, report.total);
        QCOMPARE(static_cast<int>(report.misses.size()), misses);
        QCOMPARE(plans(), here);
        for (const auto &entry : document().plans())
            QVERIFY(entry->check && entry->check->ok);
        // Remembered for the next time, and left again by one click.
        QCOMPARE(QSettings().value(QStringLiteral("sweep/scheduler")).toString(), m_scheduler);
        elsewhere()->trigger();
        QVERIFY(!elsewhere()->isChecked());
    }

    void noClusterIsASentence()
    {
        choose(QStringLiteral("tcp://127.0.0.1:1"));
        sweepToTheEnd();
        QVERIFY2(sweeps().report().sentence.contains(QStringLiteral("There is no Dask scheduler at")),
                 qPrintable(sweeps().report().sentence));
    }

    void aStopEndsIt()
    {
        choose(m_scheduler);
        view()->strip()->setChosen({"auto"});
        view()->strip()->start();
        sweeps().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!sweeps().running(), kSlowMs);
        QVERIFY(sweeps().report().sentence.isEmpty());
    }

    void noAddressStaysHere()
    {
        elsewhere()->trigger();
        m_window->findChild<QInputDialog *>(QStringLiteral("sweepCluster"))->reject();
        QVERIFY(!elsewhere()->isChecked());
        sweepToTheEnd();
        QVERIFY(plans().size() > 4);
    }
};

QTEST_MAIN(TestSweepElsewhere)
#include "tst_sweep_elsewhere.moc"
