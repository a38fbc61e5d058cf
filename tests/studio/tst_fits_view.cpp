// SPDX-License-Identifier: Apache-2.0
// "Will it fit?" in the window: what each device says, by optimizer, and a budget taken from one.
#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_canvas.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/fits/fits_view.h"
#include "app/studio/work/jobs/model_loader.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

#include <algorithm>
#include <vector>

using namespace remat;
using namespace remat::studio;

class TestFitsView : public QObject, fixture::InWindow
{
    Q_OBJECT

    FitsView *view() { return m_window->workspace()->view<FitsView>(); }

    /// A chain whose ops make 3 GiB each.
    QString writeLarge(const QString &name = QStringLiteral("large.json"), const QByteArray &bytes = "3221225472")
    {
        QFile small(fixture::writeChain(m_folder, 8));
        if (!small.open(QIODevice::ReadOnly)) qFatal("cannot read the chain");
        const QByteArray text = small.readAll().replace("1048576", bytes);
        return test::written(m_folder.filePath(name), text);
    }

    int rowOf(const char *device)
    {
        for (int row = 0; row < view()->model().rowCount(); ++row)
            if (view()->model().row(row).device.name == device) return row;
        qFatal("there is no %s", device);
    }
    const DeviceFit &fit(const char *device) { return *view()->model().row(rowOf(device)).fit; }
    QString said(const char *device, int column)
    {
        return view()->model().index(rowOf(device), column).data().toString();
    }
    /// As a person does: the button, and a file in the dialog.
    void chooseBatch(const QString &path)
    {
        QTest::mouseClick(view()->findChild<QAbstractButton *>(QStringLiteral("fitsBatch")), Qt::LeftButton);
        auto *dialog = m_window->findChild<QFileDialog *>();
        QVERIFY(dialog);
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
    }
    bool allJudged()
    {
        const FitsModel &model = view()->model();
        if (model.running() || model.rowCount() == 0) return false;
        for (int row = 0; row < model.rowCount(); ++row)
            if (!model.row(row).fit) return false;
        return true;
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        m_window->openFile(writeLarge());
        QTRY_VERIFY(document().model() && m_window->idle());
    }

    void asksNothingBeforeSomebodyLooks()
    {
        QVERIFY(!view()->isVisible());
        QVERIFY(!view()->model().needs());
        QVERIFY(!view()->model().row(0).fit);
        command("show.fits")->trigger();
        QTRY_VERIFY(allJudged());
        QVERIFY(view()->model().needs());
    }

    void eachDeviceSaysWhetherAndWhyNot()
    {
        command("show.fits")->trigger();
        QTRY_VERIFY(allJudged());
        QCOMPARE(fit("h200").verdict, FitVerdict::Fits);
        QCOMPARE(said("h200", FitsModel::Verdict), QStringLiteral("Fits as it is"));
        QCOMPARE(fit("rtx4090").verdict, FitVerdict::FitsWithPlan);
        QVERIFY(fit("rtx4090").overhead > 0);
        QVERIFY(said("rtx4090", FitsModel::Overhead).endsWith(u'%'));
        QCOMPARE(fit("t4").verdict, FitVerdict::CannotFit);
        QVERIFY(!said("t4", FitsModel::Why).isEmpty());
        // From the largest to the smallest, and none of the reference.
        for (int row = 1; row < view()->model().rowCount(); ++row)
            QVERIFY(view()->model().row(row - 1).device.memoryBytes >= view()->model().row(row).device.memoryBytes);
    }

    void theOptimizerCounts()
    {
        command("show.fits")->trigger();
        QTRY_VERIFY(allJudged());
        const std::int64_t left = fit("h200").budgetBytes;
        const std::int64_t states = view()->model().needs()->optimizerBytes;
        auto *optimizer = view()->findChild<QComboBox *>(QStringLiteral("fitsOptimizer"));
        QCOMPARE(optimizer->currentText(), QStringLiteral("AdamW"));
        optimizer->setFocus();
        QTest::keyClick(optimizer, Qt::Key_End);
        QCOMPARE(optimizer->currentText(), QStringLiteral("None"));
        QTRY_VERIFY(allJudged());
        QCOMPARE(view()->model().needs()->optimizerBytes, std::int64_t(0));
        QCOMPARE(fit("h200").budgetBytes, left + states);
    }

    void aDeviceGivesItsBudget()
    {
        command("show.fits")->trigger();
        QTRY_VERIFY(allJudged());
        const QModelIndex index = view()->table()->model()->index(rowOf("rtx4090"), FitsModel::Name);
        view()->table()->setCurrentIndex(index);
        QTest::keyClick(view()->table(), Qt::Key_Return);
        QCOMPARE(document().budgetBytes(), fit("rtx4090").budgetBytes);
        // Its overhead was told by its own costs, which the plan has from now on, and it is the card of the panel.
        QTRY_COMPARE(document().model()->choice.device.name, std::string("rtx4090"));
        QCOMPARE(m_window->findChild<QComboBox *>(QStringLiteral("card"))->currentText(),
                 toQString(view()->model().row(rowOf("rtx4090")).device.title));
    }

    /// What a card leaves for the step is one number in Fits, in the panel and in the trade-off.
    void aCardIsOneNumberEverywhere()
    {
        command("show.fits")->trigger();
        QTRY_VERIFY(allJudged());
        const std::vector<DeviceRoom> marks = m_window->workspace()->curve()->canvas()->scene().devices;
        auto *cards = m_window->findChild<QComboBox *>(QStringLiteral("card"));
        auto *use = m_window->findChild<QAbstractButton *>(QStringLiteral("cardBudget"));
        int compared = 0;
        for (const char *device : {"rtx4090", "rtx6000-ada", "l4"}) {
            const FitRow &row = view()->model().row(rowOf(device));
            const QString title = toQString(row.device.title);
            const std::int64_t left = row.fit->budgetBytes;
            cards->setCurrentIndex(cards->findText(title));
            Q_EMIT cards->activated(cards->currentIndex());
            QVERIFY2(cards->currentIndex() >= 0 && use->text().contains(bytesText(left, Rounding::Down)),
                     qPrintable(title + u' ' + use->text()));
            const auto mark = std::find_if(marks.begin(), marks.end(), [&](const DeviceRoom &room) {
                return title.endsWith(room.title); // short there
            });
            QVERIFY2(mark != marks.end(), qPrintable(title));
            QCOMPARE(mark->roomBytes, left);
            use->click();
            QCOMPARE(document().budgetBytes(), std::min(left, document().model()->keepAllPeakBytes));
            document().setBudget(document().model()->keepAllPeakBytes / 2);
            ++compared;
        }
        QCOMPARE(compared, 3);
    }

    void anotherBatchTellsTheLargest()
    {
        command("show.fits")->trigger();
        QTRY_VERIFY(allJudged());
        QVERIFY(view()->table()->isColumnHidden(FitsModel::Batch));
        chooseBatch(writeLarge(QStringLiteral("twice.json"), "6442450944"));
        QTRY_VERIFY(view()->model().batches().other());
        QVERIFY(!view()->table()->isColumnHidden(FitsModel::Batch));
        QTRY_VERIFY(allJudged() && view()->model().row(view()->model().rowCount() - 1).batches);
        const LargestBatches h200 = *view()->model().row(rowOf("h200")).batches;
        QVERIFY(h200.asItIs > 1 && h200.withPlan > h200.asItIs);
        QCOMPARE(said("h200", FitsModel::Batch),
                 QStringLiteral("%1, %2 with a plan").arg(h200.asItIs).arg(h200.withPlan));
        QCOMPARE(said("t4", FitsModel::Batch), QStringLiteral("none"));
        const LargestBatches l4 = *view()->model().row(rowOf("l4")).batches;
        QCOMPARE(l4.asItIs, std::int64_t(0));
        QCOMPARE(said("l4", FitsModel::Batch), QStringLiteral("%1 with a plan").arg(l4.withPlan));
        // Another model forgets it.
        openChain(8);
        QVERIFY(!view()->model().batches().other() && view()->table()->isColumnHidden(FitsModel::Batch));
    }

    void anotherStepIsNoOtherBatch()
    {
        command("show.fits")->trigger();
        chooseBatch(fixture::writeChain(m_folder, 5));
        const auto *said = view()->findChild<QLabel *>(QStringLiteral("fitsBatches"));
        QTRY_VERIFY2(said->text().contains(QStringLiteral("not the same step")), qPrintable(said->text()));
        QVERIFY(!view()->model().batches().other());
    }

    void looksAsItDid_data() { fixture::lookRows({{"", QSize(1120, 360)}, {"_narrow", QSize(640, 300)}}); }
    void looksAsItDid()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        FitsView alone(m_window->session());
        alone.resize(size);
        alone.show();
        QTRY_VERIFY(!alone.model().running() && alone.model().row(alone.model().rowCount() - 1).fit);
        fixture::looksAsItDid(alone, "fits");
    }
};

QTEST_MAIN(TestFitsView)
#include "tst_fits_view.moc"
