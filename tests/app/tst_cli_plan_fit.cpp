// SPDX-License-Identifier: Apache-2.0
// remat plan --fit addresses: the plan, its check, its layout; and what it refuses.
#include "core/base/file.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/graph_file.h"
#include "tests/support/graphs.h"

using remat::test::callRemat;
using remat::test::Outcome;

class TestCliPlanFit : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_model;

    QStringList planCall(const QString &budget, const QString &output) const
    {
        return {"plan", m_model, "--budget", budget, "--solver", "xla-greedy", "-o", output};
    }
    double heightOf(const QString &plan, int seconds) const
    {
        const QString limit = QString::number(seconds);
        return callRemat({"layout", m_model, plan, "--time-limit", limit, "--json"}).json()["height_bytes"].toDouble();
    }

private Q_SLOTS:
    void initTestCase()
    {
        remat::test::RandomGraphParams params;
        params.ops = 60;
        params.joint = true;
        params.maxBytes = 97;
        m_model = path("random.json");
        QVERIFY(remat::writeFileAtomically(m_model.toStdString(),
                                           remat::test::graphText(remat::test::randomGraph(0, params))));
    }

    void asksForLessUntilTheLayoutFits()
    {
        const Outcome rough = callRemat(planCall("60%", path("rough.json")) + QStringList{"--json"});
        QVERIFY2(rough.code == 0, qPrintable(rough.err));
        const double budget = rough.json()["peak_bytes"].toDouble();
        const QString bytes = QString::number(budget, 'f', 0);
        QVERIFY(callRemat(planCall(bytes, path("high.json"))).code == 0);
        QVERIFY(heightOf(path("high.json"), 1) > budget);

        const QStringList call = planCall(bytes, path("fits.json")) + QStringList{"--fit", "addresses"};
        const Outcome made = callRemat(call + QStringList{"--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const QJsonObject json = made.json();
        QCOMPARE(json["budget_bytes"].toDouble(), budget);
        QVERIFY(json["fit_tries"].toInt() > 1);
        QVERIFY(json["fit_budget_bytes"].toDouble() < budget);
        QVERIFY(json["peak_bytes"].toDouble() <= json["height_bytes"].toDouble());
        QVERIFY(json["height_bytes"].toDouble() <= budget);
        QVERIFY(heightOf(path("fits.json"), 10) <= json["height_bytes"].toDouble());
        const Outcome checked = callRemat({"check", m_model, path("fits.json"), "--json"});
        QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.err));

        const Outcome said = callRemat(call);
        for (const char *part : {"budget ", "peak ", "addresses ", "tries "})
            QVERIFY2(said.code == 0 && said.out.contains(part), qPrintable(said.out));
    }

    void saysNoWithoutAPlan()
    {
        const Outcome none = callRemat(planCall("1B", path("none.json")) + QStringList{"--fit", "addresses", "--json"});
        QCOMPARE(none.code, 1);
        QVERIFY(none.json()["height_bytes"].isNull() && none.json()["message"].toString().contains("No plan fits"));
        QVERIFY(!QFile::exists(path("none.json")));
    }

    void wrongCallsGetSentences()
    {
        const QStringList call = planCall("80%", path("x.json"));
        const Outcome story = callRemat(call + QStringList{"--fit", "addresses", "--record", path("s.json")});
        QVERIFY2(story.code == 2 && story.err.contains("--fit addresses"), qPrintable(story.err));
        QCOMPARE(callRemat(call + QStringList{"--fit", "sizes"}).code, 2);
    }

    void belowTheFloorTheLeastIsFound()
    {
        const QStringList call = {"plan",   m_model, "--budget", "5%",    "--planner",
                                  "search", "--set", "moves=1",  "--json"};
        QCOMPARE(callRemat(call).code, 1);
        const Outcome least = callRemat(call + QStringList{"--or-least", "-o", path("least.json")});
        QVERIFY2(least.code == 0, qPrintable(least.out + least.err));
        const QJsonObject json = least.json();
        const QString peak = QString::number(qint64(json["peak_bytes"].toDouble()));
        QVERIFY2(json["missed"].toString().contains("\"" + peak + "B\""), qPrintable(least.out));
        QCOMPARE(callRemat({"check", m_model, path("least.json")}).code, 0);
        // One percent less is out of reach of this planner, or of any.
        const qint64 less = qint64(json["peak_bytes"].toDouble() * 0.98);
        QStringList again = call;
        again[3] = QString::number(less) + "B";
        QCOMPARE(callRemat(again).code, 1);
        // Where the budget can be met, the flag changes nothing.
        again[3] = "90%";
        QVERIFY(!callRemat(again + QStringList{"--or-least"}).json().contains("missed"));
        QCOMPARE(callRemat(call + QStringList{"--or-least", "--fit", "addresses"}).code, 2);
    }

    void theLeastIsWhatTheSolveHasReached()
    {
        const QString model = remat::test::kTinyGpt2;
        if (!QFile::exists(model))
            QFAIL("the sample tiny_gpt2.pt2 is not there: run resources/samples/make_samples.py");
        const Outcome least =
            callRemat({"plan", model, "--budget", "30%", "--time-limit", "1", "--or-least", "--json"});
        const QString missed = least.json()["missed"].toString();
        const QString peak = QString::number(qint64(least.json()["peak_bytes"].toDouble()));
        const qint64 reached = missed.section("peak reached is ", 1).section(" KiB", 0, 0).toLongLong();
        QVERIFY2(reached > 0 && peak.toLongLong() <= (reached + 1) * 1024, qPrintable(missed));
        QVERIFY(missed.contains("\"" + peak + "B\""));
    }

    void beginsWithAPlan()
    {
        const QString start = path("start.json");
        const QStringList all = {"plan", m_model, "--budget", "60%", "--json", "--planner"};
        const Outcome good = callRemat(all + QStringList{"auto", "--time-limit", "2", "-o", start});
        const QStringList call = all + QStringList{"search", "--set", "moves=1"};
        const Outcome poor = callRemat(call), better = callRemat(call + QStringList{"--start", start});
        QVERIFY2(good.code == 0 && poor.code == 0 && better.code == 0, qPrintable(better.out + better.err));
        const auto overhead = [](const Outcome &outcome) { return outcome.json()["overhead"].toDouble(); };
        QVERIFY(overhead(good) < overhead(poor));
        QVERIFY(overhead(better) < overhead(poor));
        QCOMPARE(callRemat(call + QStringList{"--start", start, "--chunk", "auto"}).code, 2);
        QCOMPARE(callRemat(call + QStringList{"--start", path("none.json")}).code, 2);
    }
};

QTEST_GUILESS_MAIN(TestCliPlanFit)
#include "tst_cli_plan_fit.moc"
