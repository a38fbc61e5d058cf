// SPDX-License-Identifier: Apache-2.0
// The batch beside the budget: dragged by hand in the real window at its usual smallest size, and held against what
// the engine says of each batch.
#include "app/studio/base/text/text.h"
#include "app/studio/views/plan/batch_box.h"
#include "core/plan/simulator.h"
#include "tests/studio/by_hand.h"
#include "tests/support/written.h"

using namespace remat;
using namespace remat::studio;

class TestBatchBox : public QObject, fixture::ByHand
{
    Q_OBJECT

    BatchOutlook &batches() { return m_window->session().batches; }
    QSlider *slider() { return named<QSlider>("batchSlider"); }
    QString said(const char *name) { return named<QLabel>(name)->text(); }

    /// The chain of the window, whose tensors have so many times as many bytes.
    QString writeTimes(int times)
    {
        QFile small(fixture::writeChain(m_folder, 12));
        if (!small.open(QIODevice::ReadOnly)) qFatal("cannot read the chain");
        const QByteArray text = small.readAll().replace("1048576", QByteArray::number(1048576 * times));
        return test::written(m_folder.filePath(QStringLiteral("times%1.json").arg(times)), text);
    }
    /// As a person does: the button, and a file in the dialog.
    void chooseOther(const QString &path)
    {
        click(named("otherBatch"));
        auto *dialog = m_window->findChild<QFileDialog *>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_VERIFY(batches().other() || !batches().problem().isEmpty());
        settle();
    }
    /// A file as the window would open it, with the costs that are shown.
    std::shared_ptr<const CostedModel> opened(const QString &path)
    {
        auto open = openModel(toPath(path), document().model()->choice.device);
        if (!open) qFatal("%s", open.error().message.c_str());
        return *costModel(std::move(*open), document().model()->choice);
    }
    /// The model with that many samples.
    std::shared_ptr<const CostedModel> traced(int batch) { return opened(writeTimes(batch)); }
    static QString traceOfLength(int tokens)
    {
        return QStringLiteral(REMAT_TEST_DATA "/traces/length_%1.pt2").arg(tokens);
    }
    QPoint handle(int batch)
    {
        const double share = double(batch - 1) / (slider()->maximum() - 1);
        return {int(6 + share * (slider()->width() - 12)), slider()->height() / 2};
    }
    void dragTo(int batch)
    {
        QMouseEvent move(QEvent::MouseMove, handle(batch), slider()->mapToGlobal(QPointF(handle(batch))), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(slider(), &move);
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        openChain(12);
        document().setBudget(document().model()->keepAll->peakBytes * 3); // for three times as many samples
        settle();
    }

    void itIsDraggedLikeTheBudget()
    {
        QVERIFY(!slider()->isVisible());
        chooseOther(writeTimes(2));
        QVERIFY2(batches().other(), qPrintable(batches().problem()));
        QVERIFY(slider()->isVisible() && !named("otherBatch")->isVisible());
        QCOMPARE(slider()->value(), 1);
        const int most = slider()->maximum();
        QVERIFY(most > 4);
        QTest::mousePress(slider(), Qt::LeftButton, {}, handle(1));
        for (const int batch : {2, 5, 3, most, 4}) {
            dragTo(batch);
            const int shown = slider()->value();
            QVERIFY2(std::abs(shown - batch) <= 1 + most / 40, qPrintable(QString::number(shown)));
            QCOMPARE(named<QSpinBox>("batchField")->value(), shown);
            QTRY_VERIFY(batches().figures() && batches().figures()->batch == shown);
            const auto model = traced(shown);
            QCOMPARE(batches().figures()->keepAllPeakBytes, model->keepAll->peakBytes);
            QCOMPARE(batches().figures()->floorBytes, model->floor.bytes);
            const bool fits = model->keepAll->peakBytes <= document().budgetBytes();
            QCOMPARE(said("batchFigures").endsWith(QStringLiteral(", which fits.")), fits);
            if (const auto overhead = batches().figures()->overhead; overhead && !fits) {
                QVERIFY(batches().figures()->planPeakBytes <= document().budgetBytes());
                QVERIFY(*overhead > 0 && said("batchFigures").contains(QStringLiteral("more time")));
            }
        }
        QTest::mouseRelease(slider(), Qt::LeftButton, {}, handle(4));
        // Where none fits it is said, and more of them do not take longer: nothing is looked for.
        settle();
        const BatchLimits limits = *batches().limits();
        batches().moveTo(limits.withPlan + limits.withPlan / 50 + 1);
        settle();
        QVERIFY(!batches().figures()->overhead);
        QVERIFY2(said("batchFigures").contains(QStringLiteral("No quick plan fits")) ||
                     said("batchFigures").contains(QStringLiteral("no plan less than")),
                 qPrintable(said("batchFigures")));
        // Nothing else of the window has changed.
        QCOMPARE(document().model()->graph().storages.back().bytes, traced(1)->graph().storages.back().bytes);
    }

    void theLargestThatFitIsTold()
    {
        chooseOther(writeTimes(2));
        QTRY_VERIFY(batches().limits());
        settle();
        const BatchLimits limits = *batches().limits();
        const std::int64_t budget = document().budgetBytes();
        QCOMPARE(limits.asItIs, std::int64_t(3));
        QVERIFY(limits.withPlan > limits.asItIs);
        QVERIFY(traced(int(limits.withPlan))->floor.bytes <= budget);
        const auto peakOfShown = [&](std::int64_t batch) {
            const auto model = traced(int(batch));
            return simulate(model->graph(), *model->costs, document().currentPlan()->plan->steps)->peakBytes;
        };
        QVERIFY(peakOfShown(limits.thisPlan) <= budget && peakOfShown(limits.thisPlan + 1) > budget);
        QVERIFY2(
            said("batchLimits")
                .startsWith(QStringLiteral("Largest in this budget: 3 with everything kept, %1 ").arg(limits.withPlan)),
            qPrintable(said("batchLimits")));
        // They follow the budget.
        m_window->setBudget(budget / 3 * 2);
        settle();
        QCOMPARE(batches().limits()->asItIs, std::int64_t(2));
    }

    /// Two real traces that differ in the number of tokens alone.
    void aLengthIsDraggedLikewise()
    {
        m_window->openFile(traceOfLength(64));
        QTRY_VERIFY(m_window->session().loader.modelPath() == traceOfLength(64));
        settle();
        const auto shorter = document().model(), longer = opened(traceOfLength(96));
        // Room for all of the shorter step, and not for the longer one.
        m_window->setBudget((shorter->keepAll->peakBytes + longer->keepAll->peakBytes) / 2);
        settle();
        chooseOther(traceOfLength(96));
        QVERIFY2(batches().other(), qPrintable(batches().problem()));
        QCOMPARE(slider()->accessibleName(), QStringLiteral("Length"));
        QCOMPARE(slider()->value(), 64);

        QTRY_VERIFY(batches().limits());
        settle();
        const std::int64_t budget = document().budgetBytes();
        const BatchLimits limits = *batches().limits();
        QCOMPARE(limits.most, std::int64_t(96)); // beyond both traces nothing is claimed
        QVERIFY(limits.asItIs >= 64 && limits.asItIs < 96);
        const bool longestHasPlan = longer->floor.bytes <= budget;
        QVERIFY(longestHasPlan ? limits.withPlan > limits.asItIs : limits.withPlan < 96);
        const auto replayed = [&](const CostedModel &model) {
            return simulate(model.graph(), *model.costs, document().currentPlan()->plan->steps)->peakBytes;
        };
        QVERIFY(limits.thisPlan >= 64 && replayed(*shorter) <= budget);
        QCOMPARE(limits.thisPlan == 96, replayed(*longer) <= budget);
        QVERIFY2(said("batchLimits")
                     .endsWith(QStringLiteral("The plan shown fits up to %1.")
                                   .arg(limits.thisPlan == 96 ? QStringLiteral("96 or more")
                                                              : QString::number(limits.thisPlan))),
                 qPrintable(said("batchLimits")));

        QTest::mousePress(slider(), Qt::LeftButton, {}, handle(64));
        for (const int length : {96, 32, 64}) {
            dragTo(length);
            slider()->setValue(length); // a pixel is more than a token
            QTRY_VERIFY(batches().figures() && batches().figures()->batch == length);
            const BatchFigures &figures = *batches().figures();
            if (length != 32) {
                const CostedModel &real = length == 96 ? *longer : *shorter;
                QCOMPARE(figures.keepAllPeakBytes, real.keepAll->peakBytes);
                QCOMPARE(figures.floorBytes, real.floor.bytes);
            }
            QCOMPARE(figures.keepAllPeakBytes <= budget, length < 96);
            QVERIFY2(
                said("batchFigures").startsWith(QStringLiteral("Length at %1: everything kept takes ").arg(length)),
                qPrintable(said("batchFigures")));
            QCOMPARE(said("batchFigures").endsWith(QStringLiteral(", which fits.")), length < 96);
            if (length == 96 && figures.overhead) {
                QVERIFY(figures.planPeakBytes <= budget);
                QVERIFY(said("batchFigures").contains(QStringLiteral("more time")));
            }
        }
        QTest::mouseRelease(slider(), Qt::LeftButton, {}, handle(64));
    }

    void whatIsNoSecondTraceIsSaid()
    {
        chooseOther(fixture::writeChain(m_folder, 5));
        QVERIFY2(said("batchFigures").contains(QStringLiteral("not the same step")), qPrintable(said("batchFigures")));
        QVERIFY(named("otherBatch")->isVisible() && !slider()->isVisible());
        chooseOther(writeTimes(2));
        QVERIFY(slider()->isVisible());
        openChain(8); // another model forgets it
        QTRY_VERIFY(!batches().other() && !slider()->isVisible());
        QVERIFY(said("batchFigures").isEmpty() || !named("batchFigures")->isVisible());
    }
};

QTEST_MAIN(TestBatchBox)
#include "tst_batch_box.moc"
