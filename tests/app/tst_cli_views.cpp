// SPDX-License-Identifier: Apache-2.0
// `remat compare` and `remat find`: what the window says of plans and ops, on the command line.
#include "tests/app/cli_fixture.h"
#include "tests/support/text_rows.h"

using remat::test::callRemat;
using remat::test::kTinyGpt2;
using remat::test::Outcome;

class TestCliViews : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_graph, m_other, m_keepAll, m_less;

    QString planned(const char *name, const QStringList &arguments) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        const Outcome outcome = callRemat(QStringList{"plan", m_graph} + arguments + QStringList{"-o", path});
        if (outcome.code != 0) qFatal("%s", qPrintable(outcome.err + outcome.out));
        return path;
    }

    static QJsonObject planOf(const QString &path) { return QJsonDocument::fromJson(read(path)).object(); }

    static QStringList names(const Outcome &found)
    {
        QStringList list;
        for (const QJsonValue op : found.json()["ops"].toArray())
            list << op["op"].toString();
        return list;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_graph = write("chain.json", remat::test::chainJson(9, "chain"));
        m_other = write("other.json", remat::test::chainJson(5, "other"));
        m_keepAll = planned("keep-all.json", {"--budget", "100%", "--solver", "keep-all"});
        m_less = planned("less.json", {"--budget", "70%", "--solver", "chen-sqrt"});
    }

    void figuresAreThoseOfThePlans()
    {
        const Outcome outcome = callRemat({"compare", m_graph, m_less, m_keepAll, "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        const QJsonObject answer = outcome.json(), a = answer["a"].toObject(), b = answer["b"].toObject();
        for (const auto &[side, path] : {std::pair(a, m_less), std::pair(b, m_keepAll)}) {
            const QJsonObject predicted = planOf(path)["predicted"].toObject();
            QCOMPARE(side["peak_bytes"].toInteger(), predicted["peak_bytes"].toInteger());
            QCOMPARE(side["time_us"].toDouble(), predicted["time_us"].toDouble());
            QCOMPARE(side["file"].toString(), path);
        }
        QCOMPARE(b["overhead"].toDouble(), 0.0);
        QCOMPARE(b["recomputed_ops"].toInt(), 0);
        QVERIFY(a["recomputed_ops"].toInt() > 0);
        QVERIFY(a["kept_bytes"].toInteger() < b["kept_bytes"].toInteger());
        QCOMPARE(a["offloaded_bytes"].toInteger(), 0);
        QVERIFY(answer["better"].isNull()); // less memory, more time
    }

    void differencesAddUp_data() { remat::test::textRows("by", {"storages", "ops", "clusters"}); }
    void differencesAddUp()
    {
        QFETCH(QString, by);
        const Outcome outcome = callRemat({"compare", m_graph, m_less, m_keepAll, "--by", by, "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        const QJsonObject answer = outcome.json();
        QCOMPARE(answer["by"].toString(), by);
        double timeUs = 0;
        int items = 0;
        for (const QJsonValue row : answer["differences"].toArray()) {
            timeUs += row["time_us"].toDouble();
            items += row["uses"].toInt();
            QVERIFY(!row["ops"].toArray().isEmpty());
        }
        QCOMPARE(items, answer["differ"].toInt());
        QVERIFY(items > 0);
        QCOMPARE(timeUs, answer["a"]["time_us"].toDouble() - answer["b"]["time_us"].toDouble());
    }

    void tablesSayTheSame()
    {
        const Outcome outcome = callRemat({"compare", m_graph, m_less, m_keepAll});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
        for (const char *part : {"A  chen-sqrt", "B  keep-all", "A − B", "Peak", "Recomputed", "Kept for backward",
                                 "differ in state", "recomputed"})
            QVERIFY2(outcome.out.contains(QString::fromUtf8(part)), qPrintable(outcome.out));
        const Outcome same = callRemat({"compare", m_graph, m_less, m_less});
        QCOMPARE(same.code, 0);
        QVERIFY2(same.out.contains(QStringLiteral("Both do the same with all storages.")), qPrintable(same.out));
    }

    void whatCannotBeComparedIsSaid()
    {
        const Outcome otherGraph = callRemat({"compare", m_other, m_less, m_keepAll});
        QCOMPARE(otherGraph.code, 1);
        QVERIFY2(otherGraph.out.contains(QStringLiteral("another graph")), qPrintable(otherGraph.out));
        QVERIFY(callRemat({"compare", m_other, m_less, m_keepAll, "--json"}).json().contains("sentence"));
        QCOMPARE(callRemat({"compare", m_graph, m_less, write("broken.json", "{")}).code, 2);
        QCOMPARE(callRemat({"compare", m_graph, m_less}).code, 2);
        QCOMPARE(callRemat({"compare", m_graph, m_less, m_keepAll, "--by", "colour"}).code, 2);
        // A plan that frees what is still read: the checker's sentence, with the file's name.
        QJsonObject plan = planOf(m_keepAll);
        QJsonArray steps = plan["steps"].toArray();
        steps.insert(1, QJsonObject{{"do", "free"}, {"storage", "a0"}});
        plan["steps"] = steps;
        const QString wrong = write("wrong.json", QJsonDocument(plan).toJson());
        const Outcome refused = callRemat({"compare", m_graph, m_keepAll, wrong});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.out.startsWith(wrong + QStringLiteral(": ")), qPrintable(refused.out));
    }

    void otherCostsAreSaid()
    {
        const QString model = kTinyGpt2;
        QStringList plans;
        for (const char *device : {"reference", "h100"}) {
            plans << m_folder.filePath(QLatin1String(device) + QStringLiteral(".json"));
            const Outcome made = callRemat({"plan", model, "--budget", "100%", "--solver", "keep-all", "--device",
                                            QLatin1String(device), "-o", plans.last()});
            QVERIFY2(made.code == 0, qPrintable(made.err));
        }
        const Outcome mixed = callRemat({"compare", model, plans[0], plans[1]});
        QCOMPARE(mixed.code, 0);
        QVERIFY2(mixed.err.contains(QStringLiteral("other costs")), qPrintable(mixed.err));
        const Outcome named = callRemat({"compare", model, plans[0], plans[1], "--device", "h100"});
        QCOMPARE(named.code, 0);
        QCOMPARE(named.err, QString());
    }

    void findsOps()
    {
        QCOMPARE(names(callRemat({"find", m_graph, "phase:loss", "--json"})), QStringList{"loss"});
        QCOMPARE(names(callRemat({"find", m_graph, "module:layers.3", "--json"})), QStringList{"f3"});
        QCOMPARE(names(callRemat({"find", m_graph, "size<10", "--json"})), QStringList{"loss"});
        QCOMPARE(names(callRemat({"find", m_graph, "time>17us -phase:backward", "--json"})), QStringList{"f8"});
        const Outcome all = callRemat({"find", m_graph, "", "--json"});
        QCOMPARE(names(all).size(), 19);
        QVERIFY(!all.json()["ops"].toArray()[0].toObject().contains("state"));
    }

    void findsWhatAPlanDoes()
    {
        const QJsonArray steps = planOf(m_less)["steps"].toArray();
        QMap<QString, int> times;
        for (const QJsonValue step : steps)
            if (step["do"].toString() == QLatin1String("compute")) ++times[step["op"].toString()];
        const Outcome found = callRemat({"find", m_graph, "recomputed", "--plan", m_less, "--json"});
        QVERIFY2(found.code == 0, qPrintable(found.err));
        const QStringList again = names(found);
        QVERIFY(!again.isEmpty());
        for (auto op = times.begin(); op != times.end(); ++op)
            QCOMPARE(again.contains(op.key()), op.value() > 1);
        for (const QJsonValue op : found.json()["ops"].toArray()) {
            QCOMPARE(op["times"].toInt(), times[op["op"].toString()]);
            QCOMPARE(op["state"].toString(), QStringLiteral("recomputed"));
        }
        const Outcome table = callRemat({"find", m_graph, "recomputed", "--plan", m_less});
        QVERIFY2(table.out.contains(again.front()) && table.out.contains(QStringLiteral("computed")),
                 qPrintable(table.out));
        QCOMPARE(table.out.count(QLatin1Char('\n')), again.size() + 2);
        const Outcome none = callRemat({"find", m_graph, "offloaded", "--plan", m_less});
        QCOMPARE(none.code, 0);
        QVERIFY2(none.out.startsWith(QStringLiteral("None of 19 ops")), qPrintable(none.out));
    }

    void wrongFiltersAreExplained_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("named");
        QTest::newRow("no such field") << "colour:red"
                                       << "kind, module, dtype";
        QTest::newRow("no value") << "size>"
                                  << "size>10MiB";
        QTest::newRow("no size") << "kind:layer size>large"
                                 << "large";
        QTest::newRow("needs a plan") << "recomputed"
                                      << "--plan";
        QTest::newRow("needs a plan to count") << "times>1"
                                               << "--plan";
        QTest::newRow("needs a session") << "pinned"
                                         << "window";
    }
    void wrongFiltersAreExplained()
    {
        QFETCH(QString, filter);
        QFETCH(QString, named);
        const Outcome outcome = callRemat({"find", m_graph, filter});
        QCOMPARE(outcome.code, 2);
        QCOMPARE(outcome.out, QString());
        QVERIFY2(outcome.err.contains(named), qPrintable(outcome.err));
    }

    void helpListsEveryFilter()
    {
        const Outcome help = callRemat({"find", "--help"});
        QCOMPARE(help.code, 0);
        for (const char *example : {"kind:addmm", "module:h.11", "size>10MiB", "recomputed", "times>1"})
            QVERIFY2(help.out.contains(QLatin1String(example)), example);
    }
};

QTEST_GUILESS_MAIN(TestCliViews)
#include "tst_cli_views.moc"
