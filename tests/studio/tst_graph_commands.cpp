// SPDX-License-Identifier: Apache-2.0
// Commands of the graph in the real window, and its state among those that undo and sessions keep.
#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestGraphCommands : public QObject, fixture::InWindow
{
    Q_OBJECT

    GraphView &graph() { return *m_window->workspace()->graph(); }
    ViewStates &states() { return m_window->session().viewStates; }
    QAction *action(const char *id) { return m_window->commands().find(QString::fromLatin1(id)); }
    void settle() { QTRY_VERIFY(m_window->idle() && !graph().layoutPending()); }
    void key(int key)
    {
        QTest::keyClick(graph().canvas(), static_cast<Qt::Key>(key));
        settle();
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (const char *id :
             {"openAll", "closeAll", "followProducer", "followReader", "colourNext", "clusterBranches"})
            QVERIFY2(!action(id)->isEnabled(), id);
        if (!m_window->openSample(QStringLiteral("tiny_gpt2"))) QFAIL("The samples are not installed.");
        QTRY_VERIFY(document().model() && m_window->idle());
    }

    void bracketsFollowTheData()
    {
        const Graph &ops = document().model()->graph();
        OpId start;
        for (std::size_t i = 0; i < ops.ops.size() && !start; ++i)
            if (ops.ops[i].kind == "tanh") start = OpId(i);
        graph().reveal(start);
        settle();
        key(Qt::Key_BracketRight);
        const OpId reader = document().selection().op;
        QVERIFY(reader.index() > start.index());
        const auto &inputs = ops.op(reader).inputs;
        QVERIFY(std::any_of(inputs.begin(), inputs.end(),
                            [&](StorageId input) { return ops.storage(input).producer == start; }));
        graph().reveal(start);
        settle();
        key(Qt::Key_BracketLeft);
        const OpId maker = document().selection().op;
        QVERIFY(maker.index() < start.index());
    }

    void branchesGoBesideAndBelow()
    {
        // The embeddings of words and of positions.
        const QString cluster = QStringLiteral("transformer");
        const Graph &ops = document().model()->graph();
        const auto found =
            std::find_if(ops.ops.begin(), ops.ops.end(), [](const Op &op) { return op.module == "transformer.wpe"; });
        QVERIFY(found != ops.ops.end());
        graph().reveal(OpId(static_cast<std::size_t>(found - ops.ops.begin())));
        settle();
        const auto beside = [&] { return !graph().scene().picture.lanes.empty(); };
        QVERIFY(action("graphBranches")->isChecked() && beside());
        QSignalSpy touched(&states(), &ViewStates::touched);
        key(Qt::Key_B);
        QVERIFY(!action("graphBranches")->isChecked() && !beside());
        QCOMPARE(touched.size(), 1);
        const QJsonObject kept = states().save();
        key(Qt::Key_B);
        QVERIFY(action("graphBranches")->isChecked() && beside());
        states().restore(kept);
        settle();
        QVERIFY(!action("graphBranches")->isChecked() && !beside());
        // One cluster, by its own key, while all others are columns.
        graph().revealPath(cluster);
        settle();
        QTest::keyClick(graph().canvas(), Qt::Key_B, Qt::ShiftModifier);
        settle();
        QVERIFY(!action("graphBranches")->isChecked() && beside());
    }

    void coloursGoRound()
    {
        QSignalSpy touched(&states(), &ViewStates::touched);
        for (std::size_t i = 1; i <= colourChoices().size(); ++i) {
            key(Qt::Key_C);
            QCOMPARE(graph().colourBy(), colourChoices()[i % colourChoices().size()]);
        }
        QCOMPARE(touched.size(), static_cast<qsizetype>(colourChoices().size()));
        QCOMPARE(touched.front().front().toString(), QStringLiteral("graph"));
    }

    void everythingOpensAndCloses()
    {
        QSignalSpy touched(&states(), &ViewStates::touched);
        const auto few = graph().visibleItems().size();
        action("openAll")->trigger();
        settle();
        const auto all = graph().visibleItems().size();
        QVERIFY(all > few);
        action("closeAll")->trigger();
        settle();
        QVERIFY(graph().visibleItems().size() < few);
        QCOMPARE(touched.size(), 2);
    }

    void stateComesBackWithTheTreeBesideIt()
    {
        action("openAll")->trigger();
        settle();
        graph().setColourBy(ColourBy::Bytes);
        const QJsonObject kept = states().save()[QStringLiteral("graph")].toObject();
        QVERIFY(!kept.isEmpty());
        m_window->workspace()->leftPanel()->setHierarchy(Hierarchy::Partition);
        settle();
        QCOMPARE(graph().hierarchy(), Hierarchy::Partition);
        QSignalSpy touched(&states(), &ViewStates::touched);
        states().restore({{QStringLiteral("graph"), kept}});
        settle();
        QCOMPARE(touched.size(), 0);
        QCOMPARE(graph().hierarchy(), Hierarchy::Modules);
        QCOMPARE(m_window->workspace()->leftPanel()->hierarchy(), Hierarchy::Modules);
        QCOMPARE(graph().colourBy(), ColourBy::Bytes);
        QCOMPARE(graph().saveState()[QStringLiteral("open")], kept[QStringLiteral("open")]);
    }

    void choicesOutliveTheWindow()
    {
        QVERIFY(graph().details()->wanted());
        key(Qt::Key_I);
        QVERIFY(!graph().details()->wanted());
        action("wheelZooms")->trigger();
        QVERIFY(graph().canvas()->wheelZooms());
        m_window = std::make_unique<MainWindow>();
        QVERIFY(!graph().details()->wanted());
        QVERIFY(!action("details")->isChecked());
        QVERIFY(graph().canvas()->wheelZooms());
    }
};

QTEST_MAIN(TestGraphCommands)
#include "tst_graph_commands.moc"
