// SPDX-License-Identifier: Apache-2.0
// What remat-layout answers may be anything.
#include "core/views/row_answer.h"

#include <QtTest>

using namespace remat;

class TestRowAnswer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksByRow()
    {
        const auto answer = readRowAnswer(
            R"({"id": 7, "nodes": [{"id": "0", "x": 1.5, "rank": 1, "order": 2}, {"id": "1", "x": 8, "rank": 0, "order": 0}]})",
            7, 2);
        QVERIFY2(answer, answer ? "" : answer.error().message.c_str());
        QCOMPARE(answer->number, std::int64_t(7));
        QVERIFY(answer->ranks == (std::vector<RowRank>{{1, 2, 1.5}, {0, 0, 8}}));
    }

    void anotherQuestionHasNoRanks()
    {
        const auto answer = readRowAnswer(R"({"id": 6, "nodes": []})", 7, 2);
        QVERIFY(answer && answer->number == 6 && answer->ranks.empty());
    }

    void whatIsWrongIsASentence_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char *name, const char *line, const char *said) {
            QTest::newRow(name) << QByteArray(line) << QByteArray(said);
        };
        row("no JSON", "nonsense", "layout program");
        row("no object", "[]", "layout program");
        row("no number", R"({"nodes": []})", "id");
        row("its own failure", R"({"id": 7, "error": "It is\u001b Tuesday."})", "It is  Tuesday.");
        row("too few", R"({"id": 7, "nodes": [{"id": "0", "rank": 0, "order": 0}]})", "is not one for each row");
        row("mixed up",
            R"({"id": 7, "nodes": [{"id": "1", "rank": 0, "order": 0}, {"id": "0", "rank": 0, "order": 0}]})",
            "is not that of the row");
        row("below", R"({"id": 7, "nodes": [{"id": "0", "rank": 0, "order": -2147483648}, {"id": "1"}]})", "order");
        row("nowhere", R"({"id": 7, "nodes": [{"id": "0", "rank": 1, "order": 0, "x": -1e300}, {"id": "1"}]})", "x");
        row("beyond", R"({"id": 7, "nodes": [{"id": "0", "rank": 1e18, "order": 0}, {"id": "1"}]})", "rank");
    }
    void whatIsWrongIsASentence()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, said);
        const auto answer = readRowAnswer(line.toStdString(), 7, 2);
        QVERIFY(!answer);
        QVERIFY2(answer.error().message.find(said.toStdString()) != std::string::npos, answer.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestRowAnswer)
#include "tst_row_answer.moc"
