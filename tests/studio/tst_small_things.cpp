// SPDX-License-Identifier: Apache-2.0
// Small things that a week of use found, each in the real window at its usual smallest size.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/curve/sweep_strip.h"
#include "app/studio/views/decisions/decisions_model.h"
#include "app/studio/views/explain/explanation.h"
#include "app/studio/views/graph/graph_minimap.h"
#include "app/studio/views/graph/graph_rail.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/graph/op_details.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/options_form.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plans/plans_table.h"
#include "app/studio/views/solves/jobs_model.h"
#include "app/studio/work/document/time_window.h"
#include "core/base/version.h"
#include "tests/core/archive_fixture.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

using namespace remat;
using namespace remat::studio;

class TestSmallThings : public QObject, fixture::InWindow
{
    Q_OBJECT

    OpId op(const std::string &name)
    {
        const Graph &graph = document().model()->graph();
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (graph.ops[i].name == name) return OpId(i);
        return {};
    }
    QMenu *menu(const QString &title)
    {
        for (const QAction *action : m_window->findChild<QMenuBar *>()->actions())
            if (action->text().remove(u'&') == title) return action->menu();
        return nullptr;
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

    void oneOptionIsOne()
    {
        OptionRecord option;
        option.name = std::string("polish");
        option.label = std::string("Polish");
        option.type = OptionType::Bool;
        option.advanced = true;
        OptionsForm form;
        form.setRecords({option}, {});
        form.resize(300, 100);
        const QString path = m_folder.filePath(QStringLiteral("form.svg"));
        QVERIFY(writePicture(form, QStringLiteral("form"), path).isEmpty());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray said = file.readAll();
        QVERIFY(said.contains("1 option") && !said.contains("1 options"));
    }

    void aClickOnTheStepSliderJumps()
    {
        command("preset.learn")->trigger();
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        auto *slider = m_window->findChild<QSlider *>(QStringLiteral("stepSlider"));
        QTRY_VERIFY(slider && slider->isVisible() && slider->maximum() > 10);
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->width() * 3 / 4, slider->height() / 2));
        const double share = static_cast<double>(slider->value()) / slider->maximum();
        QVERIFY2(std::abs(share - 0.75) < 0.08, qPrintable(QString::number(share)));
    }

    void noKeyIsOneThatDesktopsTake()
    {
        for (const QAction *action : m_window->findChildren<QAction *>())
            for (const QKeySequence &keys : action->shortcuts())
                for (int i = 0; i < keys.count(); ++i) {
                    const bool arrow = keys[i].key() >= Qt::Key_Left && keys[i].key() <= Qt::Key_Down;
                    const auto both = Qt::ControlModifier | Qt::AltModifier;
                    QVERIFY2(!arrow || (keys[i].keyboardModifiers() & both) != both,
                             qPrintable(action->text() + u' ' + keys.toString()));
                }
    }

    void fileEndsWithQuitAndMenusAreShort()
    {
        QCOMPARE(menu(QStringLiteral("File"))->actions().last()->text().remove(u'&'), QStringLiteral("Quit"));
        for (const QAction *title : m_window->findChild<QMenuBar *>()->actions()) {
            const QList<QAction *> entries = title->menu()->actions();
            const auto seen = std::count_if(entries.begin(), entries.end(), [](const QAction *entry) {
                return entry->isVisible() && !entry->isSeparator();
            });
            QVERIFY2(seen <= 28, qPrintable(QStringLiteral("%1 has %2 entries").arg(title->text()).arg(seen)));
        }
        const QList<QAction *> view = menu(QStringLiteral("View"))->actions();
        QVERIFY(std::count_if(view.begin(), view.end(), [](const QAction *entry) { return entry->menu(); }) >= 3);
    }

    void theLegendsKeepTheirWords()
    {
        // Labels of the memory view, in its header or on a line below, and of the graph, green outlines included.
        const auto said = [this](QWidget &view) {
            const QString path = m_folder.filePath(QStringLiteral("view.svg"));
            writePicture(view, QStringLiteral("view"), path);
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        const QString memory = said(*m_window->workspace()->bottomDock());
        for (const char *word : {"Kept", "Recomputed", "Gradients", "Workspace", "Keep-all"})
            QVERIFY2(memory.contains(QLatin1String(word)), word);
        auto *rail = m_window->workspace()->graph()->findChild<GraphRail *>();
        QVERIFY(rail->isVisible());
        const QString graph = said(*rail);
        for (const char *word : {"Kept", "Recomputed", "Mixed", "Freed", "Backward", "Held at cursor"})
            QVERIFY2(graph.contains(QLatin1String(word)), word);
    }

    void aLowGraphKeepsItsLegend()
    {
        auto *rail = m_window->workspace()->graph()->findChild<GraphRail *>();
        const auto said = [this, rail] {
            const QString path = m_folder.filePath(QStringLiteral("rail.svg"));
            writePicture(*rail, QStringLiteral("rail"), path);
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        QVERIFY(rail->minimap().isVisible());
        m_window->resize(1280, 640);
        QTRY_VERIFY(!rail->minimap().isVisible());
        QVERIFY(said().contains(QStringLiteral("Recomputed")));
        m_window->resize(1280, 800);
        QTRY_VERIFY(rail->minimap().isVisible());
    }

    void greyPlansSayWhy()
    {
        document().moveBudget(document().model()->keepAll->peakBytes);
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().ended() && m_window->idle());
        command("leftPanel")->trigger();
        document().setBudget(document().model()->keepAll->peakBytes / 2);
        auto *note = m_window->findChild<QLabel *>(QStringLiteral("greyNote"));
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().startsWith(QStringLiteral("Grey plans need more than the budget")),
                 qPrintable(note->text()));
    }

    /// "×12" is twelve alike, and nothing else is written with that sign.
    void timesMeansSoManyAlike()
    {
        QFile file(QStringLiteral(REMAT_SAMPLES "/../translations/remat-studio.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QRegularExpression other(QStringLiteral("×(?!\\d)"));
        for (const QString &line : QString::fromUtf8(file.readAll()).split(u'\n'))
            QVERIFY2(!line.contains(other), qPrintable(line));
        QFile samples(QStringLiteral(REMAT_SAMPLES "/samples.json"));
        QVERIFY(samples.open(QIODevice::ReadOnly) && !samples.readAll().contains("×"));
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

    void whereNoPlanFitsTheWayOutIsToRaiseTheBudget()
    {
        command("stepPlayer")->trigger();
        command("showExplain")->trigger();
        auto *story = m_window->findChild<TokenLabel *>(QStringLiteral("stepStory"));
        auto *empty = m_window->findChild<TokenLabel *>(QStringLiteral("explainEmpty"));
        while (!document().plans().empty())
            document().removePlan(document().plans().front()->id);
        QTRY_VERIFY(empty->isVisible());
        for (const TokenLabel *label : {story, empty})
            QVERIFY2(label->text().endsWith(QStringLiteral("press Solve.")), qPrintable(label->text()));
        document().setBudget(document().model()->floor.bytes - 1);
        const QString least = memoryText(document().model()->floor.bytes);
        const QString wayOut = QStringLiteral("Raise the budget to at least %1.").arg(least);
        QTRY_VERIFY2(empty->text().endsWith(wayOut), qPrintable(empty->text()));
        QVERIFY2(story->text().startsWith(QStringLiteral("No plan fits ")) && story->text().endsWith(wayOut),
                 qPrintable(story->text()));
        auto *peak = m_window->findChild<TokenLabel *>(QStringLiteral("figure.peak"));
        QVERIFY2(peak->toolTip().endsWith(wayOut), qPrintable(peak->toolTip()));
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

    void theStartPageLeadsBack()
    {
        command("startPage")->trigger();
        auto *back = m_window->findChild<QAbstractButton *>(QStringLiteral("backButton"));
        QVERIFY(back->isVisible());
        QCOMPARE(back->text(), QStringLiteral("Back to chain"));
        // What the status bar says of a model is of one that is seen.
        QVERIFY(!m_window->findChild<QLabel *>(QStringLiteral("status.graph"))->isVisible());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(m_window->workspace()->graph()->isVisible());
        QVERIFY(m_window->findChild<QLabel *>(QStringLiteral("status.graph"))->isVisible());
        command("startPage")->trigger();
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(m_window->workspace()->graph()->isVisible());
    }

    void theNewcomersPlanIsSolvedInSight()
    {
        m_window->workspace()->showView(QStringLiteral("decisions"));
        command("startPage")->trigger();
        QTest::mouseClick(m_window->findChild<QAbstractButton *>(QStringLiteral("help.firstPlan")), Qt::LeftButton);
        QTRY_VERIFY(m_window->session().loader.modelTitle() == QStringLiteral("GPT-2 small"));
        QTRY_VERIFY(m_window->session().solver.running());
        QVERIFY(m_window->workspace()->planPanel()->isVisible());
        QCOMPARE(document().budgetBytes(), document().model()->keepAll->peakBytes / 2);
        command("stop")->trigger();
        QTRY_VERIFY(!m_window->session().solver.running());
    }

    /// A header in a narrow window had "Ta…", which says nothing.
    void aTextIsShownWhereItSaysSomething()
    {
        const QString text = QStringLiteral("Takes 805 KiB in one piece");
        TokenLabel label(text, FontRole::Label, Token::Text);
        TokenLabel nothing({}, FontRole::Label, Token::Text);
        const auto painted = [](TokenLabel &which, int width) {
            which.resize(width, 20);
            return which.grab().toImage();
        };
        QCOMPARE(painted(label, 24), painted(nothing, 24));
        for (const int width : {90, 400})
            QVERIFY(painted(label, width) != painted(nothing, width));
    }

    void aboutSaysWhatAPersonIsAskedFor()
    {
        command("about")->trigger();
        auto *about = m_window->findChild<QDialog *>(QStringLiteral("aboutWindow"));
        QVERIFY(about && about->isVisible());
        QTest::mouseClick(about->findChild<QAbstractButton *>(QStringLiteral("copyAbout")), Qt::LeftButton);
        const QString lines = QApplication::clipboard()->text();
        QVERIFY2(lines.contains(QString::fromStdString(programVersion())), qPrintable(lines));
        QVERIFY(lines.contains(QStringLiteral("PyTorch: ")) && lines.contains(QStringLiteral("Apache 2.0")));
        about->close();
    }

    void aBudgetAboveEverythingHasItsLine()
    {
        const MemoryCanvas *canvas = m_window->workspace()->memory()->canvas();
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        document().setBudget(peak * 13 / 10);
        QVERIFY(canvas->layout().budgetY(document().budgetBytes()) > canvas->layout().plot.top());
        QVERIFY(canvas->layout().budgetY(document().budgetBytes()) < canvas->layout().budgetY(peak));
        // A far one does not cost the picture; an arrow says that it is farther up.
        const double height = canvas->scene().topBytes();
        document().setBudget(peak * 10);
        QVERIFY(canvas->scene().topBytes() <= height);
    }

    void theOverviewOfAMomentCanBeGrabbed()
    {
        TimeWindow &time = document().time();
        const double length = time.view().length;
        time.show(length * 0.5, length * 0.501);
        const TimeArea area = m_window->workspace()->memory()->canvas()->layout().time;
        const QRectF brush = area.brush(time.view());
        QVERIFY(brush.width() >= 20);
        auto *canvas = m_window->workspace()->memory()->canvas();
        const QPoint right = QPointF(brush.right() - 1, brush.center().y()).toPoint();
        const double to = time.view().to, from = time.view().from;
        QTest::mousePress(canvas, Qt::LeftButton, {}, right);
        QMouseEvent move(QEvent::MouseMove, QPointF(right + QPoint(60, 0)), canvas->mapToGlobal(right + QPoint(60, 0)),
                         Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(canvas, &move);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, right + QPoint(60, 0));
        QCOMPARE(time.view().from, from);
        QVERIFY(std::abs(time.view().to - to - (area.whole.value(60) - area.whole.value(0))) < length / 100);
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

    void theTracersCommandIsReadWhole()
    {
        command("tracer")->trigger();
        QPlainTextEdit *text = nullptr;
        QTRY_VERIFY((text = m_window->findChild<QPlainTextEdit *>(QStringLiteral("tracerCommand"))) &&
                    text->isVisible());
        QTRY_COMPARE(text->verticalScrollBar()->maximum(), 0);
        QCOMPARE(text->horizontalScrollBar()->maximum(), 0);
    }

    /// Where Stop stood stands no Sweep when it ends, and the keyboard does not go elsewhere.
    void sweepAndStopKeepTheirPlaces()
    {
        m_window->workspace()->showView(QStringLiteral("curve"));
        auto *start = m_window->findChild<QAbstractButton *>(QStringLiteral("sweepStart"));
        auto *stop = m_window->findChild<QAbstractButton *>(QStringLiteral("sweepStop"));
        QTRY_VERIFY(start->isVisible() && start->isEnabled() && stop->isVisible() && !stop->isEnabled());
        const auto places = [&] {
            return std::pair(start->mapTo(m_window.get(), QPoint()), stop->mapTo(m_window.get(), QPoint()));
        };
        const auto before = places();
        m_window->activateWindow();
        start->setFocus();
        QTest::mouseClick(start, Qt::LeftButton);
        QVERIFY(stop->isEnabled() && stop->hasFocus());
        QVERIFY(places() == before);
        QTRY_VERIFY(!m_window->session().sweeps.running() && m_window->idle());
        QVERIFY(places() == before);
        QVERIFY(start->hasFocus());
        QTest::mouseClick(stop, Qt::LeftButton); // too late, and nothing begins
        QVERIFY(!m_window->session().sweeps.running());
    }

    void plannersOfASweepStandInGroups()
    {
        const QList<QAction *> entries = m_window->findChild<SweepStrip *>()->findChild<QMenu *>()->actions();
        QVERIFY(std::count_if(entries.begin(), entries.end(),
                              [](const QAction *each) { return each->isSeparator() && !each->text().isEmpty(); }) >= 3);
    }

    void timeThatIsUpIsNoStop()
    {
        SolveReport report;
        report.state = SolveReport::State::Stopped;
        const QString byHand = JobsModel::stateText(report);
        report.sentence = QString::fromLatin1(kTimeWasUp);
        QVERIFY(JobsModel::stateText(report) != byHand);
    }

    void theLeftPanelHasRoomForNames()
    {
        QDockWidget *left = m_window->workspace()->leftDock();
        if (!left->isVisible()) m_window->commands().find(command::kLeftPanel)->trigger();
        QTRY_VERIFY(left->isVisible() && left->width() >= 255);
    }
};

QTEST_MAIN(TestSmallThings)
#include "tst_small_things.moc"
