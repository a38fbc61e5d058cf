// SPDX-License-Identifier: Apache-2.0
// One number reads the same wherever it stands, and what is typed from the screen is never too little.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/exports/view_picture.h"
#include "app/studio/shell/workspace/workspace.h"
#include "core/base/budget.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestOneNumber : public QObject, fixture::InWindow
{
    Q_OBJECT

    /// Everything that the window says in letters: painted, in tables, in tooltips, to screen readers.
    QStringList said()
    {
        QStringList texts;
        for (QWidget *widget : m_window->findChildren<QWidget *>()) {
            texts << widget->toolTip() << widget->accessibleName() << widget->accessibleDescription();
            if (const auto *label = qobject_cast<QLabel *>(widget)) texts << label->text();
            if (const auto *field = qobject_cast<QLineEdit *>(widget)) texts << field->text();
            if (const auto *table = qobject_cast<QAbstractItemView *>(widget); table && table->model())
                for (int row = 0; row < table->model()->rowCount(); ++row)
                    for (int column = 0; column < table->model()->columnCount(); ++column)
                        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole)})
                            texts << table->model()->index(row, column).data(role).toString();
        }
        for (QAction *action : m_window->findChildren<QAction *>())
            texts << action->text() << action->toolTip();
        Workspace *workspace = m_window->workspace();
        for (const auto place : {Workspace::Area::Center, Workspace::Area::Bottom, Workspace::Area::Right})
            for (const QString &id : workspace->area(place)->ids()) {
                workspace->showView(id);
                QTest::qWait(1);
                if (id == QLatin1String("tensors")) continue; // parts of the peak, some of them as large but for bytes
                const QString path = m_folder.filePath(id + QStringLiteral(".svg"));
                writePicture(*workspace->area(place)->view(id), id, path);
                QFile file(path);
                if (file.open(QIODevice::ReadOnly)) texts << QString::fromUtf8(file.readAll());
            }
        return texts;
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openChain(16);
    }

    void budgetAndPeakReadAlikeEverywhere()
    {
        const std::int64_t peak = document().model()->keepAll->peakBytes;
        const QString text = memoryText(peak), other = bytesText(peak);
        QVERIFY2(text != other, "rounded to the nearest it would read otherwise");
        document().moveBudget(peak);
        QTRY_VERIFY(m_window->idle() && document().currentPlan());
        m_window->solve();
        QTRY_VERIFY(m_window->session().solver.report().ended() && m_window->idle());
        QCOMPARE(document().currentPlan()->timeline->peakBytes, peak);
        int places = 0;
        const QRegularExpression wrong(QStringLiteral("(?<![\\d.])") + QRegularExpression::escape(other));
        for (const QString &line : said()) {
            const qsizetype at = line.indexOf(wrong);
            QVERIFY2(at < 0, qPrintable(line.mid(std::max<qsizetype>(at - 200, 0), 300)));
            places += line.contains(text) ? 1 : 0;
        }
        QVERIFY2(places >= 10, qPrintable(QString::number(places)));
    }

    /// What a sentence calls the least budget is enough when it is typed.
    void theLeastBudgetThatIsShownCanBeTyped()
    {
        auto *field = m_window->findChild<QLineEdit *>(QStringLiteral("budgetField"));
        const auto *error = m_window->findChild<QLabel *>(QStringLiteral("budgetError"));
        const auto type = [&](const QString &text) {
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
            QTRY_VERIFY(m_window->idle());
        };
        type(QStringLiteral("1MiB"));
        QVERIFY(error->isVisible());
        const auto least = QRegularExpression(QStringLiteral("[\\d.]+ [KMG]iB")).match(error->text());
        QVERIFY2(least.hasMatch(), qPrintable(error->text()));
        type(least.captured());
        QVERIFY2(!error->isVisible(), qPrintable(error->text()));
        QVERIFY(document().budgetBytes() >= document().model()->floor.bytes);
        QCOMPARE(field->text(), least.captured());
    }

    /// A plan that keeps a budget keeps the budget that is typed from its peak, too.
    void thePeakThatIsShownIsABudgetForItsPlan()
    {
        for (const int percent : {37, 51, 64, 83}) {
            document().moveBudget(document().model()->keepAll->peakBytes * percent / 100);
            QTRY_VERIFY(m_window->idle() && document().currentPlan());
            const std::int64_t peak = document().currentPlan()->timeline->peakBytes;
            const auto typed = parseBudget(memoryText(peak).toStdString(), 0);
            QVERIFY(typed && *typed >= peak);
            const auto share = static_cast<double>(peak) / static_cast<double>(document().model()->keepAll->peakBytes);
            QString shown = memoryShareText(share);
            const auto asShare =
                parseBudget(shown.remove(QChar(0x202f)).toStdString(), document().model()->keepAll->peakBytes);
            QVERIFY(asShare && *asShare >= peak);
        }
    }

    void aBudgetJustBelowTheLeastDoesNotReadLikeIt()
    {
        const std::int64_t floor = document().model()->floor.bytes;
        document().moveBudget(floor - 1);
        QTRY_VERIFY(m_window->idle());
        m_window->solve();
        const QString sentence = m_window->session().solver.report().sentence;
        QVERIFY2(sentence.contains(memoryText(floor)) && sentence.contains(exactBytesText(floor - 1)),
                 qPrintable(sentence));
    }
};

QTEST_MAIN(TestOneNumber)
#include "tst_one_number.moc"
