// SPDX-License-Identifier: Apache-2.0
// The README's "Five minutes" in the real window at 1280 × 800, by mouse, keys and menus alone: each step does what it
// says. One test function a step, in its order; what a step leaves is where the next begins.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/workspace/left_panel.h"
#include "app/studio/views/addresses/address_view.h"
#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/curve/curve_view.h"
#include "app/studio/views/explain/explain_view.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_painter.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/lanes/lanes_view.h"
#include "app/studio/views/matrix/matrix_view.h"
#include "app/studio/views/memory/memory_view.h"
#include "app/studio/views/plan/budget_slider.h"
#include "app/studio/views/plans/plans_table.h"
#include "tests/studio/by_hand.h"

using namespace remat;
using namespace remat::studio;

class TestTour : public QObject, fixture::ByHand
{
    Q_OBJECT

    Workspace *workspace() { return m_window->workspace(); }
    GraphView *graph() { return workspace()->graph(); }
    MemoryCanvas *memory() { return workspace()->memory()->canvas(); }
    std::int64_t keepAllPeak() { return document().model()->keepAll->peakBytes; }
    std::int64_t planPeak() { return document().currentPlan()->timeline->peakBytes; }

    static QString plainName(QString text)
    {
        text.remove(QLatin1Char('&'));
        return text.endsWith(QStringLiteral("…")) ? text.chopped(1) : text;
    }
    /// What commands, buttons, tabs, menus, labels and lists are called, and the keys of all commands.
    QSet<QString> namesInTheWindow()
    {
        QSet<QString> names;
        for (const QAction *action : m_window->findChildren<QAction *>()) {
            names << plainName(action->text());
            for (const QKeySequence &key : action->shortcuts())
                names << key.toString(QKeySequence::PortableText);
        }
        for (const QMenu *menu : m_window->findChildren<QMenu *>())
            names << plainName(menu->title());
        for (const QAbstractButton *button : m_window->findChildren<QAbstractButton *>())
            names << plainName(button->text());
        for (const QTabBar *tabs : m_window->findChildren<QTabBar *>())
            for (int i = 0; i < tabs->count(); ++i)
                names << plainName(tabs->tabText(i));
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            names << label->text();
        for (const SegmentedControl *control : m_window->findChildren<SegmentedControl *>())
            names.unite({control->labels().begin(), control->labels().end()});
        for (const QComboBox *box : m_window->findChildren<QComboBox *>())
            for (int i = 0; i < box->count(); ++i)
                names << box->itemText(i);
        return names;
    }

    int m_solved = 0; ///< the plan of steps 6 and 7

    const GraphItem *card(const QString &badge)
    {
        for (const GraphItem &item : graph()->scene().picture.items)
            if (item.side == Side::Forward && graph()->scene().nodeOf(item).copies > 1 &&
                badge == QStringLiteral("×%1").arg(graph()->scene().nodeOf(item).copies))
                return &item;
        return nullptr;
    }
    /// A picture's place in the graph's canvas.
    void clickInGraph(const QRectF &rect)
    {
        graph()->canvas()->ensureVisible(rect);
        QTest::mouseClick(graph()->canvas(), Qt::LeftButton, {}, graph()->canvas()->toWidget(rect).center().toPoint());
    }

private Q_SLOTS:
    void initTestCase()
    {
        QSettings().clear();
        openWindow({1280, 800});
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        click(named("sample.gpt2"));
        QTRY_VERIFY_WITH_TIMEOUT(document().model() && m_window->idle(), kPatience);
        QCOMPARE(m_window->size(), QSize(1280, 800));
    }
    void cleanupTestCase() { m_window.reset(); }

    void step1TheGraph()
    {
        // Forward on the left, backward on the right; twelve equal blocks as one card marked ×12.
        double lastForward = 0, firstBackward = 1e9;
        for (const GraphItem &item : graph()->scene().picture.items) {
            if (item.shape == ItemShape::LossCard) continue;
            if (item.side == Side::Forward)
                lastForward = std::max(lastForward, item.rect.left());
            else
                firstBackward = std::min(firstBackward, item.rect.left());
        }
        QVERIFY(lastForward < firstBackward);
        QVERIFY2(card(QStringLiteral("×12")), "twelve equal blocks stand as one");
        // Click a chevron to open a block in place.
        const std::vector<GraphItem> items = graph()->scene().picture.items;
        const auto closed = std::find_if(items.begin(), items.end(), [this](const GraphItem &item) {
            const GraphNode &node = graph()->scene().nodeOf(item);
            return item.side == Side::Forward && item.shape != ItemShape::Frame && item.shape != ItemShape::StackCard &&
                   node.expandable() && node.forwardOps.size() > 1;
        });
        QVERIFY(closed != items.end());
        const int node = closed->node;
        clickInGraph(chevronRect(graph()->scene().picture, *closed));
        settle();
        const std::vector<GraphItem> &now = graph()->scene().picture.items;
        QVERIFY(std::any_of(now.begin(), now.end(), [node](const GraphItem &item) {
            return item.node == node && item.shape == ItemShape::Frame;
        }));
        // B puts branches below each other, and side by side again.
        graph()->canvas()->setFocus();
        const bool were = graph()->branchesBeside();
        press(Qt::Key_B);
        settle();
        QCOMPARE(graph()->branchesBeside(), !were);
        press(Qt::Key_B);
        settle();
        QCOMPARE(graph()->branchesBeside(), were);
    }

    void step2MemoryOverTime()
    {
        QVERIFY(workspace()->memory()->isVisible());
        // README's figure is what is shown.
        QFile readme(QStringLiteral(REMAT_SAMPLES "/../../README.md"));
        QVERIFY(readme.open(QIODevice::ReadOnly));
        const QString shown = memoryText(keepAllPeak());
        QVERIFY2(QString::fromUtf8(readme.readAll()).contains(QStringLiteral("when everything is kept: ") + shown),
                 qPrintable(shown));
        QCOMPARE(memory()->scene().keepAll().peakBytes, keepAllPeak());
    }

    void step3TheBudget()
    {
        // By the red line.
        const QPointF from = memory()->layout().budgetHandle(document().budgetBytes()).center();
        const QPointF to = memory()->layout().budgetHandle(keepAllPeak() / 2).center();
        QTest::mousePress(memory(), Qt::LeftButton, {}, from.toPoint());
        QTest::mouseMove(memory(), ((from + to) / 2).toPoint());
        QTest::mouseMove(memory(), to.toPoint());
        QTest::mouseRelease(memory(), Qt::LeftButton, {}, to.toPoint());
        settle();
        const double share = static_cast<double>(document().budgetBytes()) / static_cast<double>(keepAllPeak());
        QVERIFY2(std::abs(share - 0.5) < 0.03, qPrintable(QString::number(share)));
        QVERIFY2(document().currentPlan() && planPeak() <= document().budgetBytes(), "a plan follows");
        // By typing.
        typeBudget(QStringLiteral("50%"));
        QCOMPARE(document().budgetBytes(), keepAllPeak() / 2);
        QVERIFY(named<QLabel>("budgetShare")->text().startsWith(QStringLiteral("50.0")));
        // What is hatched is out of reach.
        const std::int64_t floor = document().model()->floor.bytes;
        QVERIFY(floor > 0 && document().model()->floor.op);
        typeBudget(memoryText(floor / 2));
        QVERIFY(named("budgetError")->isVisible());
        typeBudget(QStringLiteral("50%"));
        QVERIFY(!named("budgetError")->isVisible());
    }

    void step4Solve()
    {
        QVERIFY(named<QComboBox>("planner")->findText(QStringLiteral("HiRemate")) >= 0);
        click(named("solveButton"));
        const SolveReport &report = m_window->session().solver.report();
        QTRY_VERIFY_WITH_TIMEOUT(!report.samples.empty() && report.progress.incumbentTimeUs > 0, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!document().currentPlan()->quick, kPatience);
        const double first = report.progress.incumbentTimeUs;
        QTRY_VERIFY_WITH_TIMEOUT(report.progress.gap >= 0 || report.ended(), kPatience);
        if (!report.ended()) click(named("stopButton"));
        QTRY_VERIFY_WITH_TIMEOUT(report.ended() && m_window->idle(), kPatience);
        QVERIFY2(!document().currentPlan()->quick && planPeak() <= document().budgetBytes(), "the best plan is kept");
        QVERIFY(report.progress.incumbentTimeUs <= first);
        QVERIFY(report.progress.boundTimeUs > 0 && report.progress.boundTimeUs <= report.progress.incumbentTimeUs);
    }

    void step5SelectingSelectsEverywhere()
    {
        // An orange area: what is computed again lies in the memory view; a click selects its storage.
        const MemoryTimeline &line = *document().currentPlan()->timeline;
        const MemoryLayout layout = memory()->layout();
        const auto again = static_cast<std::size_t>(Category::RecomputedActivations);
        std::size_t best = 0;
        const auto area = [&](std::size_t i) {
            return static_cast<double>(line.bytes[again][i]) * (line.endUs[i] - line.startUs[i]);
        };
        for (std::size_t i = 0; i < line.op.size(); ++i)
            if (area(i) > area(best)) best = i;
        QVERIFY(line.bytes[again][best] > 0);
        std::int64_t below = 0;
        for (std::size_t category = 0; category < again; ++category)
            below += line.bytes[category][best];
        const auto &edges = memory()->scene().axis().edges();
        const QPointF at(layout.x.pixel((edges[best] + edges[best + 1]) / 2),
                         layout.y.pixel(static_cast<double>(below + line.bytes[again][best] / 2)));
        QTest::mouseClick(memory(), Qt::LeftButton, {}, at.toPoint());
        QVERIFY(document().selection().storage);
        settle();
        QVERIFY2(graph()->scene().marks.selected >= 0, "the graph shows it, too");
        // A striped op: one that is computed again.
        const std::vector<GraphItem> items = graph()->scene().picture.items;
        const auto striped = std::find_if(items.begin(), items.end(), [this](const GraphItem &item) {
            return item.side == Side::Forward && item.shape == ItemShape::OpCard &&
                   cardState(graph()->scene(), item) == NodeState::Recomputed;
        });
        QVERIFY(striped != items.end());
        clickInGraph(striped->rect);
        const OpId op = document().selection().op;
        QVERIFY(op && document().currentPlan()->recomputedOps[op.index()]);
        QCOMPARE(memory()->scene().selection().op, op);
    }

    void step6AndSevenValidateAndSave()
    {
        choose({QStringLiteral("File"), QStringLiteral("Start page")});
        QTRY_VERIFY(named("startPage")->isVisible());
        click(named("sample.tiny_gpt2"));
        QTRY_VERIFY_WITH_TIMEOUT(document().model() && document().model()->graph().ops.size() < 400 && m_window->idle(),
                                 kPatience);
        solveToTheEnd();
        if (REMAT_HAS_TORCH) {
            click(named("validateButton"));
            QTRY_VERIFY_WITH_TIMEOUT(!m_window->session().runner.validating() && m_window->idle(), kPatience);
            const PlanVerdict verdict = verdictOf(*document().currentPlan(), document().budgetBytes());
            QVERIFY2(verdict.wasRun && verdict.level == VerdictLevel::Ok, verdict.sentence.c_str());
        }
        m_solved = document().currentPlan()->id;
        // Save plan writes it as JSON.
        const QString path = m_folder.filePath(QStringLiteral("tour.json"));
        click(named("savePlanButton"));
        auto *dialog = m_window->findChild<QFileDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        auto *name = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        QVERIFY(name);
        QApplication::clipboard()->setText(path);
        name->selectAll();
        QTest::keyClick(name, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(name->text(), path);
        if (QWidget *completions = QApplication::activePopupWidget()) completions->close();
        auto *buttons = dialog->findChild<QDialogButtonBox *>();
        QVERIFY(buttons);
        QPushButton *save = buttons->button(QDialogButtonBox::Save);
        QVERIFY(save && save->isEnabled());
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_VERIFY(QFile::exists(path));
        QFile written(path);
        QVERIFY(written.open(QIODevice::ReadOnly) && written.readAll().contains("remat-plan/1"));
    }

    void step8TheTradeOff()
    {
        clickTab(Workspace::Area::Center, QStringLiteral("curve"));
        const std::size_t before = document().plans().size();
        click(named("sweepStart"));
        QTRY_VERIFY_WITH_TIMEOUT(document().plans().size() >= before + 3, kPatience);
        if (named("sweepStop")->isEnabled()) click(named("sweepStop"));
        settle();
        CurveView *curve = workspace()->curve();
        const CurvePoint *other = nullptr;
        for (const CurvePoint &point : curve->canvas()->scene().points)
            if (point.planId != document().currentPlan()->id && point.planId > 0) other = &point;
        QVERIFY(other);
        const int id = other->planId;
        const CurveLayout layout = curve->canvas()->layoutNow();
        QTest::mouseClick(curve->canvas(), Qt::LeftButton, {},
                          layout.place(other->peakBytes, other->overhead).toPoint());
        settle();
        const auto loaded = document().currentPlan();
        QVERIFY2(loaded->id == id || std::any_of(document().plans().begin(), document().plans().end(),
                                                 [&](const auto &plan) {
                                                     return plan->id == id &&
                                                            plan->timeline->peakBytes == loaded->timeline->peakBytes;
                                                 }),
                 "a click on a point loads its plan");
        QVERIFY(!curve->more()->steps().empty());
    }

    void step9LanesAddressesMatrix()
    {
        clickTab(Workspace::Area::Bottom, QStringLiteral("lanes"));
        QVERIFY(workspace()->view<LanesView>()->isVisible());
        clickTab(Workspace::Area::Bottom, QStringLiteral("addresses"));
        auto *addresses = workspace()->view<AddressView>();
        QVERIFY(addresses->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(addresses->header()->summary().contains(QStringLiteral("in one piece")), kPatience);
        clickTab(Workspace::Area::Center, QStringLiteral("matrix"));
        QVERIFY(workspace()->view<MatrixView>()->isVisible());
        clickTab(Workspace::Area::Bottom, QStringLiteral("memory"));
    }

    void step10Compare()
    {
        if (!workspace()->leftDock()->isVisible()) press(Qt::Key_1, Qt::AltModifier);
        QTRY_VERIFY(workspace()->leftDock()->isVisible());
        PlansTable *plans = workspace()->leftPanel()->plans();
        QVERIFY(plans->model()->rowCount() >= 2);
        clickRow(plans, 0);
        clickRow(plans, 1, Qt::ControlModifier);
        QTest::keyClick(plans, Qt::Key_C);
        settle();
        QCOMPARE(workspace()->area(Workspace::Area::Center)->current(), QStringLiteral("compare"));
        QCOMPARE(document().compared().size(), std::size_t(2));
        QVERIFY(workspace()->view<CompareView>()->isVisible());
        clickTab(Workspace::Area::Right, QStringLiteral("plan"));
    }

    void step11DecidingByHand()
    {
        clickTab(Workspace::Area::Center, QStringLiteral("graph"));
        const auto kept = [this]() -> std::optional<QRectF> {
            for (const GraphItem &item : graph()->scene().picture.items)
                // What nothing reads later needs no decision.
                if (item.side == Side::Forward && graph()->scene().nodeOf(item).forwardOps.size() == 1 &&
                    cardState(graph()->scene(), item) == NodeState::Kept)
                    return item.rect;
            return std::nullopt;
        };
        // Some plans of the sweep keep nothing that the closed blocks show, such as those of √n; which of them
        // is shown by now depends on how fast the sweep was. The one that was solved for keeps some.
        document().setCurrentPlan(m_solved);
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(kept(), kPatience);
        clickInGraph(*kept());
        const OpId op = document().selection().op;
        QVERIFY(op);
        graph()->canvas()->setFocus();
        press(Qt::Key_K);
        QCOMPARE(document().pins().keep.empty(), false);
        settle();
        press(Qt::Key_N);
        QCOMPARE(document().pins().never.size(), std::size_t(1));
        settle();
        press(Qt::Key_R);
        QCOMPARE(document().pins().recompute.size(), std::size_t(1));
        settle();
        // The plan works around it at once.
        QTRY_VERIFY(document().currentPlan()->recomputedOps[document().pins().recompute.front().index()]);
        press(Qt::Key_I, Qt::ControlModifier);
        settle();
        QTRY_VERIFY(workspace()->view<ExplainView>()->isVisible());
        const auto said = [this] { // what it says comes a moment later
            QString all;
            for (const QLabel *label : workspace()->view<ExplainView>()->findChildren<QLabel *>())
                all += label->text() + u'\n';
            return all;
        };
        QTRY_VERIFY2(said().contains(QStringLiteral("What makes the peak?")) &&
                         said().contains(QStringLiteral("Why is it not faster?")) &&
                         said().contains(QStringLiteral("recomputed?")),
                     qPrintable(said()));
        press(Qt::Key_I, Qt::ControlModifier);
    }

    void step12PaletteFindUndoPages()
    {
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto *palette = m_window->findChild<QWidget *>(QStringLiteral("palette"));
        QTRY_VERIFY(palette && palette->isVisible());
        auto *field = palette->findChild<QLineEdit *>(QStringLiteral("paletteField"));
        QTest::keyClicks(field, QStringLiteral(">R/S matrix"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(workspace()->area(Workspace::Area::Center)->current(), QStringLiteral("matrix"));
        clickTab(Workspace::Area::Center, QStringLiteral("graph"));

        press(Qt::Key_F, Qt::ControlModifier);
        auto *find = named<QLineEdit>("findField");
        QTRY_VERIFY(find->isVisible() && find->hasFocus());
        QTest::keyClicks(find, QStringLiteral("kind:addmm module:h.1 size>1KiB"));
        QTRY_VERIFY2(named<QLabel>("findCount")->text().contains(QStringLiteral("of")) ||
                         named<QLabel>("findCount")->text().contains(QStringLiteral("ops")),
                     qPrintable(named<QLabel>("findCount")->text()));
        QTest::keyClick(find, Qt::Key_Escape);
        press(Qt::Key_F1, Qt::ControlModifier);
        QWidget *help = nullptr;
        QTRY_VERIFY([&] {
            for (QWidget *window : QApplication::topLevelWidgets())
                if (window->objectName() == QLatin1String("helpWindow") && window->isVisible()) help = window;
            return help != nullptr;
        }());
        help->close();
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());

        // Everything can be undone.
        const std::int64_t budget = document().budgetBytes();
        // The point of the sweep that was clicked, which depends on how fast that was, may be the one at 80 %.
        typeBudget(QStringLiteral("77%"));
        QTRY_VERIFY(document().budgetBytes() != budget);
        graph()->canvas()->setFocus();
        press(Qt::Key_Z, Qt::ControlModifier);
        settle();
        QCOMPARE(document().budgetBytes(), budget);

        // Models are tabs; a closed one comes back.
        auto *pages = named<QTabBar>("pageTabBar");
        QVERIFY(pages && pages->isVisible() && pages->count() == 2);
        const QString name = QString::fromStdString(document().model()->graph().name);
        press(Qt::Key_W, Qt::ControlModifier);
        settle();
        QVERIFY(QString::fromStdString(document().model()->graph().name) != name);
        press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(document().model() && m_window->idle() &&
                                     QString::fromStdString(document().model()->graph().name) == name,
                                 kPatience);
        QCOMPARE(document().budgetBytes(), budget);
    }

    void step13Lessons()
    {
        choose({QStringLiteral("Help"), QStringLiteral("Lessons…")});
        QWidget *list = nullptr;
        QTRY_VERIFY([&] {
            for (QWidget *window : QApplication::topLevelWidgets())
                if (window->objectName() == QLatin1String("lessonListWindow") && window->isVisible()) list = window;
            return list != nullptr;
        }());
        QTRY_VERIFY(list->findChildren<QAbstractButton *>(QRegularExpression(QStringLiteral("^lesson\\."))).size() >=
                    12);
        list->close();
        m_window->activateWindow();
    }

    void step14Arrangements()
    {
        graph()->canvas()->setFocus();
        press(Qt::Key_2, Qt::AltModifier | Qt::ShiftModifier);
        QTRY_VERIFY(workspace()->bottomDock()->isFloating());
        graph()->canvas()->setFocus();
        m_window->activateWindow();
        press(Qt::Key_2, Qt::AltModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!workspace()->bottomDock()->isFloating());
        auto *presets = named<SegmentedControl>("presetChoice");
        QVERIFY(presets->isVisible());
        for (const int preset : {1, 2, 0}) {
            QTest::mouseClick(presets, Qt::LeftButton, {},
                              QPoint((2 * preset + 1) * presets->width() / 6, presets->height() / 2));
            settle();
            QCOMPARE(presets->current(), preset);
        }
        QCOMPARE(workspace()->area(Workspace::Area::Right)->current(), QStringLiteral("plan"));
    }

    void pagesCallThingsAsTheWindowDoes_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("section");
        QTest::newRow("tour") << QStringLiteral("README.md") << QStringLiteral("## Five minutes in the window");
        QTest::newRow("more") << QStringLiteral("app/studio/README.md") << QStringLiteral("## More of the window");
    }
    void pagesCallThingsAsTheWindowDoes()
    {
        QFETCH(QString, page);
        QFETCH(QString, section);
        QFile file(QStringLiteral(REMAT_SAMPLES "/../../") + page);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text =
            QString::fromUtf8(file.readAll()).section(section, 1).section(QStringLiteral("\n## "), 0, 0);
        const QSet<QString> names = namesInTheWindow();
        // A word that ends in a full stop begins an item of a list.
        static const QRegularExpression emphasis(QStringLiteral(R"(\*\*?([^*]+?)\*\*?)"));
        static const QRegularExpression keys(QStringLiteral(R"(`((?:Ctrl|Alt|Shift)\+[^`]+)`)"));
        int found = 0;
        for (auto each = emphasis.globalMatch(text); each.hasNext(); ++found) {
            const QString name = plainName(each.next().captured(1).simplified());
            QVERIFY2(name.endsWith(QLatin1Char('.')) || names.contains(name), qPrintable(name));
        }
        for (auto each = keys.globalMatch(text); each.hasNext();) {
            const QString key = each.next().captured(1);
            QVERIFY2(names.contains(key), qPrintable(key));
        }
        QVERIFY2(found > 10, "the section is there and names what it is about");
    }
};

QTEST_MAIN(TestTour)
#include "tst_tour.moc"
