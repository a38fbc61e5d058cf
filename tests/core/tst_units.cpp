// SPDX-License-Identifier: Apache-2.0
#include "core/base/budget.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <QtTest>

#include <limits>
#include <random>

using namespace remat;

class TstUnits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<int>("rounding");
        QTest::addColumn<QString>("text");
        const auto row = [](qint64 bytes, Rounding rounding, const char *text) {
            QTest::addRow("%lld %d", bytes, int(rounding)) << bytes << int(rounding) << QString::fromUtf8(text);
        };
        row(0, Rounding::Nearest, "0 B");
        row(1, Rounding::Nearest, "1 B");
        row(999, Rounding::Nearest, "999 B");
        row(1000, Rounding::Nearest, "0.98 KiB");
        row(1024, Rounding::Nearest, "1.00 KiB");
        row(48 * kMiB, Rounding::Nearest, "48.0 MiB");
        row(785 * kMiB, Rounding::Nearest, "785 MiB");
        row(1004 * kMiB, Rounding::Nearest, "0.98 GiB");
        row(4757084119, Rounding::Nearest, "4.43 GiB");
        row(4757084119, Rounding::Up, "4.44 GiB");
        row(4757084119, Rounding::Down, "4.43 GiB");
        row(48 * kMiB + 1, Rounding::Up, "48.1 MiB");
        row(48 * kMiB, Rounding::Up, "48.0 MiB");
        row(48 * kMiB - 1, Rounding::Down, "47.9 MiB");
        row(10 * kMiB - 1, Rounding::Nearest, "10.0 MiB");
        row(100 * kMiB - 1, Rounding::Nearest, "100 MiB");
        row(-48 * kMiB, Rounding::Nearest, "-48.0 MiB");
        row(-(48 * kMiB + 1), Rounding::Up, "-48.0 MiB");
        row(std::numeric_limits<qint64>::max(), Rounding::Nearest, "8.00 EiB");
        row(std::numeric_limits<qint64>::min(), Rounding::Nearest, "-8.00 EiB");
    }
    void bytes()
    {
        QFETCH(qint64, bytes);
        QFETCH(int, rounding);
        QTEST(QString::fromStdString(formatBytes(bytes, Rounding(rounding))), "text");
    }

    void roundedUpIsNeverBelow()
    {
        const auto parse = [](const std::string &text) { return parseBudget(text, 1).value_or(-1); };
        std::mt19937_64 random(1001);
        for (int i = 0; i < 2000; ++i) {
            const auto bytes = static_cast<std::int64_t>(random() >> 19U);
            QVERIFY2(parse(formatBytes(bytes, Rounding::Up)) >= bytes - 1, qPrintable(QString::number(bytes)));
            QVERIFY2(parse(formatBytes(bytes, Rounding::Down)) <= bytes, qPrintable(QString::number(bytes)));
        }
    }

    void printableText()
    {
        QCOMPARE(printable("a\nb\x01"
                           "c\x7f"),
                 std::string("a b c "));
        QCOMPARE(printable(std::string_view("\0x", 2)), std::string(" x"));
        QCOMPARE(printable("Größe € 𝄞"), std::string("Größe € 𝄞"));
        QCOMPARE(printable("\xff"
                           "a\xc3"),
                 std::string("\ufffd"
                             "a\ufffd"));
        QCOMPARE(printable("\xed\xa0\x80"), std::string("\ufffd\ufffd\ufffd"));      // a surrogate
        QCOMPARE(printable("\xf4\x90\x80\x80").substr(0, 3), std::string("\ufffd")); // beyond Unicode
        QCOMPARE(printable("\xe0\x80\xaf").substr(0, 3), std::string("\ufffd"));     // overlong
    }

    void counts()
    {
        QCOMPARE(formatCount(0), std::string("0"));
        QCOMPARE(formatCount(999), std::string("999"));
        QCOMPARE(formatCount(1130), std::string("1,130"));
        QCOMPARE(formatCount(-1234567), std::string("-1,234,567"));
        QCOMPARE(formatCount(-123), std::string("-123"));
        QCOMPARE(formatExactBytes(50331648), std::string("50,331,648 bytes"));
        QCOMPARE(formatExactBytes(1), std::string("1 byte"));
    }

    void times()
    {
        QCOMPARE(formatTimeUs(0), std::string("0 µs"));
        QCOMPARE(formatTimeUs(4.5), std::string("4.5 µs"));
        QCOMPARE(formatTimeUs(21), std::string("21 µs"));
        QCOMPARE(formatTimeUs(310), std::string("0.31 ms"));
        QCOMPARE(formatTimeUs(99.9), std::string("0.10 ms"));
        QCOMPARE(formatTimeUs(76500), std::string("76.5 ms"));
        QCOMPARE(formatTimeUs(999600), std::string("1.0 s"));
        QCOMPARE(formatTimeUs(8.1e6), std::string("8.1 s"));
        QCOMPARE(formatTimeUs(59.97e6), std::string("1 min 00 s"));
        QCOMPARE(formatTimeUs(125e6), std::string("2 min 05 s"));
        QCOMPARE(formatTimeUs(3600e6 + 120e6), std::string("1 h 02 min"));
        QCOMPARE(formatTimeUs(-21), std::string("-21 µs"));
        QCOMPARE(formatTimeUs(std::numeric_limits<double>::quiet_NaN()), std::string("unknown"));
    }

    void shares()
    {
        QCOMPARE(formatShare(0.499), std::string("49.9\u202f%"));
        QCOMPARE(formatShare(0.0007), std::string("0.07\u202f%"));
        QCOMPARE(formatShare(1), std::string("100\u202f%"));
        QCOMPARE(formatShare(0.07, Rounding::Up), std::string("7.00\u202f%"));
        QCOMPARE(formatShare(0.11779, Rounding::Down), std::string("11.7\u202f%"));
        QCOMPARE(formatShare(0.11779, Rounding::Up), std::string("11.8\u202f%"));
        QCOMPARE(formatShare(-0.5), std::string("-50.0\u202f%"));
    }

    void budgets_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        QTest::addColumn<QString>("sentence");
        // The list that Python's reader of budgets is held to as well.
        QFile file(REMAT_TEST_DATA "/budgets/budgets.json");
        QVERIFY2(file.open(QIODevice::ReadOnly), "the list is there");
        const QJsonObject list = QJsonDocument::fromJson(file.readAll()).object();
        QCOMPARE(list["peak_bytes"].toInt(), 10000000);
        for (const QJsonValue &each : list["cases"].toArray()) {
            const QString text = each[0].toString();
            QTest::newRow(qPrintable(text)) << text << each[1].toInteger(-1) << each[1].toString();
        }
    }
    void budgets()
    {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const Expected<std::int64_t> read = parseBudget(text.toStdString(), 10000000);
        QFETCH(QString, sentence);
        QCOMPARE(read ? QString() : QString::fromStdString(read.error().message), sentence);
        QCOMPARE(read.value_or(-1), bytes);
    }

    void twoMeaningsAreBothNamed()
    {
        const auto said = [](const char *text, std::int64_t peak) { return parseBudget(text, peak).error().message; };
        QCOMPARE(said("60", kGiB),
                 std::string("The budget \"60\" could mean 60GiB or 60% of the keep-all peak: write the "
                             "one that you mean."));
        QCOMPARE(said("8 g", kGiB), std::string("The budget \"8 g\" could mean 8GB (powers of 1000) or 8GiB (powers of "
                                                "1024): write the one that you mean."));
        QCOMPARE(parseBudget("60", 300).value_or(-1), std::int64_t(60)); // graphs that teach count single bytes
    }
};

QTEST_GUILESS_MAIN(TstUnits)
#include "tst_units.moc"
