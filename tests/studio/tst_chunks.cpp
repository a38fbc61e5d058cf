// SPDX-License-Identifier: Apache-2.0
// Plans whose graph runs in chunks: asked for, opened beside the model, shown, kept in files.
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/explain/explain_view.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/memory/alive_list.h"
#include "app/studio/views/memory/memory_painter.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/work/document/chunks_text.h"
#include "app/studio/work/pages/model_pages.h"
#include "core/chunk/rewrite.h"
#include "core/teaching/lessons/lesson_task.h"
#include "core/views/graph_tree.h"
#include "gpu/runtime.h"
#include "tests/studio/window_test.h"
#include "tests/support/torch.h"

using namespace remat;
using namespace remat::studio;

class TestChunks : public QObject, fixture::InWindow
{
    Q_OBJECT

    const CostedModel &model() { return *document().model(); }
    const Chunking &chunking() { return model().open->from.chunking; }
    template <class Widget>
    Widget *find(const char *name)
    {
        return m_window->findChild<Widget *>(QString::fromLatin1(name));
    }
    QString line() { return find<QLabel>("chunkText")->text(); }
    bool shows(std::size_t pages, bool inChunks)
    {
        return m_window->idle() && document().model() && m_window->pages().tabs().size() == pages &&
               (model().open->whole != nullptr) == inChunks;
    }
    /// As the click on the line does it.
    void solveInChunks()
    {
        QTRY_VERIFY(find<QAbstractButton>("chunkButton")->isVisible());
        find<QAbstractButton>("chunkButton")->click();
        QTRY_VERIFY(shows(2, true));
    }
    void openByHand(const char *names)
    {
        m_window->workspace()->planPanel()->plannerBox()->chunkBox()->setChoice(ChunkBox::Choice::ByHand);
        auto *field = find<QLineEdit>("chunkNames");
        QVERIFY(field->isVisible());
        field->setText(QString::fromLatin1(names));
        QTest::keyClick(field, Qt::Key_Return);
    }
    /// For people, in REMAT_LOOK=1.
    void leavePicture(const char *name)
    {
        if (!qEnvironmentVariableIsSet("REMAT_LOOK")) return;
        QTest::qWait(300); // until all is laid out
        m_window->grab().save(QStringLiteral("chunks_%1.png").arg(QLatin1String(name)));
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        QVERIFY(m_window->openSample(QStringLiteral("tiny_gpt2")));
        QTRY_VERIFY(document().model() && m_window->idle());
        find<QSpinBox>("timeLimit")->setValue(2);
        m_window->workspace()->planPanel()->setPlanner("search");
    }

    void theFloorSaysWhatChunksWouldMakeOfIt()
    {
        QTRY_VERIFY(!line().isEmpty() && find<QLabel>("chunkText")->isVisible());
        QVERIFY2(line().startsWith(QStringLiteral("In 2 and 4 chunks: floor 10.9")), qPrintable(line()));
        const QString problem = find<QLabel>("budgetError")->text();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        m_window->setBudget(model().floor.bytes - 1);
        QVERIFY(find<QLabel>("budgetError")->text().contains(QStringLiteral("or chunks")));
        leavePicture("line");
    }

    void aBudgetBelowTheFloorIsSolvedInChunks()
    {
        const std::int64_t keepAllPeak = model().keepAllPeakBytes;
        m_window->setBudget(keepAllPeak / 4);
        QVERIFY(document().budgetBytes() < model().floor.bytes);
        solveInChunks();
        QVERIFY(!chunking().regions.empty());
        QCOMPARE(model().keepAllPeakBytes, keepAllPeak); // shares stay shares of the same
        QVERIFY(model().keepAll->peakBytes < keepAllPeak);
        const auto plan = document().currentPlan();
        QVERIFY(plan && plan->check && plan->check->ok);
        QVERIFY(plan->timeline->peakBytes <= keepAllPeak / 4);
        QCOMPARE(document().budgetBytes(), keepAllPeak / 4);
        const QString title = m_window->session().loader.modelTitle();
        QVERIFY2(title.endsWith(QStringLiteral(" chunks")), qPrintable(title));
        QVERIFY2(line().contains(QStringLiteral("chunks")), qPrintable(line()));
        leavePicture("solved");
        // Back to whole ops: the page from before.
        find<QAbstractButton>("chunkButton")->click();
        QTRY_VERIFY(shows(2, false));
    }

    /// The planner Automatic does so by itself, unless chunks are off.
    void automaticTakesChunksBelowTheFloor()
    {
        m_window->workspace()->planPanel()->setPlanner("auto");
        m_window->setBudget(model().keepAllPeakBytes / 4);
        ChunkBox *box = m_window->workspace()->planPanel()->plannerBox()->chunkBox();
        QCOMPARE(box->choice(), ChunkBox::Choice::IfNeeded);
        box->setChoice(ChunkBox::Choice::Off);
        m_window->solve();
        QCOMPARE(m_window->session().solver.report().state, SolveReport::State::Infeasible);
        box->setChoice(ChunkBox::Choice::IfNeeded);
        m_window->solve();
        QTRY_VERIFY(shows(2, true));
        QVERIFY(document().currentPlan()->timeline->peakBytes <= model().keepAllPeakBytes / 4);
    }

    void chunksOfAnOpAreDecidedByHand()
    {
        const auto select = [this](const char *op) { document().selectOp(opNamed(model().graph(), op)); };
        QVERIFY(!command("chunk.8")->isEnabled());
        select("mm");
        command("chunk.8")->trigger();
        QTRY_VERIFY(shows(2, true));
        QCOMPARE(chunking().regions.size(), std::size_t(1));
        QCOMPARE(chunking().regions[0].k, 8);
        // On a piece it changes the number of the same region.
        select("mm#3");
        command("chunk.4")->trigger();
        QTRY_VERIFY(shows(3, true));
        QCOMPARE(chunking().regions.size(), std::size_t(1));
        QCOMPARE(chunking().regions[0].k, 4);
    }

    void whatNeverRunsInChunksIsLeftWhole()
    {
        ChunkBox *box = m_window->workspace()->planPanel()->plannerBox()->chunkBox();
        document().selectOp(opNamed(model().graph(), "mm"));
        QVERIFY(!command("chunk.may")->isEnabled());
        command("chunk.never")->trigger();
        QCOMPARE(box->whole(), QStringList{QStringLiteral("mm")});
        QVERIFY(command("chunk.may")->isEnabled() && !command("chunk.never")->isEnabled());
        m_window->setBudget(model().keepAllPeakBytes / 4);
        box->setChoice(ChunkBox::Choice::Automatic);
        m_window->solve();
        QTRY_VERIFY(m_window->idle() && m_window->session().solver.report().ended());
        QVERIFY(shows(1, false)); // with its product whole, cutting the loss alone is not enough
        command("chunk.may")->trigger();
        QVERIFY(box->whole().isEmpty());
        m_window->solve();
        QTRY_VERIFY(shows(2, true));
    }

    void piecesStandTogether()
    {
        openByHand("head=8");
        QTRY_VERIFY(shows(2, true));
        const ClusterTree &tree = model().open->modules;
        const auto all = std::find_if(tree.clusters.begin(), tree.clusters.end(),
                                      [](const Cluster &cluster) { return cluster.name == "loss in chunks"; });
        QVERIFY(all != tree.clusters.end());
        QCOMPARE(all->children.size(), std::size_t(8));
        QCOMPARE(tree.cluster(all->children[2]).name, std::string("chunk 3 of 8"));
        std::vector<int> seen(model().graph().ops.size());
        for (std::size_t c = 0; c < tree.clusters.size(); ++c)
            for (const auto *ops : {&tree.clusters[c].forwardOps, &tree.clusters[c].backwardOps})
                for (const OpId op : *ops) {
                    ++seen[op.index()];
                    QCOMPARE(tree.clusterOf[op.index()], ClusterId(c));
                }
        QCOMPARE(std::count(seen.begin(), seen.end(), 1), std::ptrdiff_t(seen.size()));
        const auto third = allOps(tree, all->children[2]);
        for (const OpId op : third)
            QVERIFY2(model().graph().op(op).name.ends_with("#2"), model().graph().op(op).name.c_str());
        QVERIFY(third.size() > 4);
        // One card of eight, one of which can be opened and the rest are stacked.
        const GraphTree pictured = buildGraphTree(model().graph(), tree);
        const int card = pictured.find(all->path);
        QVERIFY(card >= 0);
        QCOMPARE(pictured.node(card).copies, 8);
        QCOMPARE(pictured.node(card).children.size(), std::size_t(2));
        leavePicture("folded");
    }

    /// Wherever single ops are named, a copy says which chunk of how many it is.
    void copiesAreNamedByTheirChunk()
    {
        openByHand("head=8");
        QTRY_VERIFY(shows(2, true) && document().currentPlan());
        const Graph &graph = model().graph();
        const OpId third = opNamed(graph, "mm#2"), sum = opNamed(graph, "mm_1#6");
        QVERIFY(third && sum);
        const OpLabels labels(graph);
        const QString name = labels.op(graph, third);
        QVERIFY2(name.endsWith(QStringLiteral(", chunk 3 of 8")), qPrintable(name));
        QCOMPARE(labels.storage(graph, graph.op(third).outputs.front()), name);
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (const auto [cut, chunk] = chunkOf(graph.ops[i].name); chunk >= 0)
                QVERIFY2(labels.op(graph, OpId(i)).endsWith(QStringLiteral(", chunk %1 of 8").arg(chunk + 1)),
                         graph.ops[i].name.c_str());
        // Ops that run whole have no such word.
        QVERIFY(!labels.op(graph, opNamed(graph, "addmm")).contains(QStringLiteral("chunk")));
    }

    void viewsNameTheChunk()
    {
        openByHand("head=8");
        QTRY_VERIFY(shows(2, true) && document().currentPlan());
        const Graph &graph = model().graph();
        const OpId third = opNamed(graph, "mm#2");
        const MemoryTimeline &line = *document().currentPlan()->timeline;
        const auto sample =
            static_cast<std::size_t>(std::find(line.op.begin(), line.op.end(), third) - line.op.begin());
        QVERIFY(sample < line.op.size());
        const QString words = QStringLiteral("chunk 3 of 8");
        m_window->workspace()->showView(QStringLiteral("lanes"));
        const LanesScene &lanes = m_window->workspace()->view<LanesView>()->canvas()->scene();
        QStringList named;
        for (const LaneRow &row : lanes.rows())
            for (const Block &block : row.blocks)
                named << lanes.nameOf(row, block.id);
        QVERIFY2(named.filter(words).size() > 3, qPrintable(named.join(u'|')));
        QVERIFY(m_window->workspace()->view<MatrixView>()->canvas()->opName(third).contains(words));
        // The memory view's readout and list, and the player's sentence, are of the cursor's step.
        document().setCursor(line.startUs[sample]);
        const QString read = readoutOf(m_window->workspace()->view<MemoryView>()->canvas()->scene()).op;
        QVERIFY2(read.contains(words), qPrintable(read));
        const std::vector<AliveRow> alive = rowsAliveAt(document(), sample);
        QVERIFY(std::any_of(alive.begin(), alive.end(), [&](const AliveRow &row) { return row.name.contains(words); }));
        command("stepPlayer")->trigger();
        const QString told = find<QLabel>("stepStory")->text();
        QVERIFY2(told.contains(words), qPrintable(told));
    }

    void bothFloorsAreShown()
    {
        QTRY_VERIFY(m_window->session().chunks.leastBytes() > 0);
        const std::int64_t least = m_window->session().chunks.leastBytes(), whole = model().floor.bytes;
        QVERIFY(least < whole);
        const CurveCanvas *curve = m_window->workspace()->view<CurveView>()->canvas();
        QTRY_COMPARE(curve->scene().leastInChunksBytes, least);
        QVERIFY(curve->layoutNow().x.pixel(double(least)) > curve->layoutNow().plot.left());
        m_window->workspace()->showView(QStringLiteral("curve"));
        leavePicture("floors");
        m_window->setBudget(whole * 2);
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        command("showExplain")->trigger();
        const auto said = [this] {
            const auto *view = m_window->workspace()->view<ExplainView>();
            return view->explainer()->story().budget.sentences.join(QLatin1Char(' '));
        };
        QTRY_VERIFY2(said().contains(floorsText(model(), least)), qPrintable(said()));
        command("show.fits")->trigger();
        QTRY_VERIFY(find<QLabel>("fitsNeeds")->text().contains(floorsText(model(), least)));
        // A model in chunks has its own floor, and the one of all chunkings.
        m_window->workspace()->showPlanPanel();
        openByHand("head=2");
        QTRY_VERIFY(shows(2, true));
        QTRY_COMPARE(m_window->session().chunks.leastBytes(), least);
        QVERIFY(model().floor.bytes > least);
        QVERIFY(floorsText(model(), least).startsWith(QStringLiteral("No plan in these chunks")));
    }

    void namesByHandThatAreNotThereAreSaid()
    {
        openByHand("nothing=8");
        QTRY_VERIFY(m_window->idle() && m_window->messages()->sentence().contains(QStringLiteral("nothing")));
        QVERIFY(shows(1, false));
    }

    void plansInChunksGoToFilesAndComeBack()
    {
        openByHand("head=4");
        QTRY_VERIFY(shows(2, true));
        m_window->setBudget(model().keepAllPeakBytes / 2);
        m_window->workspace()->planPanel()->plannerBox()->chunkBox()->setChoice(ChunkBox::Choice::Off);
        m_window->solve();
        QTRY_VERIFY(m_window->idle() && document().currentPlan() && !document().currentPlan()->quick);
        const auto steps = document().currentPlan()->plan->steps;
        const Chunking chunks = chunking();
        const QString file = m_folder.filePath(QStringLiteral("chunked.json"));
        const QString session = m_folder.filePath(QStringLiteral("chunked.remat"));
        m_window->savePlanTo(file);
        QTRY_VERIFY(QFileInfo::exists(file) && m_window->idle());
        m_window->saveSessionTo(session);
        QTRY_VERIFY(QFileInfo::exists(session) && m_window->idle());

        m_window = nullptr;
        openWindow();
        m_window->openFile(file);
        QTRY_VERIFY(shows(1, true) && document().currentPlan());
        QVERIFY(chunking() == chunks);
        QVERIFY(document().currentPlan()->plan->steps == steps);

        m_window = nullptr;
        openWindow();
        m_window->openFile(session);
        QTRY_VERIFY(shows(2, true) && document().currentPlan() && !m_window->pages().waking());
        QVERIFY(chunking() == chunks);
        QVERIFY(document().currentPlan()->plan->steps == steps);
    }

    void aPlanInChunksRuns()
    {
        if (!runtimeInfo().available) REMAT_NO_TORCH(runtimeInfo().sentence.c_str());
        openByHand("head=4");
        QTRY_VERIFY(shows(2, true) && document().currentPlan());
        command("validate")->trigger();
        const PlanRunner &runner = m_window->session().runner;
        QVERIFY(runner.validating());
        QTRY_VERIFY(!runner.validating());
        const auto plan = document().currentPlan()->plan;
        QVERIFY2(plan->validated, qPrintable(m_window->messages()->sentence()));
        const ValidationRecord &run = *plan->validated;
        QVERIFY2(run.passed && run.lossEqual && run.differences.empty(), run.sentence.c_str());
        QVERIFY2(run.chunks.done && run.chunks.near(), run.chunks.sentence.c_str());
    }
};

QTEST_MAIN(TestChunks)
#include "tst_chunks.moc"
