// SPDX-License-Identifier: Apache-2.0
// `remat puzzle`: what it proves, writes and finds wrong.
#include "core/base/resources.h"
#include "tests/app/cli_fixture.h"

using remat::test::callRemat;
using remat::test::Outcome;

class TestCliPuzzle : public QObject, remat::test::InFolder
{
    Q_OBJECT

    /// A chain of ops and back, that needs all but one of its storages.
    QString puzzle(const char *name, const QByteArray &budget) const
    {
        return write(name, "{\"format\": \"remat-puzzle/1\", \"title\": \"T\", \"text\": \"Do it.\",\n\"graph\": " +
                               remat::test::chainJson(4, "chain") + ",\n\"budget_bytes\": " + budget + "}\n");
    }

private Q_SLOTS:
    void makeWritesWhatCheckFinds()
    {
        const QString file = puzzle("made.json", "100000");
        const Outcome before = callRemat({"puzzle", "check", file});
        QCOMPARE(before.code, 1);
        QVERIFY2(before.out.contains("It has no optimum. `remat puzzle make` writes it."), qPrintable(before.out));
        const Outcome made = callRemat({"puzzle", "make", file, "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QVERIFY(made.json()["ok"].toBool());
        QVERIFY(read(file).contains("\"solution\": ["));
        const Outcome after = callRemat({"puzzle", "check", file});
        QVERIFY2(after.code == 0, qPrintable(after.out + after.err));
        QVERIFY2(after.out.startsWith("made.json: extra time "), qPrintable(after.out));

        QByteArray lied = read(file);
        lied.replace("\"extra_us\":0", "\"extra_us\":7");
        QVERIFY(lied != read(file));
        const Outcome caught = callRemat({"puzzle", "check", write("lied.json", lied)});
        QCOMPARE(caught.code, 1);
        QVERIFY2(caught.out.contains("The least extra time is"), qPrintable(caught.out));
    }

    void mistakesHaveLineAndField()
    {
        const Outcome small = callRemat({"puzzle", "make", puzzle("small.json", "1")});
        QCOMPARE(small.code, 2);
        QVERIFY2(small.err.contains("small.json, line ") && small.err.contains("budget_bytes cannot be used"),
                 qPrintable(small.err));
        const Outcome none = callRemat({"puzzle", "check", m_folder.filePath("none.json")});
        QCOMPARE(none.code, 2);
    }

    void oneThatComesWithTheProgram()
    {
        const std::string file = (remat::resourceDir() / "puzzles" / "diamond1.json").string();
        const Outcome outcome = callRemat({"puzzle", "check", QString::fromStdString(file), "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out + outcome.err));
        QCOMPARE(outcome.json()["puzzles"].toArray()[0].toObject()["mistakes"].toArray().size(), 0);
    }
};

QTEST_GUILESS_MAIN(TestCliPuzzle)
#include "tst_cli_puzzle.moc"
