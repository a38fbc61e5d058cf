// SPDX-License-Identifier: Apache-2.0
// The seven things that somebody comes with, each by mouse, keys and menus alone at 1280 × 800, in no more acts than
// are stated, and with answers that the engine gives, too. An act is a click, a key, or a text typed to its end.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/exports/train_window.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/views/compare/summary_view.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plans/plans_table.h"
#include "app/studio/views/shared/verdict.h"
#include "app/studio/views/tensors/tensors_view.h"
#include "core/base/units.h"
#include "core/graph/optimizer.h"
#include "core/views/compare_verdict.h"
#include "solvers/uses/fit.h"
#include "tests/studio/by_hand.h"

using namespace remat;
using namespace remat::studio;

namespace {

/// What each job takes at most, from the model that is open to the answer: what the promise is measured by.
struct Most {
    const char *job;
    int acts;
};
constexpr Most kMost[] = {
    {"doesItFitMyCard", 3},       // sample, field of the card, its size
    {"whichIsBetter", 4},         // panel of plans, two rows, C
    {"whatDoIPaste", 3},          // palette, its word, Copy
    {"whatTakesTheMemory", 3},    // Tensors, the first row, Explain
    {"whereIsTheKnee", 2},        // Trade-off, Sweep
    {"whatDoesADecisionCost", 2}, // the op, K
    {"openAnother", 4},           // Open, its name, the budget, Solve
};

} // namespace

class TestUserJobs : public QObject, fixture::ByHand
{
    Q_OBJECT

    int m_acts = 0;
    int m_patience = 120000;

    QString textOf(const char *name)
    {
        for (const QLabel *label : m_window->findChildren<QLabel *>(QLatin1String(name)))
            if (label->isVisible() && !label->text().isEmpty()) return label->text();
        return {};
    }
    void act(const std::function<void()> &what)
    {
        ++m_acts;
        what();
    }
    /// The job took no more acts than are stated, those before `from` left out.
    void verifyActs(int from = 0) const
    {
        for (const Most &most : kMost)
            if (qstrcmp(most.job, QTest::currentTestFunction()) == 0)
                QVERIFY2(m_acts - from <= most.acts, qPrintable(QString::number(m_acts - from)));
    }
    void openTiny()
    {
        act([&] { click(named("sample.tiny_gpt2")); });
        QTRY_VERIFY_WITH_TIMEOUT(document().model() && document().currentPlan(), m_patience);
        settle();
    }
    void solveAt(const QString &budget, const char *planner)
    {
        act([&] { typeBudget(budget); });
        act([&] { choosePlanner(QString::fromLatin1(planner)); });
        act([&] { solveToTheEnd(); });
    }
    /// A command of the palette, by what somebody would type.
    void byPalette(const QString &words)
    {
        act([&] { pressKeysOf(QStringLiteral("palette")); });
        act([&] {
            QTest::keyClicks(QApplication::focusWidget(), words);
            const auto &list = m_window->findChild<PaletteBox *>()->list();
            QTRY_VERIFY(list.fitting() > 0 && !list.ranking());
            press(Qt::Key_Return);
        });
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        m_acts = 0;
    }

    /// "I have a card of 8 GB and use AdamW. Does ResNet-50 fit?"
    void doesItFitMyCard()
    {
        act([&] { click(named("sample.resnet50")); });
        QTRY_VERIFY_WITH_TIMEOUT(document().model(), m_patience);
        settle();
        auto *card = named<QComboBox>("card");
        act([&] { click(card->lineEdit()); });
        act([&] {
            card->lineEdit()->selectAll();
            QTest::keyClicks(card->lineEdit(), QStringLiteral("8 GB"));
            press(Qt::Key_Return);
        });
        QTRY_VERIFY2_WITH_TIMEOUT(textOf("cardVerdict").startsWith(QStringLiteral("Fits as it is: ")),
                                  qPrintable(card->currentText() + u'|' + textOf("cardVerdict")), m_patience);
        QCOMPARE(named<QComboBox>("cardOptimizer")->currentText(), QStringLiteral("AdamW"));
        const CostedModel &model = *document().model();
        const FitNeeds needs =
            fitNeeds(model.graph(), *model.costs, model.keepAll->peakBytes, findOptimizer("adamw").value());
        QVERIFY2(textOf("cardVerdict").contains(memoryText(needs.neededBytes())), qPrintable(textOf("cardVerdict")));
        QVERIFY(needs.neededBytes() <= 8'000'000'000);
        verifyActs();
    }

    /// "Which of two plans is better, and why?"
    void whichIsBetter()
    {
        openTiny();
        solveAt(QStringLiteral("70%"), "chen-sqrt");
        solveAt(QStringLiteral("70%"), "hiremate");
        const int before = m_acts;
        act([&] { press(Qt::Key_1, Qt::AltModifier); });
        PlansTable *plans = m_window->workspace()->leftPanel()->plans();
        QTRY_VERIFY(plans->isVisible());
        act([&] { clickRow(plans, 0); });
        act([&] { clickRow(plans, 1, Qt::ControlModifier); });
        act([&] { QTest::keyClick(plans, Qt::Key_C); });
        settle();
        QCOMPARE(document().compared().size(), std::size_t(2));
        auto *verdict = m_window->workspace()->view<SummaryView>()->findChild<VerdictBox *>();
        QVERIFY(verdict->isVisible());
        // The faster one is named, and it is.
        const auto time = [this](int place) {
            for (const auto &plan : document().plans())
                if (plan->id == document().compared()[static_cast<std::size_t>(place)]) return plan->timeline->timeUs;
            return 0.0;
        };
        const QString said = verdict->accessibleName();
        QVERIFY(time(0) != time(1));
        const QString better = time(0) < time(1) ? QStringLiteral("A ") : QStringLiteral("B ");
        QVERIFY2(said.startsWith(better), qPrintable(said));
        verifyActs(before);
    }

    /// "What do I paste into my script?"
    void whatDoIPaste()
    {
        openTiny();
        act([&] { typeBudget(QStringLiteral("80%")); });
        const int before = m_acts;
        byPalette(QStringLiteral("train"));
        auto *window = m_window->findChild<TrainWindow *>();
        QTRY_VERIFY(window && window->isVisible());
        act([&] { click(window->findChild<QWidget *>(QStringLiteral("copyTrainLines"))); });
        const QString lines = QApplication::clipboard()->text();
        QVERIFY(lines.contains(QStringLiteral("backend=\"remat\"")));
        QVERIFY2(lines.contains(QStringLiteral("\"%1MiB\"").arg(document().budgetBytes() / kMiB)), qPrintable(lines));
        verifyActs(before);
        // Who has a trainer or a compiler finds its lines beside these.
        auto *paths = window->findChild<SegmentedControl *>(QStringLiteral("trainPath"));
        const QStringList calls = {QStringLiteral("torch.compile(step, backend=\"remat\""),
                                   QStringLiteral("remat_studio.planned(model, batch, budget="),
                                   QStringLiteral("remat_studio.install(budget=")};
        for (int path = 0; path < calls.size(); ++path) {
            paths->setCurrent(path);
            click(window->findChild<QWidget *>(QStringLiteral("copyTrainLines")));
            const QString copied = QApplication::clipboard()->text();
            QVERIFY2(copied.contains(calls[path]), qPrintable(copied));
            QVERIFY(copied.contains(QStringLiteral("\"%1MiB\"").arg(document().budgetBytes() / kMiB)));
        }
        // Every other way follows with its peak, its added time and what is lost, the least time first.
        const auto routes = trainRoutes(*document().model(), *document().currentPlan()->plan);
        QTRY_VERIFY(window->findChild<QWidget *>(QStringLiteral("route.plan")));
        double last = 0;
        int y = window->findChild<QWidget *>(QStringLiteral("route.plan"))->y();
        for (const TrainRoute &route : routes) {
            const QString id = QStringLiteral("route.") + QString::fromStdString(std::string(route.format->name));
            auto *shown = window->findChild<QWidget *>(id);
            QTRY_VERIFY2(shown && shown->y() > y, qPrintable(id));
            y = shown->y();
            if (!route.problem.isEmpty()) continue;
            QVERIFY2(route.figures.overhead >= last, qPrintable(id));
            last = route.figures.overhead;
            const QString said = window->findChild<QLabel *>(id + QStringLiteral(".figures"))->text();
            QVERIFY2(said.contains(QStringLiteral("more time")), qPrintable(said));
        }
        window->close();
    }

    /// "What takes the memory, and why is it kept?"
    void whatTakesTheMemory()
    {
        openTiny();
        const int before = m_acts;
        act([&] { pressKeysOf(QStringLiteral("show.tensors")); });
        auto *table = named<QTableView>("tensorsTable");
        QVERIFY(table->isVisible());
        act([&] { clickRow(table, 0); });
        const StorageId largest = document().selection().storage;
        QVERIFY(largest);
        const Graph &graph = document().model()->graph();
        for (const SavedTensor &tensor : savedTensors(graph, *document().timeline(), document().model()->open->readers))
            QVERIFY(graph.storage(tensor.storage).bytes <= graph.storage(largest).bytes);
        const auto said = [table](int column) { return table->model()->index(0, column).data().toString(); };
        QVERIFY(said(TensorsTable::Why).startsWith(QStringLiteral("Saved for ")));
        QVERIFY(said(TensorsTable::Source).contains(QStringLiteral(".py:")));
        act([&] { pressKeysOf(QStringLiteral("showExplain")); });
        QTRY_VERIFY_WITH_TIMEOUT(!textOf("explainText").isEmpty(), m_patience);
        verifyActs(before);
    }

    /// "How far down may I go before it gets expensive?"
    void whereIsTheKnee()
    {
        openTiny();
        const int before = m_acts;
        act([&] { clickTab(Workspace::Area::Center, QStringLiteral("curve")); });
        act([&] { click(named("sweepStart")); });
        QTRY_VERIFY_WITH_TIMEOUT(!named("sweepStop")->isEnabled() && m_window->idle(), m_patience);
        const CurveScene &scene = m_window->workspace()->curve()->canvas()->scene();
        const CurvePoint *knee = kneeOf(scene.points);
        QVERIFY(knee);
        // No plan is at least as good in both, and from there each byte less costs more than each before.
        const CurvePoint *least = knee, *most = knee;
        for (const CurvePoint &point : scene.points) {
            QVERIFY(point.peakBytes > knee->peakBytes || point.overhead >= knee->overhead);
            if (point.quick) continue;
            if (std::tie(point.peakBytes, point.overhead) < std::tie(least->peakBytes, least->overhead)) least = &point;
            if (std::tie(point.overhead, point.peakBytes) < std::tie(most->overhead, most->peakBytes)) most = &point;
        }
        const auto price = [](const CurvePoint &less, const CurvePoint &more) {
            return (less.overhead - more.overhead) / static_cast<double>(more.peakBytes - less.peakBytes);
        };
        QVERIFY(least != knee && most != knee);
        QVERIFY(price(*least, *knee) > price(*knee, *most));
        verifyActs(before);
    }

    /// "This layer must be kept. What does that cost?"
    void whatDoesADecisionCost()
    {
        openTiny();
        solveAt(QStringLiteral("70%"), "hiremate");
        const int before = m_acts;
        act([&] { selectOp(QStringLiteral("addmm_2")); });
        act([&] { QTest::keyClick(m_window->workspace()->graph()->canvas(), Qt::Key_K); });
        QCOMPARE(document().pins().keep.size(), std::size_t(1));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().solver.report().ended() && m_window->idle(), m_patience);
        QVERIFY(document().currentPlan() &&
                !pinsViolated(document().model()->graph(), document().currentPlan()->plan->steps, document().pins()));
        // The figures are those of the plan that keeps it, solved anew and not quick.
        QVERIFY(!document().currentPlan()->quick);
        const double overhead = document().currentPlan()->timeline->timeUs / document().model()->keepAllTimeUs - 1;
        QVERIFY2(textOf("figure.overhead").startsWith(shareText(overhead)), qPrintable(textOf("figure.overhead")));
        verifyActs(before);
    }

    /// "And this model of somebody else?"
    void openAnother()
    {
        const int before = m_acts;
        const QString path = fixture::writeChain(m_folder, 14);
        act([&] { pressKeysOf(QStringLiteral("open")); });
        auto *dialog = m_window->findChild<QFileDialog *>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        act([&] {
            auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
            QApplication::clipboard()->setText(path);
            name->selectAll();
            QTest::keyClick(name, Qt::Key_V, Qt::ControlModifier);
            if (QWidget *completions = QApplication::activePopupWidget()) completions->close();
            QTest::keyClick(name, Qt::Key_Return);
        });
        QTRY_VERIFY_WITH_TIMEOUT(document().model() && document().currentPlan(), m_patience);
        settle();
        act([&] { typeBudget(QStringLiteral("60%")); });
        act([&] { solveToTheEnd(); });
        QVERIFY(document().currentPlan()->timeline->peakBytes <= document().budgetBytes());
        verifyActs(before);
    }
};

QTEST_MAIN(TestUserJobs)
#include "tst_user_jobs.moc"
