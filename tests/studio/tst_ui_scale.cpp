// The size of text and controls: chosen in the window, in force after the program has started itself again as it was.
#include "core/base/expected.h"

#include "app/studio/shell/features/ui_scale.h"
#include "app/studio/shell/window/main_window.h"
#include "app/studio/work/autosave/autosave.h"
#include "tests/studio/window_fixture.h"

#include <QApplication>
#include <QMenu>
#include <QProcess>
#include <QSignalSpy>
#include <QTimer>

using namespace remat;
using namespace remat::studio;

namespace {

constexpr int kBudget = 3456789;

void nameProgram()
{
    QCoreApplication::setOrganizationName(QStringLiteral("remat-studio"));
    QCoreApplication::setApplicationName(QStringLiteral("remat-studio"));
}

/// Opens the model given, changes something, and asks for larger text. Starts itself again by that.
int firstProgram(int argc, char **argv)
{
    nameProgram();
    UiScale::apply();
    QApplication application(argc, argv);
    MainWindow *window = MainWindow::openAnother();
    window->openFile(QString::fromLocal8Bit(argv[2]));
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, window, [&] {
        if (!window->session().document.model() || !window->idle()) return;
        timer.stop();
        window->session().document.setBudget(kBudget);
        window->commands().find(QStringLiteral("scale.up"))->trigger();
    });
    timer.start(20);
    return QApplication::exec();
}

/// Opens what the first left and writes down what it finds.
int secondProgram(int argc, char **argv)
{
    nameProgram();
    UiScale::apply();
    QApplication application(argc, argv);
    MainWindow *window = MainWindow::openAnother();
    window->openFile(QString::fromLocal8Bit(argv[2]));
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, window, [&] {
        if (!window->session().document.model() || !window->autosave().lastSaved().isValid()) return;
        timer.stop();
        QFile file(qEnvironmentVariable("REMAT_TEST_REPORT") + QStringLiteral(".part"));
        if (!file.open(QIODevice::WriteOnly)) return;
        file.write(QStringLiteral("%1 %2 %3")
                       .arg(qRound(window->devicePixelRatioF() * 100))
                       .arg(window->session().document.budgetBytes())
                       .arg(QFileInfo::exists(QString::fromLocal8Bit(argv[2])))
                       .toUtf8());
        file.close();
        file.rename(qEnvironmentVariable("REMAT_TEST_REPORT"));
        QApplication::closeAllWindows();
    });
    timer.start(20);
    return QApplication::exec();
}

} // namespace

class TestUiScale : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    void theMenuAndTheKeysChoose()
    {
        QSettings().clear();
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto *scale = window.findChild<UiScale *>();
        QVERIFY(scale);
        scale->disconnect(&window); // this program is not to start again
        QSignalSpy restart(scale, &UiScale::restartWanted);
        QCOMPARE(UiScale::chosen(), 100);
        QList<int> offered;
        for (QAction *action : scale->menu()->actions())
            offered << action->data().toInt();
        QCOMPARE(offered.size(), 13);
        QCOMPARE(offered.front(), 80);
        QCOMPARE(offered.back(), 200);
        scale->menu()->actions()[4]->trigger();
        QCOMPARE(UiScale::chosen(), 120);
        QVERIFY(scale->menu()->actions()[4]->isChecked());
        QCOMPARE(restart.count(), 1);
        QTest::keyClick(&window, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(UiScale::chosen(), 110);
        QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(UiScale::chosen(), 100);
        QCOMPARE(restart.count(), 3);
        QTest::keyClick(&window, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(restart.count(), 3); // it is so already
        for (int i = 0; i < 15; ++i)
            window.commands().find(QStringLiteral("scale.up"))->trigger();
        QCOMPARE(UiScale::chosen(), 200);
        QSettings().clear();
    }

    void theProgramStartsAgainAsItWas()
    {
        QTemporaryDir home;
        const QString model = fixture::writeChain(home, 8);
        const QString report = home.filePath(QStringLiteral("report"));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME"})
            environment.insert(QString::fromLatin1(name), home.path());
        environment.insert(QStringLiteral("REMAT_TEST_REPORT"), report);
        QProcess first;
        first.setProcessEnvironment(environment);
        first.setStandardErrorFile(QProcess::nullDevice());
        first.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--first"), model});
        QVERIFY(first.waitForFinished(60000));
        QCOMPARE(first.exitCode(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(report), 60000);
        QFile file(report);
        QVERIFY(file.open(QIODevice::ReadOnly));
        // 110 %, the same budget, and what the first left behind is gone.
        QCOMPARE(QString::fromUtf8(file.readAll()), QStringLiteral("110 %1 0").arg(kBudget));
    }
};

int main(int argc, char **argv)
{
    if (argc == 3 && qstrcmp(argv[1], "--first") == 0) return firstProgram(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--resume") == 0) return secondProgram(argc, argv);
    QApplication application(argc, argv);
    TestUiScale test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_ui_scale.moc"
