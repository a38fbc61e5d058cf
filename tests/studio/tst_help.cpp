// SPDX-License-Identifier: Apache-2.0
// The key sheet, the help page and tooltips.
#include "app/studio/base/commands/commands.h"
#include "app/studio/shell/help/features_table.h"
#include "app/studio/shell/help/gestures.h"
#include "app/studio/shell/help/help.h"
#include "app/studio/shell/workspace/workspace.h"
#include "tests/studio/window_test.h"

#include <set>

using namespace remat;
using namespace remat::studio;

class TestHelp : public QObject, fixture::InWindow
{
    Q_OBJECT

    template <class Widget>
    Widget *widget(const QString &name)
    {
        return m_window->findChild<Widget *>(name);
    }

private Q_SLOTS:
    void init()
    {
        openFresh({1280, 800});
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void everyFeatureLeadsToACommand()
    {
        std::set<QString> titles;
        QStringList absent;
        for (const FeatureRow &row : featureRows()) {
            if (!m_window->commands().find(row.command)) absent << row.command;
            QVERIFY2(row.sentence.endsWith(QLatin1Char('.')), qPrintable(row.sentence));
            QVERIFY2(!row.place.isEmpty(), qPrintable(row.title));
            QVERIFY2(titles.insert(row.title).second, qPrintable(row.title));
        }
        // Features may be built into the window or not; most are.
        if (!absent.isEmpty()) qInfo("Not in this window: %s", qPrintable(absent.join(QStringLiteral(", "))));
        QVERIFY2(titles.size() >= 30 + static_cast<std::size_t>(absent.size()), qPrintable(absent.join(u',')));
    }

    void keySheetHoldsEveryCommandAndGesture()
    {
        QTest::keyClick(m_window.get(), Qt::Key_Question);
        QTRY_VERIFY(widget<QDialog>(QStringLiteral("keysWindow")));
        auto *list = widget<QTreeWidget>(QStringLiteral("keyList"));
        QStringList rows;
        for (QTreeWidgetItemIterator it(list); *it; ++it)
            rows << (*it)->text(0) + QLatin1Char('|') + (*it)->text(1);
        for (const Commands::Item &item : m_window->commands().items()) {
            QString text = item.action->text();
            text.remove(QStringLiteral("…"));
            const auto found = std::find_if(rows.begin(), rows.end(), [&](const QString &row) {
                return row.startsWith(text + QLatin1Char('|')) &&
                       row.contains(item.action->shortcut().toString(QKeySequence::NativeText));
            });
            QVERIFY2(found != rows.end(), qPrintable(text));
        }
        for (const GestureGroup &group : gestureGroups())
            for (const Gesture &gesture : group.gestures)
                QCOMPARE(rows.contains(gesture.what + QLatin1Char('|') + gesture.keys),
                         m_window->commands().find(group.command) != nullptr);
    }

    void keySheetIsSearched()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        QTRY_VERIFY(widget<QLineEdit>(QStringLiteral("keyField")));
        auto *list = widget<QTreeWidget>(QStringLiteral("keyList"));
        const auto shown = [list] {
            QStringList rows;
            for (QTreeWidgetItemIterator it(list, QTreeWidgetItemIterator::NotHidden); *it; ++it)
                if ((*it)->parent() && !(*it)->parent()->isHidden()) rows << (*it)->text(0);
            return rows;
        };
        const auto all = shown().size();
        QTest::keyClicks(widget<QLineEdit>(QStringLiteral("keyField")), QStringLiteral("ctrl+r"));
        QVERIFY(shown().contains(QStringLiteral("Solve")));
        QVERIFY(shown().size() < all / 4);
        QTest::keyClicks(widget<QLineEdit>(QStringLiteral("keyField")), QStringLiteral(" nonsense"));
        QVERIFY(shown().isEmpty());
    }

    void helpLinksRunTheirCommands()
    {
        QTest::keyClick(m_window.get(), Qt::Key_F1, Qt::ControlModifier);
        QTRY_VERIFY(widget<QDialog>(QStringLiteral("helpWindow")));
        auto *link = widget<QAbstractButton>(QStringLiteral("helpLink.keys"));
        QVERIFY(link && link->isEnabled());
        QTest::mouseClick(link, Qt::LeftButton);
        QTRY_VERIFY(widget<QDialog>(QStringLiteral("keysWindow")));
        // Without a model there is nothing to solve.
        QVERIFY(!widget<QAbstractButton>(QStringLiteral("helpLink.solve"))->isEnabled());

        QTest::keyClicks(widget<QLineEdit>(QStringLiteral("helpField")), QStringLiteral("sweep"));
        QCOMPARE(widget<QLineEdit>(QStringLiteral("helpField"))->text(), QStringLiteral("sweep"));
        QVERIFY(widget<QWidget>(QStringLiteral("feature.sweep"))->isVisible());
        QVERIFY(!widget<QWidget>(QStringLiteral("feature.keys"))->isVisible());
    }

    void tooltipsAreNarrow()
    {
        const QString shortText = QStringLiteral("Short"), rich = QStringLiteral("<b>rich</b> ") + QString(400, u'x');
        QCOMPARE(narrowTooltip(shortText, 320), shortText);
        QVERIFY(!narrowTooltip(rich, 320).contains(QStringLiteral("<b>")));
        QVERIFY(!narrowTooltip(QStringLiteral("<b>name</b>"), 320).contains(QStringLiteral("<b>")));
        QString longText;
        for (int i = 0; i < 60; ++i)
            longText += QStringLiteral("word <%1> ").arg(i);
        const QString narrow = narrowTooltip(longText, 320);
        QVERIFY(narrow.contains(QStringLiteral("width=\"320\"")));
        QVERIFY(narrow.contains(QStringLiteral("word &lt;7&gt;")));
    }
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
