// SPDX-License-Identifier: Apache-2.0
// Decisions by hand as cards, list, details and explanation show them.
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/decisions/decisions_model.h"
#include "app/studio/views/explain/explanation.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/graph/op_details.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

using namespace remat;
using namespace remat::studio;

class TestDecisions : public QObject, fixture::InWindow
{
    Q_OBJECT

    OpId op(const std::string &name)
    {
        const Graph &graph = document().model()->graph();
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (graph.ops[i].name == name) return OpId(i);
        return {};
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        openChain(12);
    }

    void eachDecisionHasAnIconOfItsOwn()
    {
        QSet<QString> icons;
        for (const Decision decision : {Decision::Keep, Decision::Recompute, Decision::Never, Decision::Clear})
            icons << DecisionsModel::iconOf(decision);
        QCOMPARE(icons.size(), qsizetype(4));
        // The graph marks cards alike.
        GraphView *graph = m_window->workspace()->graph();
        QList<QImage> pictures;
        for (const Decision decision : {Decision::Keep, Decision::Recompute, Decision::Never}) {
            document().setPins(decide(document().model()->graph(), {}, decision, {op("f12")}));
            QTRY_VERIFY(m_window->idle());
            pictures << graph->canvas()->grab().toImage();
        }
        QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[0] != pictures[2]);
    }

    void decisionsNameEachStorageOnce()
    {
        const Graph &graph = document().model()->graph();
        Pins pins;
        for (const char *name : {"f2", "f3", "f4", "f2"})
            pins = decide(graph, pins, Decision::Keep, {op(name)});
        DecisionsModel model;
        model.setPins(document().model(), pins);
        QSet<QString> names;
        for (int row = 0; row < model.rowCount(); ++row)
            names << model.index(row, DecisionsModel::What).data().toString();
        QCOMPARE(names.size(), qsizetype(model.rowCount()));
        QCOMPARE(model.rowCount(), 3);
    }

    void whatIsRecomputedByHandIsShownAsSuch()
    {
        document().moveBudget(document().model()->keepAll->peakBytes * 9 / 10);
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        GraphView *graph = m_window->workspace()->graph();
        const OpId f3 = op("f3");
        document().selectOp(f3);
        QTest::keyClick(graph->canvas(), Qt::Key_R);
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().ended() && m_window->idle());
        const PlanEntry &plan = *document().currentPlan();
        QVERIFY(!plan.quick && plan.recomputedOps[f3.index()]);
        QCOMPARE(graph->scene().figures.opStates[f3.index()], NodeState::Recomputed);
        QVERIFY(graph->scene().figures.recomputations[f3.index()] > 0);
        QVERIFY(opDetails(*document().model(), &plan, f3).plan.contains(QStringLiteral("recomputed once")));
        const Explanation why =
            explainSelection(*document().model(), plan, document().selection(), OpLabels(document().model()->graph()));
        QVERIFY2(why.question.endsWith(QStringLiteral("recomputed?")), qPrintable(why.question));
    }

    void aDecisionThatChangesNothingByItselfIsExplained()
    {
        const QString path = test::written(m_folder.filePath(QStringLiteral("unread.json")),
                                           R"({"format": "remat-graph/1", "name": "unread",
            "inputs": [{"name": "x", "bytes": 1048576, "kind": "input"}], "ops": [
            {"name": "f1", "inputs": ["x"], "outputs": [{"name": "a1", "bytes": 1048576}], "phase": "forward"},
            {"name": "f2", "inputs": ["a1"], "outputs": [{"name": "a2", "bytes": 1048576}], "phase": "forward"},
            {"name": "loss", "inputs": ["a2"], "outputs": [{"name": "l", "bytes": 512}], "phase": "loss"},
            {"name": "b2", "inputs": ["l", "a2"], "outputs": [{"name": "g", "bytes": 512}], "phase": "backward"}],
            "outputs": ["g"]})");
        m_window->openFile(path);
        QTRY_VERIFY(document().model() && op("f2") && !op("f3") && m_window->idle());
        auto *canvas = m_window->workspace()->graph()->canvas();
        document().selectOp(op("f2"));
        QTest::keyClick(canvas, Qt::Key_R);
        QCOMPARE(document().pins().recompute, std::vector<OpId>{op("f2")});
        QVERIFY(!m_window->messages()->isVisible());
        document().selectOp(op("f1"));
        QTest::keyClick(canvas, Qt::Key_R);
        QCOMPARE(document().pins().recompute.size(), std::size_t(2));
        QVERIFY(m_window->messages()->isVisible());
        const QString said = m_window->messages()->sentence();
        QVERIFY2(said.startsWith(QStringLiteral("Nothing in the backward pass reads what f1 makes")), qPrintable(said));
    }
};

QTEST_MAIN(TestDecisions)
#include "tst_decisions.moc"
