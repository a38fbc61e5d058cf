// SPDX-License-Identifier: Apache-2.0
// Filters, the find bar and the list of results, up to the real window.
#include "app/studio/shell/features/search.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/search/filter_completer.h"
#include "app/studio/views/search/find_bar.h"
#include "app/studio/views/search/results_view.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/costed_models.h"

using namespace remat;
using namespace remat::studio;

class TestSearch : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    std::shared_ptr<const CostedModel> m_model;

    void fill(Document &document) const
    {
        document.setModel(m_model);
        document.addPlan(
            test::recomputingPlan(*m_model, document.nextPlanId(), [](const Op &op) { return op.kind == "tanh"; }));
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto model = test::costedSample("tiny_gpt2");
        if (!model) QFAIL("The samples are not installed.");
        m_model = *model;
    }

    void completesWordsAndValues()
    {
        const Graph &graph = m_model->graph();
        const auto texts = [&](const char *text) {
            QStringList list;
            for (const FilterCompletion &each : filterCompletions(QString::fromUtf8(text), int(qstrlen(text)), &graph))
                list << each.text;
            return list;
        };
        QCOMPARE(texts("si"), QStringList{QStringLiteral("size>")});
        QCOMPARE(texts("kind:addmm -re"), QStringList{QStringLiteral("-recomputed")});
        QVERIFY(texts("kind:add").contains(QStringLiteral("kind:addmm")));
        QVERIFY(texts("phase:").contains(QStringLiteral("phase:backward")));
        QVERIFY(texts("").isEmpty());
        QVERIFY(texts("kind:addmm ").isEmpty());
    }

    void stepsRoundTheMatches()
    {
        Document document;
        fill(document);
        SearchSession search(document);
        search.setText(QStringLiteral("kind:tanh"));
        const auto matches = search.matches();
        QVERIFY(matches.size() >= 2);
        QCOMPARE(search.current(), -1);
        search.step(1);
        QCOMPARE(document.selection().op, matches.front());
        search.step(-1);
        QCOMPARE(document.selection().op, matches.back());
        search.step(1);
        QCOMPARE(search.current(), 0);
        // From an op that is no match to the next one after it.
        document.selectOp(OpId(matches[0].index() + 1));
        QCOMPARE(search.current(), -1);
        search.step(1);
        QCOMPARE(document.selection().op, matches[1]);
        document.selectOp(matches[0]);
        QCOMPARE(search.current(), 0);
        search.setText(QStringLiteral("size>"));
        QVERIFY(search.matches().empty());
        QVERIFY(!search.problem().isEmpty());
    }

    void matchesFollowThePlan()
    {
        Document document;
        fill(document);
        SearchSession search(document);
        search.setText(QStringLiteral("recomputed"));
        const auto before = search.matches();
        QVERIFY(!before.empty());
        document.addPlan(
            test::recomputingPlan(*m_model, document.nextPlanId(), [](const Op &op) { return op.kind == "addmm"; }));
        QTRY_VERIFY(search.matches() != before);
        for (const OpId op : search.matches())
            QVERIFY(document.currentPlan()->recomputedOps[op.index()]);
    }

    void resultsAreATable()
    {
        Document document;
        fill(document);
        SearchSession search(document);
        ResultsTable table(search, document);
        QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        search.setText(QStringLiteral("kind:addmm"));
        QCOMPARE(table.rowCount(), static_cast<int>(search.matches().size()));
        QVERIFY(table.rowCount() > 3);
        for (int column = 0; column < table.columnCount(); ++column)
            for (int row = 0; row < table.rowCount(); ++row)
                QVERIFY(!table.index(row, column).data().toString().isEmpty());
        document.addPlan(
            test::recomputingPlan(*m_model, document.nextPlanId(), [](const Op &op) { return op.kind == "addmm"; }));
        search.setText({});
        QCOMPARE(table.rowCount(), 0);
    }

    void findsInTheWindow()
    {
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        window.openSample(QStringLiteral("tiny_gpt2"));
        QTRY_VERIFY(window.session().document.model() && window.idle());
        Document &document = window.session().document;
        GraphView *graph = window.workspace()->graph();

        QTest::keyClick(graph->canvas(), Qt::Key_F, Qt::ControlModifier);
        auto *bar = window.findChild<FindBar *>();
        QVERIFY(bar && bar->isVisible());
        QTRY_VERIFY(bar->field()->hasFocus());
        QTest::keyClicks(bar->field(), QStringLiteral("kind:tanh"));
        QVERIFY(graph->scene().matches.searching);
        const auto matches = graph->scene().matches.ops;
        QVERIFY(matches.size() >= 2);
        if (auto *popup = bar->findChild<QCompleter *>()) popup->popup()->hide();

        QTest::keyClick(bar->field(), Qt::Key_Return);
        QCOMPARE(document.selection().op, matches[0]);
        QTRY_VERIFY(!graph->layoutPending());
        const auto items = graph->visibleItems();
        QVERIFY(std::any_of(items.begin(), items.end(), [](const VisibleItem &item) { return item.selected; }));
        QTest::keyClick(graph->canvas(), Qt::Key_F3);
        QCOMPARE(document.selection().op, matches[1]);
        QTest::keyClick(graph->canvas(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(document.selection().op, matches[0]);

        QTest::mouseClick(bar->findChild<QAbstractButton *>(QStringLiteral("findList")), Qt::LeftButton);
        auto *table = window.findChild<QTableView *>(QStringLiteral("resultsTable"));
        QTRY_VERIFY(table && table->isVisible());
        QCOMPARE(table->model()->rowCount(), static_cast<int>(matches.size()));
        const QRect second = table->visualRect(table->model()->index(1, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, second.center());
        QCOMPARE(document.selection().op, matches[1]);

        bar->field()->setFocus();
        bar->field()->selectAll();
        QTest::keyClicks(bar->field(), QStringLiteral("size>big"));
        auto *problem = bar->findChild<QLabel *>(QStringLiteral("findProblem"));
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QStringLiteral("big")), qPrintable(problem->text()));
        // Also while something could be stopped with the same key.
        QAction *stop = window.commands().action(command::kStop);
        QSignalSpy stopped(stop, &QAction::triggered);
        stop->setEnabled(true);
        QTest::keyClick(bar->field(), Qt::Key_Escape);
        QCOMPARE(stopped.size(), 0);
        QVERIFY(!bar->isVisible());
        QVERIFY(!graph->scene().matches.searching);
        QCOMPARE(window.focusWidget(), graph->canvas());
    }

    void looksAsDrawn_data() { fixture::lookRows({{"_small", {928, 240}}, {"_large", {1230, 300}}}); }

    void looksAsDrawn()
    {
        const fixture::RowLook look;
        QFETCH(QSize, size);
        Document document;
        fill(document);
        SearchSession search(document);
        QWidget page;
        auto *rows = new QVBoxLayout(&page);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        auto *bar = new FindBar(search, document);
        rows->addWidget(bar);
        rows->addWidget(new ResultsView(search, document), 1);
        search.setText(QStringLiteral("kind:addmm -phase:backward"));
        search.step(1);
        bar->show();
        page.resize(size);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        fixture::looksAsItDid(page, "results");
    }
};

QTEST_MAIN(TestSearch)
#include "tst_search.moc"
