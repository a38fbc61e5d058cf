// SPDX-License-Identifier: Apache-2.0
// How the window as a whole looks, and what floats over it: arrangements, icon rail, second column, step player, key
// sheet, help. Each view has pictures of its own in its own test; that none is missing is counted here.
#include "app/studio/shell/help/help_window.h"
#include "app/studio/shell/help/keys_window.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/shell/workspace/icon_rail.h"
#include "app/studio/shell/workspace/window_commands.h"
#include "app/studio/shell/workspace/workspace.h"
#include "app/studio/views/plan/plan_panel.h"
#include "app/studio/views/plan/planner_box.h"
#include "app/studio/work/pages/autosave.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestWindowPictures : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    /// Its views have pictures of their own that look closer; here it counts that everything is in its place.
    static constexpr double kMostOfWindow = 0.02;

    Document &document() { return m_window->session().document; }

    void open(QSize size)
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openFile(fixture::writeChain(m_folder, 12));
        QTRY_VERIFY(document().model() && m_window->idle());
        const std::int64_t all = document().model()->keepAll->peakBytes;
        for (const auto &[planner, tenths] : {std::pair{"chen-sqrt", 7}, std::pair{"rotor", 5}})
            document().addPlan(
                fixture::solvedEntry(*document().model(), planner, all * tenths / 10, document().nextPlanId()));
        // What the machine and the clock decide stays out of the picture.
        QJsonObject planner = m_window->workspace()->planPanel()->plannerBox()->saveState();
        planner[QStringLiteral("threads")] = 4;
        m_window->workspace()->planPanel()->plannerBox()->restoreState(planner);
    }

    QString windowDifference(const QString &name)
    {
        QTest::qWait(400); // animations end
        if (!QTest::qWaitFor([this] { return m_window->idle(); }, 60000)) return QStringLiteral("never idle");
        m_window->autosave().disconnect();
        m_window->findChild<QLabel *>(QStringLiteral("status.saved"))->hide();
        return fixture::goldenDifference(*m_window, name, kMostOfWindow);
    }

    static void addThemes()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << int(Scheme::Light) << QStringLiteral("light");
        QTest::newRow("dark") << int(Scheme::Dark) << QStringLiteral("dark");
    }

private Q_SLOTS:
    void init()
    {
        QFETCH(int, scheme);
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
    }
    void cleanup()
    {
        m_window.reset();
        Theme::instance().setScheme(Scheme::Light);
    }

    void arrangements_data() { addThemes(); }
    void arrangements()
    {
        QFETCH(QString, theme);
        for (const QSize &size : {QSize(1280, 800), QSize(1600, 1000)}) {
            open(size);
            for (const char *preset : {"plan", "compare", "learn"}) {
                m_window->commands().find(QStringLiteral("preset.") + QLatin1String(preset))->trigger();
                if (qstrcmp(preset, "learn") == 0)
                    for (int i = 0; i < 15; ++i)
                        m_window->commands().find(QStringLiteral("stepForward"))->trigger();
                const QString name =
                    QStringLiteral("window_%1_%2_%3.png").arg(QLatin1String(preset), theme).arg(size.width());
                QCOMPARE(windowDifference(name), QString());
                if (qstrcmp(preset, "learn") != 0) continue;
                auto *strip = m_window->findChild<QWidget *>(QStringLiteral("stepStrip"));
                QCOMPARE(
                    fixture::goldenDifference(*strip, QStringLiteral("player_%1_%2.png").arg(theme).arg(size.width())),
                    QString());
            }
        }
    }

    void secondColumn_data() { addThemes(); }
    void secondColumn()
    {
        QFETCH(QString, theme);
        for (const QSize &size : {QSize(2560, 1440), QSize(2200, 1200)}) {
            open(size);
            QVERIFY(m_window->workspace()->area(Workspace::Area::Second)->has(QStringLiteral("curve")));
            QCOMPARE(windowDifference(QStringLiteral("window_wide_%1_%2.png").arg(theme).arg(size.width())), QString());
        }
    }

    void iconRail_data() { addThemes(); }
    void iconRail()
    {
        QFETCH(QString, theme);
        for (const int height : {240, 520}) {
            IconRail rail;
            rail.resize(IconRail::kWidth, height);
            QCOMPARE(fixture::goldenDifference(rail, QStringLiteral("rail_%1_%2.png").arg(theme).arg(height)),
                     QString());
        }
    }

    void keysAndHelp_data() { addThemes(); }
    void keysAndHelp()
    {
        QFETCH(QString, theme);
        // A few rows of the window's own commands: features, and commands beside these, come and go.
        QWidget owner;
        Commands commands(&owner);
        addWindowCommands(commands);
        KeysWindow keys(commands, &owner);
        HelpWindow help(commands, &owner);
        keys.findChild<QLineEdit *>()->setText(QStringLiteral("panel"));
        help.findChild<QLineEdit *>()->setText(QStringLiteral("panel"));
        for (const QSize &size : {QSize(620, 480), QSize(820, 720)}) {
            for (const auto &[sheet, name] : {std::pair<QWidget *, const char *>(&keys, "keys"),
                                              std::pair<QWidget *, const char *>(&help, "help")}) {
                sheet->resize(size);
                sheet->show();
                QVERIFY(QTest::qWaitForWindowExposed(sheet));
                QCOMPARE(fixture::goldenDifference(
                             *sheet, QStringLiteral("%1_%2_%3.png").arg(QLatin1String(name), theme).arg(size.width()),
                             kMostOfWindow),
                         QString());
                sheet->hide();
            }
        }
    }

    void everyViewHasPictures_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QStringList>("names");
        // %1 is the theme; two sizes each.
        const auto view = [](const char *name, const char *first, const char *second) {
            QTest::newRow(name) << int(Scheme::Light) << QStringList{QLatin1String(first), QLatin1String(second)};
        };
        view("graph", "graph_view_overlay_%1", "graph_view_overlay_%1_small");
        view("trade-off", "curve-%1", "curve-%1-small");
        view("matrix", "matrix_view_%1", "matrix_view_%1_small");
        view("compare", "compare-%1", "compare-%1-small");
        view("summary", "summary-compare-%1", "summary-compare-%1-small");
        view("memory", "memory_view_%1", "memory_view_%1_narrow");
        view("lanes", "lanes_view_%1", "lanes_view_%1_narrow");
        view("address map", "address_view_%1", "address_view_%1_narrow");
        view("results", "results_%1_large", "results_%1_small");
        view("solves", "jobs_%1", "jobs_%1_small");
        view("plan panel", "plan_panel_%1", "plan_panel_%1_wide");
        view("explain", "explain_%1_328", "explain_%1_420");
        view("decisions", "decisions_%1", "decisions_%1_wide");
        view("palette", "palette_%1_commands", "palette_%1_ops");
        view("start page", "start_page_%1", "start_page_%1_small");
        view("step player", "player_%1_1280", "player_%1_1600");
        view("icon rail", "rail_%1_240", "rail_%1_520");
        view("key sheet", "keys_%1_620", "keys_%1_820");
        view("help", "help_%1_620", "help_%1_820");
        view("second column", "window_wide_%1_2200", "window_wide_%1_2560");
        for (const char *preset : {"plan", "compare", "learn"})
            QTest::newRow(preset)
                << int(Scheme::Light)
                << QStringList{QStringLiteral("window_%1_%2_1280").arg(QLatin1String(preset), QStringLiteral("%1")),
                               QStringLiteral("window_%1_%2_1600").arg(QLatin1String(preset), QStringLiteral("%1"))};
    }
    void everyViewHasPictures()
    {
        QFETCH(QStringList, names);
        for (const char *theme : {"light", "dark"})
            for (const QString &name : names) {
                const QString path =
                    QStringLiteral(REMAT_TEST_DATA "/../golden/%1.png").arg(name.arg(QLatin1String(theme)));
                QVERIFY2(QFileInfo(path).size() > 0, qPrintable(path));
            }
    }
};

QTEST_MAIN(TestWindowPictures)
#include "tst_window_pictures.moc"
