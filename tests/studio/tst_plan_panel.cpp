// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/base/text/text.h"
#include "app/studio/views/plan/budget_box.h"
#include "app/studio/views/plan/budget_slider.h"
#include "app/studio/views/plan/figures.h"
#include "app/studio/views/plan/options_form.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/views/plan/progress_box.h"
#include "app/studio/views/shared/cluster_table.h"
#include "app/studio/views/shared/step_chart.h"
#include "app/studio/views/shared/verdict.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestPlanPanel : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::shared_ptr<const CostedModel> m_model;

    static QString text(const QWidget &parent, const char *name)
    {
        const auto *label = parent.findChild<TokenLabel *>(QString::fromLatin1(name));
        return label ? label->text() : QStringLiteral("there is no such label");
    }

private Q_SLOTS:
    void initTestCase() { m_model = fixture::openChain(fixture::writeChain(m_folder, 36)); }

    void fieldTakesBytesSharesAndDifferences_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("share");
        QTest::newRow("percent") << "70%" << 0.7;
        QTest::newRow("bytes") << "18MiB" << -18.0;
        QTest::newRow("under keep-all") << "-5MiB" << 5.0;
    }

    void fieldTakesBytesSharesAndDifferences()
    {
        QFETCH(QString, typed);
        QFETCH(double, share);
        Document document;
        document.setModel(m_model);
        BudgetBox box(&document, {});
        QSignalSpy moves(&document, &Document::budgetMoved);
        auto *field = box.findChild<QLineEdit *>(QStringLiteral("budgetField"));
        QVERIFY(field);
        field->selectAll();
        QTest::keyClicks(field, typed);
        QCOMPARE(moves.count(), 0);
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(moves.count(), 1);
        const std::int64_t bytes = document.budgetBytes();
        const auto peak = static_cast<double>(m_model->keepAll->peakBytes);
        const double wanted = share < 0   ? -share * double(kMiB)
                              : share > 1 ? peak - share * double(kMiB)
                                          : share * peak;
        QVERIFY(std::abs(static_cast<double>(bytes) - wanted) <= 1);
    }

    void fieldTakesWhatPeopleWrite_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<qint64>("bytes");
        const auto peak = static_cast<double>(m_model->keepAll->peakBytes);
        QTest::newRow("unit") << "8 GB" << qint64(8000000000);
        QTest::newRow("fraction") << "0.6" << static_cast<qint64>(0.6 * peak);
        QTest::newRow("product") << "8 * 2**30" << 8 * qint64(kGiB);
        QTest::newRow("plain bytes") << "8589934592" << 8 * qint64(kGiB);
    }

    void fieldTakesWhatPeopleWrite()
    {
        QFETCH(QString, typed);
        QFETCH(qint64, bytes);
        Document document;
        document.setModel(m_model);
        BudgetBox box(&document, {});
        auto *field = box.findChild<QLineEdit *>(QStringLiteral("budgetField"));
        field->selectAll();
        QTest::keyClicks(field, typed);
        QVERIFY(!field->property("invalid").toBool());
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(qint64(document.budgetBytes()), bytes);
    }

    void twoMeaningsAreBothSaid_data()
    {
        QTest::addColumn<QStringList>("meanings");
        QTest::newRow("8") << QStringList{QStringLiteral("8GiB"), QStringLiteral("8%")};
        QTest::newRow("8G") << QStringList{QStringLiteral("8GB"), QStringLiteral("8GiB")};
    }

    void twoMeaningsAreBothSaid()
    {
        QFETCH(QStringList, meanings);
        Document document;
        document.setModel(m_model);
        BudgetBox box(&document, {});
        box.show();
        const std::int64_t before = document.budgetBytes();
        auto *field = box.findChild<QLineEdit *>(QStringLiteral("budgetField"));
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(QTest::currentDataTag()));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document.budgetBytes(), before);
        for (const QString &meaning : meanings)
            QVERIFY2(text(box, "budgetError").contains(meaning), qPrintable(text(box, "budgetError")));
    }

    void nonsenseIsMarkedAndNotTaken()
    {
        Document document;
        document.setModel(m_model);
        BudgetBox box(&document, {});
        box.show();
        const std::int64_t before = document.budgetBytes();
        QSignalSpy moves(&document, &Document::budgetMoved);
        auto *field = box.findChild<QLineEdit *>(QStringLiteral("budgetField"));
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("lots"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(moves.count(), 0);
        QVERIFY(field->property("invalid").toBool());
        const auto *error = box.findChild<TokenLabel *>(QStringLiteral("budgetError"));
        QVERIFY(error->isVisible());
        QVERIFY(!error->text().isEmpty());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->property("invalid").toBool());
        QCOMPARE(field->text(), memoryText(before));
    }

    void underTheFloorIsMarked()
    {
        Document document;
        document.setModel(m_model);
        BudgetBox box(&document, {});
        document.setBudget(m_model->floor.bytes - 1);
        QVERIFY(box.findChild<QLineEdit *>(QStringLiteral("budgetField"))->property("invalid").toBool());
        document.setBudget(m_model->floor.bytes);
        QVERIFY(!box.findChild<QLineEdit *>(QStringLiteral("budgetField"))->property("invalid").toBool());
    }

    void sliderDragsAndSteps()
    {
        Document document;
        document.setModel(m_model);
        BudgetBox box(&document, {});
        box.resize(300, 140);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        auto *slider = box.findChild<BudgetSlider *>();
        QSignalSpy drags(&document, &Document::budgetDragChanged), moves(&document, &Document::budgetMoved);
        QTest::mousePress(slider, Qt::LeftButton, {}, QPoint(slider->width() / 2, 14));
        QTest::mouseMove(slider, QPoint(slider->width() * 3 / 4, 14));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(slider->width() * 3 / 4, 14));
        QCOMPARE(drags.count(), 2);
        QVERIFY(moves.count() >= 1);
        const auto permille = [&] {
            return std::lround(1000.0 * static_cast<double>(document.budgetBytes()) /
                               static_cast<double>(m_model->keepAll->peakBytes));
        };
        QVERIFY2(std::abs(permille() - 750) < 30, qPrintable(QString::number(permille())));

        document.setBudget(m_model->keepAll->peakBytes / 2);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(permille(), 510L);
        QTest::keyClick(slider, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(permille(), 511L);
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(permille(), 1000L);
        QCOMPARE(drags.count(), 2);
    }

    void formIsMadeFromRecords()
    {
        OptionRecord integer;
        integer.name = "levels";
        integer.label = "Levels";
        integer.type = OptionType::Int;
        integer.defaultNumber = 12;
        integer.minimum = 1;
        integer.maximum = 99;
        integer.unit = "MiB";
        integer.text = "How many.";
        OptionRecord real = integer;
        real.name = "gap";
        real.type = OptionType::Real;
        real.defaultNumber = 0.5;
        real.minimum = 0;
        real.unit = "%";
        OptionRecord flag = integer;
        flag.name = "polish";
        flag.type = OptionType::Bool;
        flag.defaultNumber = 1;
        flag.advanced = true;
        OptionRecord choice = integer;
        choice.name = "order";
        choice.type = OptionType::Choice;
        choice.defaultChoice = "graph";
        choice.choices = {"graph", "size"};

        OptionsForm form;
        form.setRecords({integer, real, flag, choice}, {{"levels", "20"}});
        auto *levels = form.findChild<QSpinBox *>(QStringLiteral("option.levels"));
        QVERIFY(levels);
        QCOMPARE(levels->value(), 20);
        QCOMPARE(levels->maximum(), 99);
        QCOMPARE(levels->suffix().trimmed(), QStringLiteral("MiB"));
        QCOMPARE(levels->toolTip(), QStringLiteral("How many."));
        QCOMPARE(levels->accessibleName(), QStringLiteral("Levels"));
        using Values = std::map<std::string, std::string>;
        QCOMPARE(form.values(), (Values{{"levels", "20"}}));
        levels->setValue(12);
        QVERIFY(form.values().empty());

        auto *polish = form.findChild<QCheckBox *>(QStringLiteral("option.polish"));
        form.show();
        QVERIFY(!polish->isVisible()); // folded
        QTest::mouseClick(form.findChild<StudioButton *>(QStringLiteral("advancedFold")), Qt::LeftButton);
        QVERIFY(polish->isVisible());
        polish->setChecked(false);
        form.findChild<QComboBox *>(QStringLiteral("option.order"))->setCurrentText(QStringLiteral("size"));
        form.findChild<QDoubleSpinBox *>(QStringLiteral("option.gap"))->setValue(1.25);
        const Values values = form.values();
        QCOMPARE(values, (Values{{"gap", "1.25"}, {"order", "size"}, {"polish", "false"}}));
        const auto options = makeOptions({integer, real, flag, choice}, values);
        QVERIFY2(options.has_value(), options ? "" : options.error().message.c_str());
    }

    void whatAFieldDoesNotTakeIsExplainedBelowIt()
    {
        OptionRecord integer;
        integer.name = "levels";
        integer.label = "Levels";
        integer.defaultNumber = 12;
        integer.minimum = 1;
        integer.maximum = 99;
        OptionsForm form;
        form.setRecords({integer}, {});
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form));
        auto *levels = form.findChild<QSpinBox *>(QStringLiteral("option.levels"));
        auto *hint = form.findChild<TokenLabel *>(QStringLiteral("hint.levels"));
        QVERIFY(hint->isHidden());
        levels->setFocus();
        levels->selectAll();
        QTest::keyClicks(levels, QStringLiteral("123"));
        QVERIFY(!hint->isHidden());
        QVERIFY(levels->property("invalid").toBool());
        QVERIFY2(hint->text().contains(QStringLiteral("1 to 99")), qPrintable(hint->text()));
        QTest::keyClick(levels, Qt::Key_Backspace);
        QVERIFY(hint->isHidden());
        QVERIFY(!levels->property("invalid").toBool());
    }

    void plannersStandInGroups()
    {
        PlannerBox box;
        auto *list = box.findChild<PlannerCombo *>();
        int titles = 0;
        for (int row = 0; row < list->count(); ++row) {
            const bool title = !(list->model()->flags(list->model()->index(row, 0)) & Qt::ItemIsEnabled);
            QCOMPARE(list->itemData(row).toString().isEmpty(), title);
            titles += title ? 1 : 0;
        }
        QCOMPARE(titles, 4);
        QCOMPARE(list->count() - titles, static_cast<int>(planners().size()));
        QCOMPARE(box.settings().planner, std::string("auto"));
    }

    void everyPlannersFormGivesOptionsItTakes()
    {
        PlannerBox box;
        for (const Planner *planner : planners()) {
            box.setPlanner(planner->info.name);
            const SolveSettings settings = box.settings();
            QCOMPARE(settings.planner, planner->info.name);
            QVERIFY(settings.options.empty());
            QVERIFY(makeOptions(planner->info.options, settings.options).has_value());
            QVERIFY(!text(box, "plannerSource").isEmpty());
        }
    }

    void figuresStandBesideTheirBounds()
    {
        Figures figures;
        figures.setNone({});
        QCOMPARE(text(figures, "figure.peak"), dash());
        Document document;
        document.setModel(m_model);
        document.setBudget(m_model->keepAll->peakBytes / 2);
        const auto entry = fixture::solvedEntry(*m_model, "chen-sqrt", document.budgetBytes(), 1);
        figures.setPlan(document, *entry);
        QVERIFY(text(figures, "figure.standing").startsWith(QStringLiteral("Solved, gap")));
        QCOMPARE(text(figures, "figure.peak"), bytesText(entry->timeline->peakBytes, Rounding::Up));
        QCOMPARE(text(figures, "figure.overhead"), shareText(entry->timeline->timeUs / m_model->keepAllTimeUs - 1));
        QVERIFY(text(figures, "figure.overhead.note").contains(QStringLiteral("bound")));
        QVERIFY(text(figures, "figure.time.note").startsWith(QLatin1Char('+')));
        const auto again = std::count(entry->recomputedOps.begin(), entry->recomputedOps.end(), 1);
        QVERIFY(again > 0);
        QCOMPARE(text(figures, "figure.recomputed"),
                 QStringLiteral("%1 of %2 ops").arg(again).arg(m_model->graph().ops.size()));
    }

    void theBoundNamesItsCutAndLeadsThere()
    {
        Document document;
        document.setModel(m_model);
        Figures figures;
        connect(&figures, &Figures::cutChosen, &document, &Document::selectOp);
        const std::int64_t budget = m_model->keepAll->peakBytes / 2;
        const auto entry = fixture::solvedEntry(*m_model, "chen-sqrt", budget, 1);
        const OpId cut = entry->plan->predicted.lowerBoundCut;
        QVERIFY(cut);
        document.setBudget(budget);
        figures.setPlan(document, *entry);
        const QString name = OpLabels(m_model->graph()).op(m_model->graph(), cut);
        QVERIFY(text(figures, "figure.bound.note").contains(name));

        auto *note = figures.findChild<TokenLabel *>(QStringLiteral("figure.bound.note"));
        QVERIFY(note->toolTip().contains(toQString(entry->plan->predicted.lowerBoundMethod)));
        QTest::mouseClick(note, Qt::RightButton);
        QVERIFY(!document.selection().op);
        QTest::mouseClick(note, Qt::LeftButton);
        QVERIFY(document.selection().op == cut);
        document.selectOp({});
        QTest::keyClick(note, Qt::Key_Return);
        QVERIFY(document.selection().op == cut);

        document.selectOp({});
        figures.setNone({});
        QTest::mouseClick(note, Qt::LeftButton);
        QVERIFY(!document.selection().op);
        QCOMPARE(note->focusPolicy(), Qt::NoFocus);
    }

    void verdictsSayTheStrongestThing()
    {
        const std::int64_t peak = m_model->keepAll->peakBytes;
        auto entry = std::make_shared<PlanEntry>(*fixture::solvedEntry(*m_model, "keep-all", peak, 1));
        Document document;
        document.setModel(m_model);
        document.setBudget(peak);
        VerdictLook look = verdictLook(document, *entry);
        QCOMPARE(look.title, QStringLiteral("Proven best"));
        QVERIFY(look.sentence.contains(QStringLiteral("Every step was replayed without an error. Peak ")));
        auto plan = std::make_shared<Plan>(*entry->plan);
        plan->validated = ValidationRecord{};
        plan->validated->device = "cuda";
        plan->validated->lossEqual = plan->validated->peakHolds = plan->validated->passed = true;
        plan->validated->measuredPeakBytes = peak;
        entry->plan = plan;
        look = verdictLook(document, *entry);
        QCOMPARE(look.title, QStringLiteral("Validated on GPU"));
        QVERIFY(look.ink == Token::Ok && look.back == Token::OkSoft);
        document.setBudget(peak - 1);
        look = verdictLook(document, *entry);
        QVERIFY(look.ink == Token::Warn && look.back == Token::WarnSoft);
        QVERIFY(!look.sentence.contains(QStringLiteral("within")));
        entry->check = Verdict{false, 4, "Step 4 reads what is not there.", 0, 0};
        look = verdictLook(document, *entry);
        QVERIFY(look.ink == Token::Error);
        QCOMPARE(look.sentence, QStringLiteral("Step 4 reads what is not there."));
        QCOMPARE(verdictLook(document, *entry, QStringLiteral("Running")).sentence, QStringLiteral("Running"));
    }

    void clusterRows()
    {
        ClusterTable table;
        ClusterProgress running;
        running.name = std::string("block 1");
        running.uses = 12;
        running.options = 7;
        running.running = true;
        ClusterProgress done = running;
        done.gap = 0.0007;
        done.seconds = 1.6;
        done.running = false;
        table.setClusters({done, running});
        const auto cell = [&](int row, int column) { return table.model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, ClusterModel::Uses), QStringLiteral("×12"));
        QCOMPARE(cell(0, ClusterModel::Gap), shareText(0.0007));
        QCOMPARE(cell(0, ClusterModel::Time), timeText(1.6e6));
        QCOMPARE(cell(1, ClusterModel::Gap), dash());
        QVERIFY(table.model()->index(1, 0).data(ClusterModel::kRunningRole).toBool());
        // One level, and nothing chosen yet: no columns for them.
        QVERIFY(table.isColumnHidden(ClusterModel::Level));
        QVERIFY(table.isColumnHidden(ClusterModel::Chosen));
        // With levels the names have room while all runs, and when it ended without a choice.
        done.level = 2;
        table.resize(280, 200); // as wide as the panel
        for (const ClusterProgress &other : {running, done}) {
            done.done = true;
            table.setClusters({done, other});
            QVERIFY2(table.columnWidth(ClusterModel::Name) > 60, qPrintable(QString::number(table.columnWidth(0))));
            QVERIFY(table.isColumnHidden(ClusterModel::Gap));
        }
        QCOMPARE(table.model()->index(0, ClusterModel::Name).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("block 1"));
        done.chosen = {{3 << 20, 1500, 8}, {1 << 20, 2500, 4}};
        table.setClusters({running, done});
        QVERIFY(!table.isColumnHidden(ClusterModel::Level));
        QVERIFY(!table.isColumnHidden(ClusterModel::Chosen));
        QVERIFY2(table.columnWidth(ClusterModel::Name) > 60, qPrintable(QString::number(table.columnWidth(0))));
        QCOMPARE(cell(1, ClusterModel::Level), QStringLiteral("2"));
        QCOMPARE(cell(0, ClusterModel::Chosen), dash());
        QCOMPARE(cell(1, ClusterModel::Chosen), QStringLiteral("2"));
        const QString said = table.model()->index(1, ClusterModel::Chosen).data(Qt::ToolTipRole).toString();
        QVERIFY2(said.contains(QStringLiteral("×8: holds ") + memoryText(3 << 20)), qPrintable(said));
    }

    void looksAsItDid_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::newRow("light") << int(Scheme::Light);
        QTest::newRow("dark") << int(Scheme::Dark);
        QTest::newRow("contrast") << int(Scheme::HighContrast);
    }

    void looksAsItDid()
    {
        const fixture::RowLook look;
        Document document;
        document.setModel(m_model);
        document.setBudget(m_model->keepAll->peakBytes / 2);
        const auto entry = fixture::solvedEntry(*m_model, "chen-sqrt", document.budgetBytes(), 1);
        QWidget page;
        auto *column = new QVBoxLayout(&page);
        column->addWidget(new BudgetBox(&document));
        auto *figures = new Figures;
        figures->setPlan(document, *entry);
        column->addWidget(figures);
        auto *chart = new StepChart;
        chart->setSamples({{0.1, -1, 1100}, {0.5, 1500, 1150}, {2, 1300, 1200}, {3, 1250, 1240}}, 1000, 3.5);
        column->addWidget(chart);
        auto *clusters = new ClusterTable;
        ClusterProgress running;
        running.name = std::string("block 1");
        running.uses = 12;
        running.options = 7;
        running.seconds = 0.3;
        running.running = true;
        clusters->setClusters({running});
        column->addWidget(clusters);
        auto *verdict = new VerdictBox;
        verdict->setLook(verdictLook(document, *entry));
        column->addWidget(verdict);
        page.resize(328, 560);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        QString difference = fixture::goldenDifference(page, QStringLiteral("plan_panel_%1.png").arg(tag));
        page.resize(440, 600);
        if (difference.isEmpty())
            difference = fixture::goldenDifference(page, QStringLiteral("plan_panel_%1_wide.png").arg(tag));
        QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }

    void infeasibleOffersTheFloor()
    {
        Document document;
        document.setModel(m_model);
        document.setBudget(m_model->floor.bytes - 1);
        SolveRunner runner(document);
        ProgressBox box(&runner);
        SolveSettings settings;
        settings.planner = std::string("keep-all");
        runner.solve(settings);
        QVERIFY(text(box, "solveSentence").startsWith(QStringLiteral("No plan fits ")));
        auto *button = box.findChild<StudioButton *>(QStringLiteral("goToFloor"));
        QVERIFY(!button->isHidden());
        QSignalSpy wanted(&box, &ProgressBox::floorWanted);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(wanted.count(), 1);
    }
};

QTEST_MAIN(TestPlanPanel)
#include "tst_plan_panel.moc"
