// SPDX-License-Identifier: Apache-2.0
// Names that look like HTML, formulas or commands are shown and copied as they are written.
#include "app/studio/base/style/plain_tooltip.h"
#include "app/studio/shell/workspace/workspace.h"
#include "core/base/budget.h"
#include "core/views/filter.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestHostileNames : public QObject, fixture::InWindow
{
    Q_OBJECT

    /// A chain whose names open a tag of HTML or a formula.
    QString writeHostile() const
    {
        QFile plain(fixture::writeChain(m_folder, 6));
        if (!plain.open(QIODevice::ReadOnly)) qFatal("cannot read the chain");
        QString text = QString::fromUtf8(plain.readAll());
        const auto turn = [&text](const QString &name, const QString &with) {
            text.replace(QLatin1Char('"') + name + QLatin1Char('"'), QLatin1Char('"') + with + QLatin1Char('"'));
        };
        for (int i = 1; i <= 6; ++i) {
            turn(QStringLiteral("f%1").arg(i), QStringLiteral("<img src='file:///f%1'>").arg(i));
            turn(QStringLiteral("a%1").arg(i), QStringLiteral("=<b>a%1</b>").arg(i));
            turn(QStringLiteral("layers.%1").arg(i), QStringLiteral("<h1>m%1</h1>").arg(i));
        }
        turn(QStringLiteral("chain"), QStringLiteral("<a href='x'>chain</a>"));
        QFile hostile(m_folder.filePath(QStringLiteral("<b>hostile.json")));
        if (!hostile.open(QIODevice::WriteOnly)) qFatal("cannot write the chain");
        hostile.write(text.toUtf8());
        return hostile.fileName();
    }

    static QString tooltipShownAt(QWidget *widget, const QPoint &at)
    {
        QToolTip::hideText();
        QHelpEvent event(QEvent::ToolTip, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
        return QToolTip::isVisible() ? QToolTip::text() : QString();
    }

    /// Tags that our own tooltips do not have.
    static bool holdsTag(const QString &shown)
    {
        static const QRegularExpression kTag(QStringLiteral("<(img|h1|a )|<b>a\\d"));
        return shown.contains(kTag);
    }

private Q_SLOTS:
    void init()
    {
        openWindow();
        m_window->openFile(writeHostile());
        QTRY_VERIFY(document().model() && document().currentPlan() && m_window->idle());
    }
    void cleanup() { m_window.reset(); }

    void labelsAndTooltipsShowNamesAsTheyAreWritten()
    {
        int labels = 0, tooltips = 0;
        QSet<const QWidget *> seen; // what stands beside several views is looked at once
        for (const auto place : {Workspace::Area::Center, Workspace::Area::Bottom, Workspace::Area::Right}) {
            for (const QString &id : m_window->workspace()->area(place)->ids()) {
                m_window->workspace()->showView(id);
                QTRY_VERIFY(m_window->idle());
                // Tooltips are children of the window as well, and come and go.
                QList<QPointer<QWidget>> widgets;
                for (QWidget *widget : m_window->findChildren<QWidget *>())
                    if (!widget->inherits("QTipLabel")) widgets << widget;
                for (const QPointer<QWidget> &widget : widgets) {
                    if (!widget || !widget->isVisible() || seen.contains(widget.data())) continue;
                    seen.insert(widget.data());
                    if (const auto *label = qobject_cast<QLabel *>(widget.data())) {
                        QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
                        ++labels;
                    }
                    const QRect area = widget->rect();
                    for (int x = 5; x < area.width(); x += 60)
                        for (int y = 5; y < area.height(); y += 20) {
                            if (widget->childAt(x, y)) continue;
                            const QString shown = tooltipShownAt(widget.data(), QPoint(x, y));
                            tooltips += shown.isEmpty() ? 0 : 1;
                            QVERIFY2(!holdsTag(shown), qPrintable(id + QStringLiteral(": ") + shown));
                        }
                }
            }
        }
        QVERIFY(labels > 20);
        QVERIFY(tooltips > 50);
    }

    void rowsAndActionsSayTheirNamesAsTheyAreWritten()
    {
        QMenu menu(m_window.get());
        menu.setToolTipsVisible(true);
        menu.addAction(QStringLiteral("Open"))->setToolTip(QStringLiteral("<img src='file:///x'>"));
        menu.popup(QPoint(10, 10));
        const QString shown = tooltipShownAt(&menu, menu.actionGeometry(menu.actions().front()).center());
        QVERIFY2(shown.contains(QStringLiteral("&lt;img")), qPrintable(shown));
        QCOMPARE(plainTooltip(QStringLiteral("add_1\n21 µs")), QStringLiteral("add_1\n21 µs"));
        QVERIFY(!plainTooltip(QStringLiteral("x <b>y</b>")).contains(QStringLiteral("<b>")));
    }

    void copiedRowsHoldNoFormulas()
    {
        int copied = 0;
        for (auto *table : m_window->findChildren<QTableView *>()) {
            if (!table->model()) continue;
            for (int row = 0; row < std::min(table->model()->rowCount(), 20); ++row) {
                table->setCurrentIndex(table->model()->index(row, 0));
                if (!table->currentIndex().isValid()) continue;
                for (QAction *action : table->actions())
                    if (action->shortcut() == QKeySequence(QKeySequence::Copy)) action->trigger();
                for (const QString &cell : QApplication::clipboard()->text().split(QLatin1Char('\t')))
                    QVERIFY2(!cell.startsWith(QLatin1Char('=')), qPrintable(cell));
                ++copied;
            }
        }
        QVERIFY(copied > 0);
    }

    void fieldsTakeNoStrangeNumbers()
    {
        for (const char *value : {"nan", "inf", "1e400", "0x10", "1,500"}) {
            QVERIFY2(!parseBudget(value, 1000), value);
            QVERIFY2(!parseFilter(std::string("size>") + value), value);
            QVERIFY2(!parseFilter(std::string("time>") + value + "ms"), value);
        }
    }
};

QTEST_MAIN(TestHostileNames)
#include "tst_hostile_names.moc"
