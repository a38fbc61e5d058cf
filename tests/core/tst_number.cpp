// SPDX-License-Identifier: Apache-2.0
#include "core/base/number.h"

#include <QtTest>

#include <limits>

using namespace remat;

class TestNumber : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void decimalNumbersAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("number");
        QTest::newRow("whole") << QByteArray("12") << 12.0;
        QTest::newRow("point") << QByteArray("-0.5") << -0.5;
        QTest::newRow("plus") << QByteArray("+2.") << 2.0;
        QTest::newRow("exponent") << QByteArray("1e-3") << 1e-3;
        QTest::newRow("largest") << QByteArray("1.7976931348623157e308") << std::numeric_limits<double>::max();
    }
    void decimalNumbersAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, number);
        QCOMPARE(readNumber(text.toStdString()).value(), number);
    }

    void everythingElseIsNone_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"",   "nan", "NaN", "nan(1)", "inf", "-inf", "infinity", "1e400", "-1e400", "0x10", "10x",     " 5",
              "5 ", "1,5", "+",   "-",      "+-5", "++5",  ".",        "1e",    "1_000",  "5%",   "\xd9\xa1"})
            QTest::newRow(*text ? text : "nothing") << QByteArray(text);
        QTest::newRow("NUL") << QByteArray("5\0", 2);
    }
    void everythingElseIsNone()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!readNumber(text.toStdString()));
        QVERIFY(!readWhole<int>(text.toStdString()));
    }

    void wholeNumbersStayInRange()
    {
        QCOMPARE(readWhole<int>("-7").value(), -7);
        QVERIFY(!readWhole<int>("2147483648"));
        QVERIFY(!readWhole<int>("1.0"));
        QVERIFY(!readWhole<std::uint64_t>("-1"));
        QCOMPARE(readWhole<std::uint64_t>("18446744073709551615").value(), std::numeric_limits<std::uint64_t>::max());
    }

    void typedNumbers_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("number"); // negative: none
        const std::pair<const char *, double> rows[] = {
            {"4.5", 4.5},    {"4,5", 4.5}, {"0,500", 0.5}, {"1.500", 1.5},  {"12345,678", 12345.678}, {"1,5000", 1.5},
            {"1,500", -1},   {"-1", -1},   {"1,2,3", -1},  {"1.000,5", -1}, {"1,000.5", -1},          {",", -1},
            {"123,456", -1}, {"4,5e", -1}, {",5", 0.5},    {"2,", 2}};
        for (const auto &[text, number] : rows)
            if (text[0] != '-') QTest::newRow(text) << QByteArray(text) << number;
    }
    void typedNumbers()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, number);
        QCOMPARE(readTypedNumber(text.toStdString()).value_or(-1), number);
    }

    void shortNumbers()
    {
        QCOMPARE(shortNumber(0.25, 4), std::string("0.25"));
        QCOMPARE(shortNumber(1234567, 3), std::string("1.23e+06"));
        QCOMPARE(shortNumber(1e-7, 2), std::string("1e-07"));
    }

    void numbersAreWrittenWithAPoint()
    {
        QCOMPARE(fixedNumber(1234.5678, 3), std::string("1234.568"));
        QCOMPARE(fixedNumber(-0.5, 0), std::string("-0"));
        QCOMPARE(fixedNumber(std::numeric_limits<double>::max(), 6).size(), std::size_t(316));
    }
};

QTEST_GUILESS_MAIN(TestNumber)
#include "tst_number.moc"
