// SPDX-License-Identifier: Apache-2.0
// `remat lesson check`: what it says of good and bad lessons.
#include "tests/app/cli_fixture.h"

using remat::test::callRemat;
using remat::test::Outcome;

class TestCliLesson : public QObject, remat::test::InFolder
{
    Q_OBJECT

    static QByteArray lesson(const QByteArray &peak, const QByteArray &selected, const QByteArray &answer)
    {
        return "{\"format\": \"remat-lesson/1\", \"title\": \"T\", \"goal\": \"G\", \"remember\": \"R\",\n"
               "\"figures\": {\"top\": {\"shown\": \"" +
               peak +
               "\", \"of\": \"peak\"}},\n"
               "\"steps\": [{\"title\": \"One\", \"text\": \"It needs {top}.\", \"scene\": {\"model\": "
               "\"chain.json\", \"budget\": \"100%\"},\n"
               "\"task\": {\"text\": \"Select it.\", \"hints\": [\"There.\"], \"done\": {\"selected\": \"" +
               selected +
               "\"}}},\n"
               "{\"title\": \"Two\", \"text\": \"Why?\", \"question\": {\"text\": \"Why?\", \"choices\": [\"A\", "
               "\"B\"], " +
               answer + " \"because\": \"So.\"}}]}\n";
    }

private Q_SLOTS:
    void initTestCase() { write("chain.json", remat::test::chainJson(3, "chain")); }

    void aGoodOneHasNoMistakes()
    {
        const QString file = write("good.json", lesson("3.92 KiB", "f1", "\"answer\": 0,"));
        const Outcome outcome = callRemat({"lesson", "check", file, "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out + outcome.err));
        QCOMPARE(outcome.json()["ok"].toBool(), true);
        QCOMPARE(outcome.json()["steps"].toInt(), 2);
    }

    void translationsAreCheckedToo()
    {
        const QString file = write("two.json", lesson("3.92 KiB", "f1", "\"answer\": 0,"));
        QVERIFY(QDir(m_folder.path()).mkpath("de"));
        write("de/two.json",
              "{\"format\": \"remat-texts/1\",\n\"texts\": [{\"source\": \"Gone\", \"text\": \"Weg\"}]}");
        const Outcome outcome = callRemat({"lesson", "check", file});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains("de/two.json, line 2: texts[0].source: This text is not there any more"),
                 qPrintable(outcome.out));
        QVERIFY2(outcome.out.contains("steps[0].text has no translation: \"It needs {top}.\""),
                 qPrintable(outcome.out));
        write("de/two.json", "{\"format\": \"remat-texts/1\",\n\"texts\": 3}");
        QCOMPARE(callRemat({"lesson", "check", file}).code, 2);
    }

    void aTaskThatIsDoneAlreadyIsSaid()
    {
        QByteArray text = lesson("3.92 KiB", "f1", "\"answer\": 0,");
        const Outcome outcome =
            callRemat({"lesson", "check",
                       write("done.json", text.replace("{\"selected\": \"f1\"}", "{\"budget_at_most\": \"100%\"}"))});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.startsWith("done.json, line 4: steps[0].task.done: The task is done already"),
                 qPrintable(outcome.out));
    }

    void mistakesHaveLineAndField()
    {
        const QString file = write("bad.json", lesson("1 GiB", "f9", "\"answer\": 0,"));
        const Outcome outcome = callRemat({"lesson", "check", file});
        QCOMPARE(outcome.code, 1);
        const QStringList lines = outcome.out.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].startsWith("bad.json, line 2: figures.top: It says \"1 GiB\", and is"), qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith("bad.json, line 4: steps[0].task.done.selected: The graph \"chain\" has no op"),
                 qPrintable(lines[1]));
    }

    void whatCannotBeReadIsBadInput()
    {
        const Outcome noAnswer = callRemat({"lesson", "check", write("no.json", lesson("1 B", "f1", ""))});
        QCOMPARE(noAnswer.code, 2);
        QVERIFY2(noAnswer.err.contains("no.json, line 5: steps[1].question has no \"answer\""),
                 qPrintable(noAnswer.err));
        QCOMPARE(callRemat({"lesson", "check", m_folder.filePath("none.json")}).code, 2);
        QCOMPARE(callRemat({"lesson"}).code, 2);
    }
};

QTEST_MAIN(TestCliLesson)
#include "tst_cli_lesson.moc"
