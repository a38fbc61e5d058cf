// SPDX-License-Identifier: Apache-2.0
// What the strip of messages says of a file that was opened; what is open stays as it was.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "tests/core/archive_fixture.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestMessages : public QObject, fixture::InWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        openChain(12);
    }

    void whatATraceDoesNotSayIsACaveat()
    {
        QFile file(m_folder.filePath(QStringLiteral("foreign.pt2")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(test::zipOf(test::tinyEntries(test::tinyModel(false)))));
        file.close();
        m_window->openFile(file.fileName());
        QTRY_VERIFY(m_window->messages()->isVisible());
        QVERIFY2(m_window->messages()->sentence().startsWith(QStringLiteral("Another tracer")),
                 qPrintable(m_window->messages()->sentence()));
        const QImage strip = m_window->messages()->grab().toImage();
        QCOMPARE(strip.pixelColor(strip.width() / 2, 4), Theme::instance().color(Token::WarnSoft));
    }

    /// A message lies over the views: nothing below the mouse moves when it comes, and it is of its model only.
    void aMessageMovesNothing()
    {
        const auto places = [this] {
            QList<QRect> all;
            for (const QWidget *widget : m_window->findChildren<QWidget *>())
                if (widget->isVisible() && widget != m_window->messages() &&
                    !m_window->messages()->isAncestorOf(widget) && widget->inherits("QAbstractButton"))
                    all << QRect(widget->mapTo(m_window.get(), QPoint()), widget->size());
            return all;
        };
        const QList<QRect> before = places();
        m_window->openFile(m_folder.filePath(QStringLiteral("not there.pt2")));
        QTRY_VERIFY(m_window->messages()->isVisible());
        QTest::qWait(50);
        QCOMPARE(places(), before);
    }

    /// What cannot be opened is named by its head and not by its ending, and what is open stays.
    void whatIsNoModelIsNamed_data()
    {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QString>("said");
        QTest::newRow("snapshot") << QByteArray::fromHex("80047d94288c08") + "segments total_size"
                                  << "model.pt2 is a CUDA memory snapshot of PyTorch. ";
        QTest::newRow("profiler") << QByteArray("{\"traceEvents\": []}") << "model.pt2 is a trace of a profiler";
        QTest::newRow("timeline") << QByteArray("[[-1, 1, 65536, 0]]") << "model.pt2 is a memory timeline of PyTorch";
        QTest::newRow("node-link") << QByteArray("{\"directed\": true, \"multigraph\": false}")
                                   << "model.pt2 is a graph in node-link form";
        QTest::newRow("dot") << QByteArray("digraph g { a -> b }") << "model.pt2 is a drawing of a graph";
        QTest::newRow("torchtitan") << QByteArray("[job]\nfolder = 1\n")
                                    << "model.pt2 is a file of settings for torchtitan";
        QTest::newRow("tensorboard") << QByteArray::fromHex("180000000000000001020304") + "brain.Event:2"
                                     << "model.pt2 is an event file of TensorBoard. ";
        QTest::newRow("torn archive") << QByteArray("PK\3\4model") << "model.pt2 is an archive whose end is missing";
        QTest::newRow("packed") << QByteArray::fromHex("28b52ffd0458") << "model.pt2 is packed. Unpack it";
        QTest::newRow("configuration") << QByteArray("{\"model_type\": \"gpt2\"}")
                                       << "model.pt2 is the configuration of a model of transformers. ";
        QTest::newRow("other JSON") << QByteArray("{\"version\": 1}")
                                    << "model.pt2 is JSON of a kind that is not known";
        QTest::newRow("nothing") << QByteArray() << "model.pt2 is empty";
    }

    void whatIsNoModelIsNamed()
    {
        QFETCH(QByteArray, head);
        QFETCH(QString, said);
        QFile file(m_folder.filePath(QStringLiteral("model.pt2")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(head);
        file.close();
        const auto before = document().model();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file.fileName())});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &event);
        QTRY_VERIFY(m_window->messages()->isVisible());
        QVERIFY2(m_window->messages()->sentence().startsWith(said), qPrintable(m_window->messages()->sentence()));
        QCOMPARE(document().model(), before);
    }

    void whatAModelCheckpointsItselfIsSaid()
    {
        m_window->openFile(QStringLiteral(REMAT_TEST_DATA "/traces/checkpointed.pt2"));
        QTRY_VERIFY(m_window->messages()->isVisible());
        const QString said = m_window->messages()->sentence();
        QVERIFY2(said.startsWith(QStringLiteral("The model checkpoints its activations itself: today a step holds ")),
                 qPrintable(said));
        QTRY_VERIFY(m_window->idle());
        for (auto *button : m_window->messages()->findChildren<QAbstractButton *>())
            if (button->isVisible() && button->text() == QStringLiteral("Show as a plan"))
                QTest::mouseClick(button, Qt::LeftButton);
        const auto plan = document().currentPlan();
        QVERIFY(plan && plan->title == "As the model does it today");
        QVERIFY(plan->timeline->peakBytes < document().model()->keepAll->peakBytes);
        QVERIFY2(said.contains(memoryText(plan->timeline->peakBytes)), qPrintable(said));
    }
};

QTEST_MAIN(TestMessages)
#include "tst_messages.moc"
