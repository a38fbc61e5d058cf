// SPDX-License-Identifier: Apache-2.0
// What the command line has done in a window: commands by id, a budget, a planner, a selection, a picture.
#include "app/studio/shell/palette/palette_box.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/window/start_up.h"
#include "app/studio/shell/window/window_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/graph/graph_view.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/work/document/time_window.h"
#include "tests/studio/window_fixture.h"

#include <algorithm>
#include <functional>

using namespace remat;
using namespace remat::studio;

class TestStartUp : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;

    /// Does the steps in a new window with a chain of 12 stages; what it ended with, empty when all went well.
    QString after(const QStringList &steps, const std::function<void(MainWindow &)> &look, const QString &picture = {})
    {
        QSettings().clear();
        MainWindow window;
        window.resize(1280, 800);
        window.show();
        StartUp startUp(window);
        QString problem = startUp.refusal(steps);
        if (!problem.isEmpty()) return problem;
        window.openFile(fixture::writeChain(m_folder, 12));
        QSignalSpy refused(&startUp, &StartUp::refused), ended(&startUp, &StartUp::ended);
        startUp.start(steps, picture);
        if (!QTest::qWaitFor([&] { return refused.size() + ended.size() > 0; }, 60000))
            return QStringLiteral("nothing ended");
        look(window);
        return (refused.isEmpty() ? ended : refused).front().front().toString();
    }

private Q_SLOTS:
    void stepsAreDoneInTheirOrder()
    {
        const QString problem =
            after({QStringLiteral("planner=chen-sqrt"), QStringLiteral("budget=70%"), QStringLiteral("solve"),
                   QStringLiteral("planner=keep-all"), QStringLiteral("budget=100%"), QStringLiteral("solve"),
                   QStringLiteral("show.lanes"), QStringLiteral("step=5"), QStringLiteral("select=f3")},
                  [](MainWindow &window) {
                      const Document &document = window.session().document;
                      const auto &jobs = window.session().solver.jobs();
                      QCOMPARE(jobs.size(), std::size_t(2));
                      QCOMPARE(jobs.front()->settings().planner, std::string("chen-sqrt"));
                      QCOMPARE(jobs.back()->settings().planner, std::string("keep-all"));
                      QVERIFY(jobs.front()->report().budgetBytes < jobs.back()->report().budgetBytes);
                      QCOMPARE(document.budgetBytes(), document.model()->keepAll->peakBytes);
                      QCOMPARE(document.model()->graph().op(document.selection().op).name, std::string("f3"));
                      const auto line = document.timeline();
                      const auto at = std::upper_bound(line->startUs.begin(), line->startUs.end(), document.cursorUs());
                      QVERIFY(line->step[static_cast<std::size_t>(at - line->startUs.begin() - 1)] <= 5);
                      QCOMPARE(window.workspace()->area(Workspace::Area::Bottom)->current(), QStringLiteral("lanes"));
                  });
        QCOMPARE(problem, QString());
    }

    void clustersAndStoragesCanBeSelected()
    {
        QCOMPARE(after({QStringLiteral("select=a7")},
                       [](MainWindow &window) {
                           const Document &document = window.session().document;
                           QCOMPARE(document.model()->graph().storage(document.selection().storage).name,
                                    std::string("a7"));
                       }),
                 QString());
        QCOMPARE(after({QStringLiteral("select=layers")},
                       [](MainWindow &window) {
                           QCOMPARE(window.workspace()->graph()->path().back().path, QStringLiteral("layers"));
                       }),
                 QString());
    }

    void optionsOfThePlannerAreSet()
    {
        using Values = std::map<std::string, std::string>;
        QCOMPARE(after({QStringLiteral("planner=hiremate"), QStringLiteral("set=partitioner=sub-graphs"),
                        QStringLiteral("set=lite=off"), QStringLiteral("set=levels=9")},
                       [](MainWindow &window) {
                           const SolveSettings settings = window.workspace()->planPanel()->settings();
                           QCOMPARE(settings.planner, std::string("hiremate"));
                           QVERIFY((settings.options ==
                                    Values{{"partitioner", "sub-graphs"}, {"lite", "false"}, {"levels", "9"}}));
                       }),
                 QString());
    }

    void textIsTypedWhereTheKeyboardIs()
    {
        QCOMPARE(after({QStringLiteral("palette"), QStringLiteral("type=@f1")},
                       [](MainWindow &window) {
                           auto *box = window.findChild<PaletteBox *>();
                           QVERIFY(box && box->isVisible());
                           QCOMPARE(box->field()->text(), QStringLiteral("@f1"));
                       }),
                 QString());
    }

    void whatIsNotThereIsRefused_data()
    {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("command") << "showLanes"
                                 << "There is no command “showLanes”. Did you mean show.lanes?";
        QTest::newRow("verb") << "selekt=f1"
                              << "There is no command “selekt=f1”. Did you mean select=?";
        QTest::newRow("op") << "select=layers.99"
                            << "The model has nothing called “layers.99”. Did you mean “layers.9”?";
        QTest::newRow("step") << "step=100000"
                              << "There is no step “100000”. The steps are 0 to ";
        QTest::newRow("no number") << "step=ten"
                                   << "There is no step “ten”. The steps are 0 to ";
        QTest::newRow("planner") << "planner=hiremat"
                                 << "There is no planner \"hiremat\"";
        QTest::newRow("option") << "set=colour=red"
                                << "colour";
        QTest::newRow("budget") << "budget=much"
                                << "much";
        QTest::newRow("animation") << "animation=/nowhere/steps.png"
                                   << "/nowhere";
        QTest::newRow("disabled") << "compareSwap"
                                  << "“compareSwap” is not possible here.";
    }

    void whatIsNotThereIsRefused()
    {
        QFETCH(QString, step);
        QFETCH(QString, sentence);
        const QString problem = after({step, QStringLiteral("quit")}, [](MainWindow &) {});
        QVERIFY2(problem.contains(sentence), qPrintable(problem));
    }

    void aPictureShowsDialogsToo()
    {
        const QString path = m_folder.filePath(QStringLiteral("window.png"));
        QImage alone;
        QCOMPARE(after(
                     {QStringLiteral("keys")},
                     [&](MainWindow &window) { alone = window.grab().toImage().convertToFormat(QImage::Format_RGB32); },
                     path),
                 QString());
        const QImage picture = QImage(path).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(picture.size(), QSize(1280, 800));
        QVERIFY(picture != alone);
        QVERIFY(after(
                    {}, [](MainWindow &) {}, m_folder.filePath(QStringLiteral("none/window.png")))
                    .endsWith(QStringLiteral("cannot be written.")));
    }

    void theProgramRefusesBadValues_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("command") << QStringList{QStringLiteral("--do"), QStringLiteral("nothing")}
                                 << QByteArray("There is no command");
        QTest::newRow("without a model") << QStringList{QStringLiteral("--do"), QStringLiteral("select=a"),
                                                        QStringLiteral("--screenshot"), QStringLiteral("x.png")}
                                         << QByteArray("needs an open model");
        QTest::newRow("unknown option") << QStringList{QStringLiteral("--help-all")} << QByteArray("help-all");
        QTest::newRow("question as a value")
            << QStringList{QStringLiteral("--sample"), QStringLiteral("-h")} << QByteArray("There is no sample -h");
        QTest::newRow("size") << QStringList{QStringLiteral("--size"), QStringLiteral("big")}
                              << QByteArray("big is no size");
    }

    void theProgramRefusesBadValues()
    {
        QFETCH(QStringList, arguments);
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char *folder : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            environment.insert(QLatin1String(folder), m_folder.path());
        program.setProcessEnvironment(environment);
        program.setWorkingDirectory(m_folder.path());
        program.start(QStringLiteral(REMAT_BIN "/remat-studio"), arguments);
        QVERIFY(program.waitForFinished(120000));
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 2);
        QFETCH(QByteArray, says);
        const QByteArray said = program.readAllStandardError();
        QVERIFY2(said.contains(says), said.constData());
    }

    void questionsNeedNoDisplay_data()
    {
        QTest::addColumn<QString>("question");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("help") << QStringLiteral("--help") << 0 << QByteArray("Usage:");
        QTest::newRow("version") << QStringLiteral("--version") << 0 << QByteArray("remat-studio ");
        QTest::newRow("window") << QStringLiteral("--solve") << 2 << QByteArray("There is no display");
    }

    void questionsNeedNoDisplay()
    {
        QFETCH(const QString, question);
        QFETCH(const QByteArray, says);
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        program.setProcessEnvironment(environment);
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.start(QStringLiteral(REMAT_BIN "/remat-studio"), {question});
        QVERIFY(program.waitForFinished(120000));
        QTEST(program.exitCode(), "code");
        const QByteArray said = program.readAll();
        QVERIFY2(said.contains(says), said.constData());
    }
};

QTEST_MAIN(TestStartUp)
#include "tst_start_up.moc"
