// SPDX-License-Identifier: Apache-2.0
// Models that were closed, moved or written anew, and sessions: the work on them is kept.
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/pages_test.h"

using namespace remat;
using namespace remat::studio;

class TestKeptModels : public QObject, fixture::InPages
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("REMAT_NO_ANIMATION", "1"); }
    void init() { begin(); }
    void cleanup() { m_window.reset(); }

    void aClosedModelComesBack()
    {
        open(12);
        work(4);
        const fixture::Work first = seen();
        open(9);
        work(2);
        const fixture::Work second = seen();
        command("closeModel")->trigger();
        QVERIFY(seen() == first);
        QVERIFY(!stripSeen());
        command("closeModel")->trigger();
        QVERIFY(!document().model());
        QVERIFY(!m_window->workspace()->shown());    // the start page
        QVERIFY(!m_window->messages()->isVisible()); // nothing is lost, so nothing is asked
        command("reopenClosed")->trigger();
        QVERIFY(seen() == first);
        QVERIFY(m_window->workspace()->shown());
        command("undo")->trigger();
        QVERIFY(!(seen() == first));
        command("redo")->trigger();
        command("reopenClosed")->trigger();
        QVERIFY(seen() == second);
        // By the middle button, and over the end of the program.
        QTest::mouseClick(bar(), Qt::MiddleButton, {}, bar()->tabRect(0).center());
        QCOMPARE(pages().tabs().size(), std::size_t(1));
        closeWindow();
        openWindow();
        command("reopenClosed")->trigger(); // nothing was closed here, so the last session
        QTRY_VERIFY(document().model());
        waitIdle();
        QVERIFY(seen() == second);
        command("reopenClosed")->trigger();
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == first);
    }

    void aModelThatIsMissingKeepsItsPlans()
    {
        open(12);
        work(4);
        const fixture::Work missing = seen();
        open(9);
        work(2);
        const fixture::Work there = seen();
        closeWindow();
        const QString path = m_folder.filePath(QStringLiteral("chain12.json"));
        QVERIFY(QFile::rename(path, path + QStringLiteral(".away")));
        for (int round = 0; round < 2; ++round) { // its plans are in the next session too
            openWindow();
            command("reopenLast")->trigger();
            QTRY_VERIFY(document().model());
            QVERIFY(seen() == there);
            QTRY_VERIFY(m_window->messages()->isVisible());
            QVERIFY2(m_window->messages()->sentence().contains(QStringLiteral("chain12.json")),
                     qPrintable(m_window->messages()->sentence()));
            QVERIFY(m_window->messages()->findChild<QAbstractButton *>(QStringLiteral("messageAction"))->isVisible());
            QVERIFY(!pages().tabs().front().problem.isEmpty());
            QCOMPARE(pages().tabs().front().plans, 4);
            if (round == 0) closeWindow();
        }
        pages().show(pages().tabs().front().id); // still not there
        waitIdle();
        QVERIFY(seen() == there);
        QVERIFY(m_window->messages()->isVisible());
        pages().open(pages().tabs().front().id, path + QStringLiteral(".away"));
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == missing);
        QVERIFY(QFile::rename(path + QStringLiteral(".away"), path));
    }

    void theShownOneMayBeMissingToo()
    {
        open(9);
        work(2);
        const fixture::Work there = seen();
        open(12);
        closeWindow();
        QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("chain12.json"))));
        openWindow();
        command("reopenLast")->trigger();
        QTRY_VERIFY(document().model());
        QVERIFY(seen() == there);
        QVERIFY(m_window->messages()->isVisible());
    }

    void aFileThatWasWrittenAnewKeepsItsPlans()
    {
        open(12);
        work(3);
        const std::vector<int> before = seen().plans;
        QTest::qWait(20); // another time of its last change
        m_window->openFile(fixture::writeChain(m_folder, 12));
        waitIdle();
        QCOMPARE(pages().tabs().size(), std::size_t(1));
        QCOMPARE(seen().plans, before);
        // Another graph under the same name is another model.
        QVERIFY(QFile::remove(m_folder.filePath(QStringLiteral("chain12.json"))));
        fixture::writeChain(m_folder, 9);
        QVERIFY(QFile::copy(m_folder.filePath(QStringLiteral("chain9.json")),
                            m_folder.filePath(QStringLiteral("chain12.json"))));
        m_window->openFile(m_folder.filePath(QStringLiteral("chain12.json")));
        QTRY_COMPARE(pages().tabs().size(), std::size_t(2));
        waitIdle();
        pages().showNext(1);
        QCOMPARE(seen().plans, before);
    }

    void anOlderSessionOpens()
    {
        for (const char *name : {"chain.json", "one_model.rematsession"})
            QVERIFY(QFile::copy(QStringLiteral(REMAT_TEST_DATA "/sessions/") + QLatin1String(name),
                                m_folder.filePath(QLatin1String(name))));
        m_window->openFile(m_folder.filePath(QStringLiteral("one_model.rematsession")));
        QTRY_VERIFY(document().model());
        waitIdle();
        QCOMPARE(document().plans().size(), std::size_t(3));
        QCOMPARE(document().budgetBytes(), 6606387);
        QCOMPARE(document().pins().keep.size(), std::size_t(1));
        QCOMPARE(m_window->session().solver.jobs().size(), std::size_t(2));
        QCOMPARE(m_window->session().loader.modelPath(), m_folder.filePath(QStringLiteral("chain.json")));
    }

    void whatCannotBeKeptIsAskedAbout()
    {
        open(12);
        work(2);
        QTRY_VERIFY(m_window->autosave().lastSaved().isValid());
        // A full or read-only disk: the folder is a file now.
        QVERIFY(QDir(keptSessionsFolder()).removeRecursively());
        QFile wall(keptSessionsFolder());
        QVERIFY(wall.open(QIODevice::WriteOnly));
        wall.close();
        document().setBudget(document().budgetBytes() + 1);
        QTRY_VERIFY(m_window->messages()->isVisible()); // said at once, not at the end
        QString asked;
        const auto answer = [&](const char *part) {
            QTimer::singleShot(0, this, [&asked, part] {
                auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
                if (!box) return;
                asked = box->text();
                for (QAbstractButton *button : box->buttons())
                    if (button->text().remove(QLatin1Char('&')).contains(QLatin1String(part))) return button->click();
                box->reject();
            });
        };
        answer("Cancel");
        QVERIFY(!m_window->close());
        QVERIFY2(asked.contains(QStringLiteral("cannot be kept")), qPrintable(asked));
        QVERIFY(m_window->isVisible());
        QCOMPARE(seen().plans.size(), std::size_t(2));
        QVERIFY(QFile::remove(keptSessionsFolder()));
        QVERIFY(QDir().mkpath(keptSessionsFolder()));
        asked.clear();
        closeWindow(); // there is room again, so nothing is asked
        QVERIFY(asked.isEmpty());
        QVERIFY(lastSession().has_value());
    }

    void aSessionDoesNotReplaceTheOneBefore()
    {
        open(12);
        work(5);
        const fixture::Work first = seen();
        closeWindow();
        openWindow();
        open(9); // only looked at
        closeWindow();
        QCOMPARE(lastSession()->plans, 5); // there is more to come back to
        openWindow();
        open(9);
        work(2);
        closeWindow();
        QCOMPARE(lastSession()->plans, 2);
        openWindow();
        command("reopenLast")->trigger();
        QTRY_VERIFY(document().model());
        command("reopenClosed")->trigger();
        QTRY_COMPARE(document().model()->graph().ops.size(), std::size_t(25));
        QVERIFY(seen() == first);
    }

    void unchangedModelsAreNotWrittenAnew()
    {
        open(12);
        work(kPlans);
        open(9);
        const SessionState one = pages().state();
        document().setBudget(document().budgetBytes() + 1);
        const SessionState two = pages().state();
        QCOMPARE(one.models.front(), two.models.front());
        QVERIFY(one.models.back() != two.models.back());
        SessionTexts texts;
        const QString folder = m_folder.path();
        QCOMPARE(texts.of(one.models.front(), folder), texts.of(two.models.front(), folder));
        pages().showNext(1);
        document().setBudget(document().budgetBytes() + 1);
        pages().showNext(1);
        QVERIFY(pages().state().models.front() != one.models.front());
    }
};

QTEST_MAIN(TestKeptModels)
#include "tst_kept_models.moc"
