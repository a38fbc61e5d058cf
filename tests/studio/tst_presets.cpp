// The arrangements of the window, in the real window.
#include "core/base/expected.h"

#include "app/studio/features/presets.h"
#include "app/studio/style/segmented_control.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/window_fixture.h"

#include <QDockWidget>
#include <QSignalSpy>

using namespace remat;
using namespace remat::studio;

class TestPresets : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    QDockWidget *dock(const char *name) { return m_window->findChild<QDockWidget *>(QLatin1String(name)); }
    Presets *presets() { return m_window->findChild<Presets *>(); }
    void trigger(const char *id) { m_window->commands().find(QLatin1String(id))->trigger(); }
    QString front(Workspace::Area area) { return m_window->workspace()->area(area)->current(); }

    void open()
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1600, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_window->openFile(fixture::writeChain(m_folder, 8));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session().document.model() && m_window->idle(), 20000);
    }

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void init()
    {
        QSettings().clear();
        open();
    }
    void cleanup() { m_window.reset(); }

    void eachPresetHasItsDocks()
    {
        QCOMPARE(presets()->current(), 0);
        QVERIFY(!dock("memoryDock")->isHidden());
        // By mouse in the tool bar, the second segment.
        SegmentedControl *choice = presets()->choice();
        QTest::mouseClick(choice, Qt::LeftButton, {}, QPoint(choice->width() / 2, choice->height() / 2));
        QCOMPARE(m_window->workspace()->preset().id, QStringLiteral("compare"));
        QVERIFY(dock("memoryDock")->isHidden());
        QVERIFY(!dock("leftDock")->isHidden());
        QVERIFY(m_window->commands().find(QStringLiteral("preset.compare"))->isChecked());
        trigger("preset.learn");
        QVERIFY(dock("leftDock")->isHidden());
        QVERIFY(!dock("memoryDock")->isHidden());
        QCOMPARE(front(Workspace::Area::Center), QStringLiteral("graph"));
    }

    void eachPresetRemembersWhatWasChanged()
    {
        trigger("planPanelAction");
        QVERIFY(dock("planDock")->isHidden());
        trigger("showCurve");
        trigger("preset.learn");
        QVERIFY(!dock("planDock")->isHidden());
        trigger("preset.plan");
        QVERIFY(dock("planDock")->isHidden());
        QCOMPARE(front(Workspace::Area::Center), QStringLiteral("curve"));
        trigger("resetLayout");
        QVERIFY(!dock("planDock")->isHidden());
        QCOMPARE(front(Workspace::Area::Center), QStringLiteral("graph"));
    }

    void aNewWindowBeginsWhereTheLastEnded()
    {
        trigger("preset.learn");
        trigger("memoryPanel");
        m_window->close();
        open();
        QCOMPARE(presets()->current(), 2);
        QVERIFY(dock("memoryDock")->isHidden());
        trigger("resetLayout");
        QVERIFY(!dock("memoryDock")->isHidden());
        QVERIFY(dock("leftDock")->isHidden());
    }

    void presetsAreViewState()
    {
        ViewStates &states = m_window->session().viewStates;
        int touched = 0; // areas that show another view with it say so besides
        connect(&states, &ViewStates::touched, this,
                [&touched](const QString &key) { touched += key == QStringLiteral("preset") ? 1 : 0; });
        const QJsonObject before = states.save();
        trigger("preset.compare");
        QCOMPARE(touched, 1);
        states.restore(before);
        QCOMPARE(presets()->current(), 0);
        QCOMPARE(touched, 1);
    }
};

QTEST_MAIN(TestPresets)
#include "tst_presets.moc"
