// SPDX-License-Identifier: Apache-2.0
// What a person types and what comes back: the real `remat` on real files, right and wrong.
#include "tests/app/cli_fixture.h"
#include "tests/support/patience.h"
#include "tests/support/torch.h"

#include <csignal>

using remat::test::callRemat;
using remat::test::chainJson;
using remat::test::Outcome;

class TestCli : public QObject, remat::test::InFolder
{
    Q_OBJECT

    QString m_graph, m_other;

    static Outcome remat(const QStringList &arguments) { return callRemat(arguments); }

    /// The program has a handler of its own for SIGTERM by now, says the system.
    static bool listensForStops(const QProcess &process)
    {
        QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
        if (!status.open(QIODevice::ReadOnly)) return false;
        const QString text = QString::fromLatin1(status.readAll());
        const quint64 caught = text.section("SigCgt:", 1).section('\n', 0, 0).trimmed().toULongLong(nullptr, 16);
        return (caught >> (SIGTERM - 1) & 1U) != 0;
    }

    QJsonObject planObject(const QString &file) const { return QJsonDocument::fromJson(read(path(file))).object(); }

private Q_SLOTS:
    void initTestCase()
    {
        m_graph = write("chain.json", chainJson(6, "chain"));
        m_other = write("other.json", chainJson(5, "other"));
    }

    void helpNamesEveryCommand()
    {
        const Outcome help = remat({"--help"});
        QCOMPARE(help.code, 0);
        for (const char *command :
             {"info", "costs", "plan", "sweep", "bound", "check", "layout", "profile", "validate", "solvers", "torch"})
            QVERIFY2(help.out.contains(command), command);
    }

    void wrongCalls_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no command") << QStringList{};
        QTest::newRow("unknown command") << QStringList{"paln"};
        QTest::newRow("no model") << QStringList{"info"};
        QTest::newRow("model is missing") << QStringList{"info", "/nowhere/model.pt2"};
        QTest::newRow("model is a folder") << QStringList{"info", "/tmp"};
        QTest::newRow("no budget") << QStringList{"plan", m_graph};
        QTest::newRow("budget is a word") << QStringList{"plan", m_graph, "--budget", "half"};
        QTest::newRow("budget is negative") << QStringList{"plan", m_graph, "--budget", "-5%"};
        QTest::newRow("unknown planner") << QStringList{"plan", m_graph, "--budget", "60%", "--solver", "magic"};
        QTest::newRow("unknown option") << QStringList{"plan", m_graph, "--budget", "60%", "--set", "colour=red"};
        QTest::newRow("option without value") << QStringList{"plan", m_graph, "--budget", "60%", "--set", "gap"};
        QTest::newRow("unknown device") << QStringList{"plan", m_graph, "--budget", "60%", "--device", "abacus"};
        QTest::newRow("device and profile")
            << QStringList{"plan", m_graph, "--budget", "60%", "--device", "h100", "--profile", "p.json"};
        QTest::newRow("time limit") << QStringList{"plan", m_graph, "--budget", "60%", "--time-limit", "-1"};
        QTest::newRow("output folder is missing") << QStringList{
            "plan", m_graph, "--budget", "90%", "--solver", "keep-all", "--budget", "100%", "-o", "/nowhere/p.json"};
        QTest::newRow("profile of a JSON graph") << QStringList{"profile", m_graph, "-o", path("p.json")};
    }
    void wrongCalls()
    {
        QFETCH(QStringList, arguments);
        const Outcome outcome = remat(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(!outcome.err.trimmed().isEmpty(), "a wrong call gets a sentence");
        QVERIFY2(outcome.out.trimmed().isEmpty(), qPrintable(outcome.out));
    }

    void infoSaysWhatThePeakIsMadeOf()
    {
        const Outcome text = remat({"info", m_graph});
        QCOMPARE(text.code, 0);
        QVERIFY(text.out.contains("chain"));
        const QJsonObject json = remat({"info", m_graph, "--json"}).json();
        QCOMPARE(json["ops"].toInt(), 13);
        // Six activations, the loss (4) … at b5: six activations, l, g5; after it l and a5 go.
        QCOMPARE(json["keep_all"].toObject()["peak_bytes"].toInt(), 7004);
        QCOMPARE(json["working_set"].toObject()["bytes"].toInt(), 3000);
    }

    void costsHaveTheContractsShape()
    {
        const QJsonObject json = remat({"costs", m_graph, "--device", "reference", "--json"}).json();
        QCOMPARE(json["time_us"].toObject()["f3"].toDouble(), 13.0);
        QCOMPARE(json["bytes"].toObject()["a3"].toInt(), 1000);
        QCOMPARE(json["workspace_bytes"].toObject()["f3"].toInt(), 0);
    }

    void torchSaysWhereItIs()
    {
        if (!REMAT_HAS_TORCH) REMAT_NO_TORCH("this build looks for none");
        const Outcome found = remat({"torch", "--json"});
        QCOMPARE(found.code, found.json()["found"].toString().isEmpty() ? 1 : 0);
        QVERIFY(!found.json()["built_for"].toString().isEmpty());
        qputenv("REMAT_TORCH_DIR", "/nonexistent");
        const Outcome none = remat({"torch"});
        const Outcome asked = remat({"validate", m_graph, m_graph});
        qunsetenv("REMAT_TORCH_DIR");
        QCOMPARE(none.code, 1);
        QVERIFY2(none.out.contains("/nonexistent") && none.out.contains("remat torch --install"), qPrintable(none.out));
        QVERIFY(asked.code != 0);
        QCOMPARE(remat({"torch", "--cpu"}).code, 2);
    }

    void everyPlannerIsDocumented()
    {
        const QJsonArray solvers = remat({"solvers", "--json"}).json()["solvers"].toArray();
        QStringList names;
        for (const QJsonValue &solver : solvers) {
            names << solver.toObject()["name"].toString();
            QVERIFY2(!solver.toObject()["source"].toString().isEmpty(), qPrintable(names.last()));
            for (const QJsonValue &option : solver.toObject()["options"].toArray())
                QVERIFY(!option.toObject()["text"].toString().isEmpty());
        }
        QVERIFY(names.contains("keep-all") && names.contains("chen-sqrt") && names.contains("hiremate"));
    }

    void planPassesCheckAndKeepsTheBudget_data()
    {
        QTest::addColumn<QString>("solver");
        QTest::newRow("hiremate") << "hiremate";
        QTest::newRow("chen-sqrt") << "chen-sqrt";
    }
    void planPassesCheckAndKeepsTheBudget()
    {
        QFETCH(QString, solver);
        const Outcome made =
            remat({"plan", m_graph, "--budget", "75%", "--solver", solver, "-o", path("plan.json"), "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const QJsonObject json = made.json();
        QVERIFY(json["peak_bytes"].toDouble() <= 0.75 * 7004);
        QVERIFY(json["overhead"].toDouble() >= json["lower_bound_overhead"].toDouble() - 1e-9);

        const QJsonObject file = planObject("plan.json");
        QCOMPARE(file["format"].toString(), "remat-plan/1");
        QCOMPARE(file["solver"].toObject()["name"].toString(), solver);
        QCOMPARE(file["graph"].toObject()["ops"].toInt(), 13);
        const Outcome checked = remat({"check", m_graph, path("plan.json"), "--json"});
        QCOMPARE(checked.code, 0);
        QCOMPARE(checked.json()["peak_bytes"].toDouble(), json["peak_bytes"].toDouble());
    }

    void aPlanIsCheckedUnderTheLinkItWasMadeWith()
    {
        const QString graph = QStringLiteral(REMAT_TEST_DATA "/versions/0.1.0/graph.json");
        for (const char *device : {"jetson-orin", "h100"}) {
            const Outcome made = remat({"plan", graph, "--budget", "77594624", "--solver", "offload-greedy-star",
                                        "--device", device, "-o", path("link.json")});
            QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
            QCOMPARE(planObject("link.json")["cost_source"].toObject()["link"].toString(), device);
            const Outcome checked = remat({"check", graph, path("link.json")});
            QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.err));
        }
        QByteArray text = QJsonDocument(planObject("link.json")).toJson();
        const Outcome gone = remat({"check", graph, write("gone.json", text.replace("h100", "h101"))});
        QCOMPARE(gone.code, 2);
        QVERIFY2(gone.err.contains("h101") && gone.err.contains("--device"), qPrintable(gone.err));
    }

    void aPlanSaysItsEnergy()
    {
        const QString graph = QStringLiteral(REMAT_TEST_DATA "/versions/0.1.0/graph.json");
        const QStringList plan{"plan", graph, "--budget", "100%", "--solver", "keep-all", "--device"};
        const QJsonObject known = remat(plan + QStringList{"mkr1000", "--json"}).json();
        QVERIFY(known["energy_joules"].toDouble() > 0);
        QCOMPARE(known["energy_joules"], known["keep_all_energy_joules"]);
        QVERIFY(remat(plan + QStringList{"mkr1000"}).out.contains("energy"));
        QVERIFY(!remat(plan + QStringList{"reference", "--json"}).json().contains("energy_joules"));
    }

    void aPlanMadeWithAProfileAsksForIt()
    {
        const QString data = QStringLiteral(REMAT_TEST_DATA "/versions/0.1.0/");
        const QStringList profile{"--profile", data + "mlp.profile.json"};
        const Outcome made = remat(QStringList{"plan", data + "mlp.pt2", "--budget", "80%", "--solver", "chen-greedy",
                                               "-o", path("measured.json")} +
                                   profile);
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const QStringList check{"check", data + "mlp.pt2", path("measured.json")};
        const Outcome with = remat(check + profile);
        QVERIFY2(with.code == 0 && with.err.isEmpty(), qPrintable(with.out + with.err));
        const Outcome without = remat(check);
        QCOMPARE(without.code, 0);
        QVERIFY2(without.err.contains("AMD EPYC") && without.err.contains("--profile"), qPrintable(without.err));
    }

    void decisionsHoldWithPlannedParameters()
    {
        const QString model = QStringLiteral(REMAT_TEST_DATA "/versions/0.1.0/mlp.pt2");
        for (const char *solver : {"offload-greedy", "offload-greedy-star", "poet"})
            for (const QStringList &pins :
                 {QStringList{"--keep", "tanh"}, {"--never", "addmm"}, {"--recompute", "tanh"}}) {
                const Outcome made =
                    remat(QStringList{"plan", model, "--budget", "95%", "--solver", solver, "--set", "parameters=on",
                                      "--time-limit", "5", "-o", path("pinned.json")} +
                          pins);
                QVERIFY2(made.code == 0 || made.code == 1, qPrintable(made.out + made.err));
                QVERIFY2(!made.err.contains("cycles"), qPrintable(made.err));
                if (made.code == 0) QCOMPARE(remat({"check", model, path("pinned.json")}).code, 0);
            }
        const Outcome swept = remat({"sweep", model, "--budgets", "95%,80%", "--solver", "offload-greedy", "--set",
                                     "parameters=on", "--keep", "tanh", "--time-limit", "2"});
        QVERIFY2(swept.code == 0, qPrintable(swept.out + swept.err));
    }

    void aRunOverTheBudgetIsSaidByCheck()
    {
        const QString data = QStringLiteral(REMAT_TEST_DATA "/versions/0.1.0/");
        const Outcome over = remat({"check", data + "mlp.pt2", data + "mlp.over.plan.json", "--json"});
        QCOMPARE(over.code, 0); // no rule is broken
        QCOMPARE(over.json()["verdict"].toString(), "over budget");
        QCOMPARE(remat({"check", data + "mlp.pt2", data + "mlp.plan.json", "--json"}).json()["verdict"].toString(),
                 "ok");
    }

    void planFollowsDecisionsMadeByHand()
    {
        const Outcome planned = remat({"plan", m_graph, "--budget", "90%", "--solver", "search", "--recompute", "f1",
                                       "--keep", "a2", "--never", "layers.3", "-o", path("pinned-plan.json")});
        QVERIFY2(planned.code == 0, qPrintable(planned.out + planned.err));
        QCOMPARE(remat({"check", m_graph, path("pinned-plan.json")}).code, 0);
        const QJsonObject plan = planObject("pinned-plan.json");
        const QJsonObject options = plan["solver"].toObject()["options"].toObject();
        QCOMPARE(options["recompute"].toString(), "f1");
        QCOMPARE(options["keep"].toString(), "a2");
        QCOMPARE(options["never"].toString(), "f3");
        int times = 0;
        for (const QJsonValue &step : plan["steps"].toArray())
            times += step.toObject()["op"].toString() == "f1" ? 1 : 0;
        QCOMPARE(times, 2);
        const Outcome wrong = remat({"plan", m_graph, "--budget", "90%", "--keep", "f99"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(wrong.err.contains("Did you mean \"f"), qPrintable(wrong.err));
    }

    void layoutGivesEverythingAnAddress()
    {
        QCOMPARE(remat({"plan", m_graph, "--budget", "70%", "--solver", "dtr", "-o", path("layout-plan.json")}).code,
                 0);
        const QString csv = path("offsets.csv");
        const Outcome layout = remat({"layout", m_graph, path("layout-plan.json"), "-o", csv, "--json"});
        QCOMPARE(layout.code, 0);
        const QJsonObject said = layout.json();
        QVERIFY(said["load_bytes"].toDouble() > 0);
        QVERIFY(said["height_bytes"].toDouble() >= said["load_bytes"].toDouble());
        const double predicted = planObject("layout-plan.json")["predicted"].toObject()["peak_bytes"].toDouble();
        QCOMPARE(said["load_bytes"].toDouble(), predicted);
        const QList<QByteArray> lines = read(csv).trimmed().split('\n');
        QCOMPARE(lines.front(), QByteArray("id,lower,upper,size,offset,kind,name"));
        QCOMPARE(static_cast<double>(lines.size() - 1), said["instances"].toDouble());
        double top = 0;
        for (const QByteArray &line : lines.mid(1)) {
            const QList<QByteArray> fields = line.split(',');
            QVERIFY(fields[1].toInt() < fields[2].toInt());
            top = std::max(top, fields[3].toDouble() + fields[4].toDouble());
        }
        QCOMPARE(top, said["height_bytes"].toDouble());
        // The table that came out goes in again, without a model, and so does nobody's.
        const Outcome again = remat({"layout", csv, "--json", "-o", path("again.csv")});
        QCOMPARE(again.code, 0);
        QCOMPARE(again.json()["load_bytes"].toDouble(), predicted);
        QVERIFY(again.json()["height_bytes"].toDouble() >= predicted);
        QCOMPARE(remat({"layout", csv, path("layout-plan.json")}).code, 2);
        QCOMPARE(remat({"layout", m_graph}).code, 2);
        QCOMPARE(remat({"layout", path("nothing.csv")}).code, 2);
        QCOMPARE(remat({"layout", m_other, path("layout-plan.json")}).code, 1);
        QCOMPARE(remat({"layout", m_graph, path("nothing.json")}).code, 2);
    }

    void budgetUnderTheFloorIsANo()
    {
        const Outcome outcome = remat({"plan", m_graph, "--budget", "20%"});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains("No plan fits"), qPrintable(outcome.out));
        QCOMPARE(remat({"bound", m_graph, "--budget", "20%"}).code, 1);
        QCOMPARE(remat({"bound", m_graph, "--budget", "80%"}).code, 0);
    }

    void everyBoundSaysWhereItBindsAndForWhichPlans()
    {
        const Outcome outcome = remat({"bound", m_graph, "--budget", "60%", "--json"});
        QCOMPARE(outcome.code, 0);
        const QJsonObject json = outcome.json();
        const QJsonObject best = json["time"].toObject();
        QVERIFY(best["extra_us"].toDouble() > 0);
        QVERIFY(best["holds_for"].toString() == "given-order" && !best["cut"].toString().isEmpty());
        double highest = 0;
        for (const QJsonValue &entry : json["times"].toArray()) {
            QVERIFY2(entry["computed"].toBool(), qPrintable(entry["method"].toString()));
            highest = std::max(highest, entry["extra_us"].toDouble());
        }
        QCOMPARE(json["times"].toArray().size(), 6);
        QCOMPARE(best["extra_us"].toDouble(), highest);
        const QJsonArray peaks = json["peaks"].toArray();
        QCOMPARE(peaks.size(), 4);
        QCOMPARE(peaks[0].toObject()["holds_for"].toString(), QString("every-plan"));
        QCOMPARE(json["peak"].toObject()["bytes"].toInt(), 3000);

        const QJsonObject quick = remat({"bound", m_graph, "--budget", "60%", "--quick", "--json"}).json();
        int computed = 0;
        for (const QJsonValue &entry : quick["times"].toArray())
            computed += entry["computed"].toBool() ? 1 : 0;
        QCOMPARE(computed, 2);
        const QString text = remat({"bound", m_graph, "--budget", "60%"}).out;
        QVERIFY2(text.contains("one-cut MILP") && text.contains("Holds for every plan."), qPrintable(text));
    }

    void brokenPlansAreRefusedWithTheStep()
    {
        QCOMPARE(remat({"plan", m_graph, "--budget", "75%", "-o", path("good.json")}).code, 0);
        const QJsonObject good = planObject("good.json");
        const QJsonArray steps = good["steps"].toArray();

        const auto variant = [&](const QString &name, const QJsonArray &changed) {
            QJsonObject object = good;
            object["steps"] = changed;
            return write(name, QJsonDocument(object).toJson());
        };
        int removed = 0;
        for (int i = 0; i < steps.size(); ++i) {
            if (steps[i].toObject()["do"].toString() != "compute") continue;
            QJsonArray shorter = steps;
            shorter.removeAt(i);
            const Outcome outcome = remat({"check", m_graph, variant("removed.json", shorter)});
            QVERIFY2(outcome.code == 1, qPrintable(QString("without step %1: %2").arg(i).arg(outcome.out)));
            QVERIFY(!outcome.out.trimmed().isEmpty());
            ++removed;
        }
        QVERIFY(removed > 13);

        for (int i = 1; i < steps.size(); ++i) {
            if (steps[i].toObject()["do"].toString() != "free" || steps[i - 1].toObject()["do"].toString() != "compute")
                continue;
            QJsonArray moved = steps;
            const QJsonValue step = moved.takeAt(i);
            moved.insert(i - 1, step);
            const QString file = variant("moved.json", moved);
            const Outcome outcome = remat({"check", m_graph, file, "--json"});
            QCOMPARE(outcome.code, 1);
            QVERIFY(outcome.json()["sentence"].toString().contains(step.toObject()["storage"].toString()));
            break;
        }

        const Outcome other = remat({"check", m_other, path("good.json")});
        QVERIFY2(other.code == 1, qPrintable(other.out + other.err));
        QVERIFY((other.out + other.err).contains("other"));
    }

    // Readers are tested on far more damage in core/tst_malformed; this is what a person sees of it.
    void truncatedFilesAreBadInput()
    {
        const QString trace = QStringLiteral(REMAT_SAMPLES "/tiny_unet.pt2");
        const QString profile = path("profile.json"), plan = path("whole.json");
        QCOMPARE(remat({"plan", m_graph, "--budget", "75%", "-o", plan}).code, 0);
        QJsonArray ops;
        for (int i = 0; i < 13; ++i)
            ops.append(QJsonObject{{"op", "f0"}, {"time_us", 1.0}, {"spread_us", 0.0}, {"workspace_bytes", 0}});
        write("profile.json", QJsonDocument(QJsonObject{{"format", "remat-profile/1"}, {"ops", ops}}).toJson());

        const QList<QPair<QByteArray, QStringList>> cases{
            {read(trace), {"info", "@"}},
            {read(m_graph), {"info", "@"}},
            {read(plan), {"check", m_graph, "@"}},
            {read(plan), {"validate", m_graph, "@"}},
            {read(profile), {"plan", m_graph, "--budget", "60%", "--profile", "@"}},
        };
        for (const auto &[whole, arguments] : cases) {
            QVERIFY(!whole.isEmpty());
            for (int tenth = 0; tenth < 10; ++tenth) {
                QStringList call = arguments;
                call.replaceInStrings("@", write("cut", whole.left(whole.size() * tenth / 10)));
                const Outcome outcome = remat(call);
                const QString seen = QString("%1 cut at %2 tenths: %3").arg(arguments[0]).arg(tenth).arg(outcome.err);
                QVERIFY2(outcome.code == 2 && !outcome.err.trimmed().isEmpty(), qPrintable(seen));
            }
        }
    }

    void stopKeepsTheBestPlan()
    {
        const QString sample = QStringLiteral(REMAT_SAMPLES "/gpt2.pt2");
        if (!QFile::exists(sample)) QFAIL("the sample gpt2.pt2 is not there: run resources/samples/make_samples.py");
        const Outcome outcome =
            remat({"plan", sample, "--budget", "50%", "--time-limit", "3", "-o", path("short.json"), "--json"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out + outcome.err));
        QVERIFY(outcome.json()["seconds"].toDouble() < 4.5);
        QCOMPARE(remat({"check", sample, path("short.json")}).code, 0);

        QProcess process;
        process.start(QStringLiteral(REMAT_BIN "/remat"), {"plan", sample, "--budget", "45%", "--time-limit", "100",
                                                           "--set", "effort=10000", "-o", path("stopped.json")});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(listensForStops(process), remat::test::kPatienceMs);
        QTest::qWait(1500);
        process.terminate();
        if (process.state() != QProcess::NotRunning) QVERIFY(process.waitForFinished(remat::test::kPatienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(remat({"check", sample, path("stopped.json")}).code, 0);
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
