// SPDX-License-Identifier: Apache-2.0
// Puzzles in the real window: each is played to its proven best by clicks and keys, and what goes wrong is said.
#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/lessons/lessons.h"
#include "app/studio/shell/puzzles/puzzle_list.h"
#include "app/studio/shell/puzzles/puzzle_window.h"
#include "app/studio/shell/puzzles/puzzles.h"
#include "app/studio/shell/start_page/start_rows.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "core/base/units.h"
#include "core/teaching/puzzles/puzzle_json.h"
#include "core/teaching/puzzles/tight_place.h"
#include "tests/studio/cut_off.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

using namespace remat;
using namespace remat::studio;

namespace {

constexpr int kPatience = 600000; // a busy machine proves slowly

} // namespace

class TestPuzzlesWindow : public QObject, fixture::InWindow
{
    Q_OBJECT

    std::vector<Puzzle> m_puzzles;

    Puzzles &puzzles() { return m_window->puzzles(); }
    PuzzleWindow *window() { return puzzles().window(); }
    PuzzleRun &run() { return window()->run(); }

    void open(const std::string &name)
    {
        QVERIFY(m_window->openPuzzle(QString::fromStdString(name)));
        QVERIFY(window() && window()->isVisible());
        QVERIFY(QTest::qWaitForWindowExposed(window()));
    }

    QString sentence() { return window()->findChild<QLabel *>(QStringLiteral("puzzleSentence"))->text(); }

    PuzzleItem *item(const QString &name)
    {
        auto *found = window()->findChild<PuzzleItem *>(name);
        if (!found) qFatal("%s", qPrintable(name));
        return found;
    }
    PuzzleItem *itemOf(const PuzzleMove &move)
    {
        return move.step.kind == StepKind::Compute ? window()->board()->itemOf(move.step.op)
                                                   : window()->board()->itemOf(move.step.storage);
    }

    /// As a person does, with the mouse.
    void click(const PuzzleMove &move)
    {
        PuzzleItem *target = itemOf(move);
        target->setFocus(); // what is focused is scrolled to
        const bool other = move.top || move.step.kind == StepKind::Offload;
        QTest::mouseClick(target, other ? Qt::RightButton : Qt::LeftButton);
    }
    /// Or with keys.
    void press(const PuzzleMove &move)
    {
        const Qt::Key keys[] = {move.top ? Qt::Key_T : Qt::Key_C, Qt::Key_F, Qt::Key_O, Qt::Key_B};
        itemOf(move)->setFocus();
        QTest::keyClick(itemOf(move), keys[static_cast<std::size_t>(move.step.kind)]);
    }
    void button(const char *name)
    {
        auto *found = window()->findChild<StudioButton *>(QLatin1String(name));
        QVERIFY2(found && found->isEnabled(), name);
        QTest::mouseClick(found, Qt::LeftButton);
    }

    void rows()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_puzzles.size(); ++i)
            QTest::newRow(m_puzzles[i].name.c_str()) << static_cast<int>(i);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_puzzles = readPuzzles();
        QCOMPARE(m_puzzles.size(), 25U);
    }
    void init() { openFresh(); }

    void itsSolutionReachesTheBest_data() { rows(); }
    void itsSolutionReachesTheBest()
    {
        QFETCH(int, index);
        const Puzzle &puzzle = m_puzzles[static_cast<std::size_t>(index)];
        open(puzzle.name);
        for (std::size_t i = 0; i < puzzle.solution.size(); ++i) {
            if (i % 2 == 0)
                click(puzzle.solution[i]);
            else
                press(puzzle.solution[i]);
            QVERIFY2(run().play().moves().size() == i + 1, qPrintable(sentence()));
        }
        QVERIFY(run().finished());
        QCOMPARE(run().score().stars, 3);
        QVERIFY(run().score().figures == *puzzle.optimum);
        QCOMPARE(window()->findChild<QLabel *>(QStringLiteral("puzzleStars"))->text(), starsText(3));
        QVERIFY2(sentence().startsWith(QStringLiteral("Done, and proven")), qPrintable(sentence()));
        QCOMPARE(keptTries(puzzle).size(), 1U);
        QCOMPARE(bestStars(puzzle), 3);
    }

    void aWrongMoveSaysWhy()
    {
        open("chain2");
        QTest::mouseClick(item(QStringLiteral("puzzleOp.f2")), Qt::LeftButton);
        QCOMPARE(sentence(), QStringLiteral("f2 needs a_f1, which f1 makes: compute that first."));
        QVERIFY(run().play().moves().empty());
        QTest::mouseClick(item(QStringLiteral("puzzleOp.f1")), Qt::LeftButton);
        QTest::mouseClick(item(QStringLiteral("puzzleStorage.a_f1")), Qt::LeftButton);
        QTest::mouseClick(item(QStringLiteral("puzzleOp.f2")), Qt::LeftButton);
        QCOMPARE(sentence(), QStringLiteral("f2 needs a_f1, which you freed: compute f1 again first."));
        QTest::mouseClick(item(QStringLiteral("puzzleStorage.a_f1")), Qt::RightButton);
        QCOMPARE(sentence(), QStringLiteral("This puzzle has no link to host memory."));
        QCOMPARE(item(QStringLiteral("puzzleStorage.a_f1"))->accessibleName(),
                 QStringLiteral("a_f1, storage, 100 MiB, freed"));
    }

    void undoAndRedo()
    {
        open("chain2");
        QTest::mouseClick(item(QStringLiteral("puzzleOp.f1")), Qt::LeftButton);
        button("puzzleUndo");
        QVERIFY(run().play().moves().empty());
        button("puzzleRedo");
        QCOMPARE(run().position().heldBytes, 100 * kMiB);
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY(run().play().moves().empty());
        QTest::mouseClick(item(QStringLiteral("puzzleOp.f1")), Qt::LeftButton);
        button("puzzleRestart");
        QVERIFY(!run().play().canUndo() && !run().play().canRedo());
    }

    void keysGoFromOneToTheNext()
    {
        open("chain2");
        QVERIFY(item(QStringLiteral("puzzleOp.f1"))->hasFocus());
        QTest::keyClick(item(QStringLiteral("puzzleOp.f1")), Qt::Key_Return);
        QCOMPARE(run().play().moves().size(), 1U);
        QTest::keyClick(item(QStringLiteral("puzzleOp.f1")), Qt::Key_Right);
        QVERIFY(item(QStringLiteral("puzzleStorage.a_f1"))->hasFocus());
        QTest::keyClick(item(QStringLiteral("puzzleStorage.a_f1")), Qt::Key_Space);
        QCOMPARE(run().position().heldBytes, 0);
        QTest::keyClick(item(QStringLiteral("puzzleStorage.a_f1")), Qt::Key_Left);
        QTest::keyClick(item(QStringLiteral("puzzleOp.f1")), Qt::Key_Down);
        QVERIFY(item(QStringLiteral("puzzleOp.f2"))->hasFocus());
    }

    void hints()
    {
        open("chain2");
        button("puzzleCut");
        QCOMPARE(sentence(),
                 QString::fromStdString(tightSentence(run().puzzle(), tightPlace(run().puzzle(), run().position()))));
        QVERIFY2(sentence().contains(QStringLiteral("that nobody needs before")), qPrintable(sentence()));
        // Whoever follows the hints to the end reaches the best.
        for (int i = 0; i < 100 && !run().finished(); ++i) {
            button("puzzleHint");
            QTRY_VERIFY_WITH_TIMEOUT(!run().thinking() && run().proposed(), kPatience);
            QVERIFY2(sentence().startsWith(QStringLiteral("Next: ")), qPrintable(sentence()));
            click(*run().proposed());
        }
        QCOMPARE(run().score().stars, 3);
        QVERIFY(keptTries(run().puzzle()).back().hints > 0);
    }

    void aDeadEndIsSaid()
    {
        open("chain1"); // every op once
        QTest::mouseClick(item(QStringLiteral("puzzleOp.f1")), Qt::LeftButton);
        QTest::mouseClick(item(QStringLiteral("puzzleStorage.a_f1")), Qt::LeftButton);
        button("puzzleHint");
        QTRY_VERIFY_WITH_TIMEOUT(sentence().startsWith(QStringLiteral("From here no way leads")), kPatience);
    }

    void theListShowsStars()
    {
        const Puzzle &puzzle = m_puzzles[1];
        keepTry(puzzle, {*puzzle.optimum, 3, 0});
        puzzles().showList();
        auto *list = m_window->findChild<PuzzleList *>();
        QVERIFY(list && list->isVisible());
        auto *row = list->findChild<HelpRow *>(QStringLiteral("puzzle.chain2"));
        QVERIFY(row);
        QCOMPARE(row->accessibleDescription(), QStringLiteral("3 stars of three"));
        QCOMPARE(list->findChildren<HelpRow *>().size(), 25);
        QTest::mouseClick(row, Qt::LeftButton);
        QTRY_VERIFY(window() && window()->isVisible());
        QCOMPARE(run().puzzle().name, std::string("chain2"));
        button("puzzleNext");
        QTRY_COMPARE(run().puzzle().name, std::string("chain3"));
    }

    void triesAreExportedWithoutNames()
    {
        const Puzzle &puzzle = m_puzzles[1];
        keepTry(puzzle, {*puzzle.optimum, 3, 2});
        QTemporaryDir folder;
        m_window->lessons().saveProgress(folder.filePath(QStringLiteral("p.json")));
        QFile json(folder.filePath(QStringLiteral("p.json")));
        QVERIFY(json.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(json.readAll()).object()[QStringLiteral("puzzles")].toArray();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].toObject()[QStringLiteral("puzzle")].toString(), QStringLiteral("chain2"));
        QCOMPARE(rows[0].toObject()[QStringLiteral("hints")].toInt(), 2);
        m_window->lessons().saveProgress(folder.filePath(QStringLiteral("p.csv")));
        QFile csv(folder.filePath(QStringLiteral("p.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QVERIFY(csv.readAll().contains("puzzle/chain2,1,puzzle,1,1,2,1\n"));
    }

    void aFileIsOpenedAndABadOneIsSaid()
    {
        QTemporaryDir folder;
        Puzzle puzzle = m_puzzles[1];
        puzzle.graphFile.clear();
        const auto write = [&folder](const char *name, const std::string &text) {
            QFile file(folder.filePath(QLatin1String(name)));
            if (!file.open(QIODevice::WriteOnly)) qFatal("%s", name);
            file.write(QByteArray::fromStdString(text));
            return file.fileName();
        };
        m_window->openFile(write("mine.json", puzzleFileText(puzzle)));
        QVERIFY(window() && window()->isVisible());
        QCOMPARE(run().puzzle().name, std::string("mine"));
        std::string bad = puzzleFileText(puzzle);
        bad.replace(bad.find("\"budget_bytes\": "), 16, "\"budget_bytes\": -");
        m_window->openFile(write("bad.json", bad));
        const QString said = m_window->messages()->findChild<QLabel *>()->text();
        QVERIFY2(said.startsWith(QStringLiteral("bad.json, line ")) && said.contains(QStringLiteral("budget_bytes")),
                 qPrintable(said));
    }

    void aFileWithoutABestIsProven()
    {
        QTemporaryDir folder;
        const auto openFile = [&](const char *name, const Puzzle &puzzle) {
            const QString path =
                test::written(folder.filePath(QLatin1String(name)), QByteArray::fromStdString(puzzleFileText(puzzle)));
            m_window->openFile(path);
        };
        const auto label = [this](const char *name) { return window()->findChild<QLabel *>(QLatin1String(name)); };
        Puzzle mine = m_puzzles[1];
        const PuzzleFigures best = *mine.optimum;
        mine.graphFile.clear();
        mine.optimum.reset();
        mine.solution.clear();
        mine.parUs = 0;
        openFile("mine.json", mine);
        QVERIFY(window() && !run().puzzle().optimum);
        QVERIFY2(label("puzzleProof")->text().startsWith(QStringLiteral("Proving the best play")),
                 qPrintable(label("puzzleProof")->text()));
        QCOMPARE(label("puzzleBest.1")->text(), dash());
        QTRY_VERIFY_WITH_TIMEOUT(!run().proving(), kPatience);
        QVERIFY(run().puzzle().optimum == best);
        QCOMPARE(label("puzzleBest.1")->text(), timeText(best.extraUs));
        QVERIFY2(label("puzzleProof")->text().contains(QStringLiteral("proven just now")),
                 qPrintable(label("puzzleProof")->text()));
        const QString kept = folder.filePath(QStringLiteral("kept.json"));
        puzzles().save(kept);
        QVERIFY(readPuzzle(kept.toStdString())->optimum == best); // the proof can be kept
        for (const PuzzleMove &move : std::vector(run().puzzle().solution))
            click(move);
        QCOMPARE(run().score().stars, 3);
        // What cannot be done at all is said, too.
        Puzzle tight = m_puzzles[0];
        tight.graphFile.clear();
        tight.optimum.reset();
        tight.solution.clear();
        tight.budgetBytes -= kMiB;
        openFile("tight.json", tight);
        QTRY_VERIFY_WITH_TIMEOUT(!run().proving(), kPatience);
        QVERIFY2(label("puzzleProof")->text().startsWith(QStringLiteral("No play reaches every result")),
                 qPrintable(label("puzzleProof")->text()));
    }

    void aClusterBecomesAPuzzle()
    {
        QVERIFY(m_window->openSample(QStringLiteral("tiny_transformer")));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->idle() && m_window->session().document.model(), kPatience);
        QAction *make = m_window->commands().find(QStringLiteral("puzzle.make"));
        QVERIFY(!make->isEnabled());
        const auto &partition = m_window->session().document.model()->open->modules;
        std::string path;
        for (const Cluster &cluster : partition.clusters) {
            const auto ops =
                allOps(partition, ClusterId(static_cast<std::size_t>(&cluster - partition.clusters.data())));
            if (ops.size() >= 12 && ops.size() <= 40 && path.empty()) path = cluster.path;
        }
        QVERIFY(!path.empty());
        Q_EMIT m_window->workspace()->graph()->clusterSelected(QString::fromStdString(path));
        QVERIFY(make->isEnabled());
        make->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window() && window()->isVisible(), kPatience);
        QVERIFY(run().puzzle().optimum && run().puzzle().optimum->extraUs > 0);
        for (const PuzzleMove &move : run().puzzle().solution)
            click(move);
        QCOMPARE(run().score().stars, 3);
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("made.json"));
        puzzles().save(file);
        QVERIFY(readPuzzle(file.toStdString()));
    }

    void itFits_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QSize>("size");
        for (const char *name : {"chain2", "copies2", "places2", "transformer"}) {
            QTest::addRow("%s 1280", name) << QString::fromLatin1(name) << QSize(1280, 800);
            QTest::addRow("%s 1920", name) << QString::fromLatin1(name) << QSize(1920, 1080);
        }
    }
    void itFits()
    {
        QFETCH(QString, name);
        QFETCH(QSize, size);
        open(name.toStdString());
        window()->resize(size);
        QCoreApplication::processEvents();
        QVERIFY2(window()->size() == size, "the window is no larger than the screen");
        const QStringList cut = fixture::cutOff(*window());
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
        for (const PuzzleItem *each : window()->board()->items()) {
            QVERIFY2(!each->accessibleName().isEmpty(), qPrintable(each->objectName()));
            QVERIFY2(window()->board()->rect().contains(each->geometry()), qPrintable(each->objectName()));
        }
    }

    void itLooksAsItDid_data() { fixture::lookRows({{"", QSize(1180, 740)}}); }
    void itLooksAsItDid()
    {
        QFETCH(int, scheme);
        QFETCH(QSize, size);
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
        open("towers2");
        window()->resize(size);
        const auto &solution = run().puzzle().solution;
        for (std::size_t i = 0; i < solution.size() / 3; ++i)
            click(solution[i]);
        keepTry(run().puzzle(), {*run().puzzle().optimum, 3, 0});
        PuzzleFigures worse = *run().puzzle().optimum;
        worse.extraUs += 2000;
        keepTry(run().puzzle(), {worse, 2, 0});
        window()->findChild<PuzzleHistogram *>()->showState();
        button("puzzleCut");
        window()->board()->items().front()->setFocus();
        QCoreApplication::processEvents();
        const QString name =
            QStringLiteral("puzzle_%1.png")
                .arg(scheme == static_cast<int>(Scheme::Light) ? QStringLiteral("light") : QStringLiteral("dark"));
        const QString different = fixture::goldenDifference(window()->grab().toImage(), name);
        Theme::instance().setScheme(Scheme::Light);
        QVERIFY2(different.isEmpty(), qPrintable(different));
    }
};

QTEST_MAIN(TestPuzzlesWindow)
#include "tst_puzzles.moc"
