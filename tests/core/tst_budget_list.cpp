// SPDX-License-Identifier: Apache-2.0
#include "core/base/budget_list.h"

#include <QtTest>

using namespace remat;

/// Budgets of a sweep as people write them.
class TstBudgetList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lists_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<qint64>>("budgets");
        const auto row = [](const char *text, const QList<qint64> &budgets) {
            QTest::newRow(text) << QString::fromUtf8(text) << budgets;
        };
        // The keep-all peak is 2,000 bytes.
        row("60%", {1200});
        row("20%,90%,60%", {1800, 1200, 400});
        row(" 50% , 1000, 1 KB ", {1000});
        row("90%:60%:-10", {1800, 1600, 1400, 1200});
        row("90%:60%:-10%", {1800, 1600, 1400, 1200});
        row("60%:90%:+15", {1800, 1500, 1200});
        row("90%:65%:-10", {1800, 1600, 1400});
        row("0.3%:0.1%:-0.1", {6, 4, 2});
        row("70%:70%:5", {1400});
        row("2KiB:1KiB:-512", {2048, 1536, 1024});
        row("1KiB:2KiB:0.5KiB", {2048, 1536, 1024});
        row("-500:1000:-400", {1500, 1100});
        row("9000000000000000000:8999999999999999999:-1", {9000000000000000000, 8999999999999999999});
    }
    void lists()
    {
        QFETCH(QString, text);
        QFETCH(QList<qint64>, budgets);
        const auto read = parseBudgets(text.toStdString(), 2000);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(QList<qint64>(read->begin(), read->end()), budgets);
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("text");
        for (const char *text : {"",
                                 ",",
                                 "half",
                                 "90%:20%",
                                 "90%:20%:-10:1",
                                 "90%:20%:10",
                                 "20%:90%:-10",
                                 "90%:20%:0",
                                 "90%:20%:",
                                 "90%::-10",
                                 "::",
                                 "90%:20:-10",
                                 "4KiB:20%:-1KiB",
                                 "4KiB:1KiB:-10%",
                                 "4KiB:1KiB:1KiB",
                                 "4KiB:1KiB:0",
                                 "4KiB:1KiB:x",
                                 "90%:20%:-1MiB",
                                 "90%:20%:-0.01",
                                 "1TiB:1KiB:-1",
                                 "90%:-20%:-10",
                                 "nan%:1%:-1",
                                 "90%:20%:nan",
                                 "60%,,50%",
                                 "1e400%:1%:-1"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void refusals()
    {
        QFETCH(QString, text);
        const auto read = parseBudgets(text.toStdString(), 2000);
        QVERIFY(!read);
        QVERIFY2(read.error().message.size() > 30, read.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TstBudgetList)
#include "tst_budget_list.moc"
