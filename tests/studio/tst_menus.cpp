// SPDX-License-Identifier: Apache-2.0
// Menus, their keys, and the windows that they open.
#include "core/base/version.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestMenus : public QObject, fixture::InWindow
{
    Q_OBJECT

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

    void theTracersCommandIsReadWhole()
    {
        command("tracer")->trigger();
        QPlainTextEdit *text = nullptr;
        QTRY_VERIFY((text = m_window->findChild<QPlainTextEdit *>(QStringLiteral("tracerCommand"))) &&
                    text->isVisible());
        QTRY_COMPARE(text->verticalScrollBar()->maximum(), 0);
        QCOMPARE(text->horizontalScrollBar()->maximum(), 0);
    }
};

QTEST_MAIN(TestMenus)
#include "tst_menus.moc"
