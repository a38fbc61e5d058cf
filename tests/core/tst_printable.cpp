// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <QtTest>

using namespace remat;

class TestPrintable : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void whatMovesTheCursorOrTurnsTextIsReplaced_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("a_1 \xc2\xb5s \xe2\x80\xaf%")
                               << QByteArray("a_1 \xc2\xb5s \xe2\x80\xaf%");
        QTest::newRow("escape") << QByteArray("a\x1b[2Jb") << QByteArray("a [2Jb");
        QTest::newRow("bell and return") << QByteArray("a\r\a\bb\x7f") << QByteArray("a   b ");
        QTest::newRow("lines") << QByteArray("a\n\tb") << QByteArray("a  b");
        QTest::newRow("NUL") << QByteArray("a\0b", 3) << QByteArray("a b");
        QTest::newRow("C1") << QByteArray("a\u009b2Jb\u0085") << QByteArray("a 2Jb ");
        QTest::newRow("separators") << QByteArray("a\u2028\u2029") << QByteArray("a  ");
        QTest::newRow("override") << QByteArray("a\u202eb") << QByteArray("a\ufffdb");
        QTest::newRow("isolate") << QByteArray("\xe2\x81\xa6") << QByteArray("\xef\xbf\xbd");
        QTest::newRow("marks") << QByteArray("\xe2\x80\x8f\xd8\x9c") << QByteArray("\xef\xbf\xbd\xef\xbf\xbd");
        QTest::newRow("not UTF-8") << QByteArray("a\xff\xc3") << QByteArray("a\xef\xbf\xbd\xef\xbf\xbd");
        QTest::newRow("Arabic letters") << QByteArray("\xd8\xa7") << QByteArray("\xd8\xa7");
    }
    void whatMovesTheCursorOrTurnsTextIsReplaced()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(printable(text.toStdString())), shown);
        QCOMPARE(QByteArray::fromStdString(printableLines("\n" + text.toStdString())).count('\n'),
                 1 + text.count('\n'));
    }

    void jsonMeansTheSame()
    {
        QCOMPARE(printableJson("{\n \"a\xc2\x9b\x7f\xe2\x80\xae\": 1}"),
                 std::string("{\n \"a\\u009b\\u007f\\u202e\": 1}"));
    }
};

QTEST_GUILESS_MAIN(TestPrintable)
#include "tst_printable.moc"
