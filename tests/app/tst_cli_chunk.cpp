// SPDX-License-Identifier: Apache-2.0
// Graphs in chunks, on the command line.
#include "tests/app/cli_fixture.h"

using remat::test::callRemat;
using remat::test::kTinyGpt2;
using remat::test::Outcome;

namespace {

const QString kGpt2 = QStringLiteral(REMAT_SAMPLES "/gpt2.pt2");

QString read(const QString &path)
{
    return QString::fromUtf8(remat::test::InFolder::read(path));
}

void write(const QString &path, const QString &text)
{
    remat::test::written(path, text.toUtf8());
}

} // namespace

class TestCliChunk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void infoSaysWhatChunksWouldMakeOfTheFloor()
    {
        const Outcome told = callRemat({"info", kGpt2});
        QVERIFY2(told.out.contains("with the loss in 8 chunks the floor is"), qPrintable(told.out));
        const QJsonObject chunks = callRemat({"info", kGpt2, "--json"}).json().value("chunks").toObject();
        QVERIFY(chunks.value("least_floor_bytes").toDouble() <= chunks.value("floor_bytes").toDouble());
    }

    void tracesInChunksAreTraces()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("chunked.pt2");
        const Outcome made = callRemat({"chunk", kTinyGpt2, "--by", "head=8", "-o", file, "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        QVERIFY(made.json().value("floor_bytes").toDouble() < made.json().value("floor_bytes_whole").toDouble());
        const Outcome info = callRemat({"info", file, "--json"});
        QVERIFY2(info.code == 0, qPrintable(info.err));
        QCOMPARE(info.json().value("ops"), made.json().value("ops"));
        QCOMPARE(callRemat({"chunk", kTinyGpt2, "--by", "head=7"}).code, 0); // 128 tokens: the last piece is smaller
        QCOMPARE(callRemat({"chunk", kTinyGpt2, "--by", "head=1000"}).code, 2);
        QCOMPARE(callRemat({"chunk", kTinyGpt2, "--by", "nowhere=2"}).code, 2);
        QCOMPARE(callRemat({"chunk", kTinyGpt2}).code, 2);
    }

    void plansNameTheirChunks()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath("plan.json");
        const Outcome made = callRemat({"plan", kTinyGpt2, "--budget", "50%", "--chunk", "head=8", "--solver", "search",
                                        "--time-limit", "3", "--json", "-o", file});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QCOMPARE(made.json().value("chunks").toString(), QStringLiteral("the loss in 8 chunks"));
        const QString text = read(file);
        QVERIFY(text.contains("remat-plan/2"));

        const Outcome checked = callRemat({"check", kTinyGpt2, file, "--json"});
        QVERIFY2(checked.code == 0, qPrintable(checked.out + checked.err));
        QCOMPARE(checked.json().value("peak_bytes"), made.json().value("peak_bytes"));
        QVERIFY(qAbs(checked.json().value("overhead").toDouble() - made.json().value("overhead").toDouble()) < 1e-9);
        QCOMPARE(callRemat({"layout", kTinyGpt2, file}).code, 0);
        QCOMPARE(callRemat({"compare", kTinyGpt2, file, file}).code, 0);

        // The sum over the words is no sum over the tokens: no rule of the table says so.
        const QString wrong = folder.filePath("wrong.json");
        write(wrong, QString(text).replace(R"("mm_1":{"ins":[1,0],"outs":["sum"]})",
                                           R"("mm_1":{"ins":[0,1],"outs":["sum"]})"));
        const Outcome refused = callRemat({"check", kTinyGpt2, wrong});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.out.contains("not proven"), qPrintable(refused.out));
        const QString other = folder.filePath("other.json");
        write(other, QString(text).replace(R"("k":8)", R"("k":4)"));
        QCOMPARE(callRemat({"check", kTinyGpt2, other}).code, 2);
    }

    /// The floor of the sample is 28.7 % of its peak.
    void automaticCutsBelowTheFloor()
    {
        const Outcome below = callRemat({"plan", kTinyGpt2, "--budget", "25%", "--time-limit", "3", "--json"});
        QVERIFY2(below.code == 0, qPrintable(below.out + below.err));
        QVERIFY(below.json().value("chunks").toString().startsWith("the ")); // loss, or step
        const Outcome whole = callRemat({"plan", kTinyGpt2, "--budget", "40%", "--time-limit", "1", "--json"});
        QVERIFY(!whole.json().contains("chunks"));
        const Outcome off = callRemat({"plan", kTinyGpt2, "--budget", "25%", "--chunk", "off"});
        QCOMPARE(off.code, 1);
        QVERIFY2(off.out.contains("In chunks (") && off.out.contains("--chunk auto"), qPrintable(off.out));
        QCOMPARE(callRemat({"plan", kTinyGpt2, "--budget", "25%", "--solver", "search"}).code, 1);
    }

    /// Above the floor, where a plan in chunks takes less time than any plan of whole ops.
    void automaticCutsWhereItPays()
    {
        const QStringList call{"plan", kGpt2, "--budget", "40%", "--time-limit", "4", "--json"};
        const Outcome made = callRemat(call);
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QVERIFY(made.json().value("chunks").toString().startsWith("the loss in "));
        const Outcome whole = callRemat(call + QStringList{"--chunk", "off"});
        QVERIFY(whole.code == 0 && !whole.json().contains("chunks"));
        QVERIFY(made.json().value("overhead").toDouble() < whole.json().value("lower_bound_overhead").toDouble());
    }

    void opsThatNeverRunInChunksAreLeftWhole()
    {
        const Outcome never =
            callRemat({"plan", kTinyGpt2, "--budget", "25%", "--time-limit", "2", "--never-chunk", "mm", "--json"});
        QVERIFY2(never.code == 1, qPrintable(never.out + never.err)); // cutting the loss alone is not enough
        // All of the step in parts has that op, too.
        QCOMPARE(callRemat({"chunk", kTinyGpt2, "--by", "batch=2"}).code, 0);
        const Outcome step =
            callRemat({"plan", kTinyGpt2, "--budget", "60%", "--chunk", "batch=2", "--never-chunk", "mm"});
        QVERIFY2(step.code == 2 && step.err.contains("run in none"), qPrintable(step.out + step.err));
        const Outcome unknown = callRemat({"plan", kTinyGpt2, "--budget", "25%", "--never-chunk", "nowhere"});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("nowhere"), qPrintable(unknown.err));
    }

    /// Every plan has what was decided about an op of the graph as it is in all of the op's pieces.
    void decisionsByHandAreAboutEachPiece()
    {
        const QTemporaryDir folder;
        const auto times = [](const QString &file, const QString &op) {
            int computed = 0;
            for (const QJsonValue &step : QJsonDocument::fromJson(read(file).toUtf8())["steps"].toArray())
                computed += step["op"].toString() == op ? 1 : 0;
            return computed;
        };
        const QStringList inHalves{"--chunk", "tanh=2", "--recompute", "tanh", "--never", "mm"};
        const QString file = folder.filePath("plan.json");
        const QStringList plan{"plan",   kTinyGpt2,      "--budget", "80%", "--solver",
                               "search", "--time-limit", "2",        "-o",  file};
        const Outcome made = callRemat(plan + inHalves);
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        QVERIFY(read(file).contains("tanh#1"));
        QVERIFY(times(file, "tanh#0") >= 2 && times(file, "tanh#1") >= 2);
        QCOMPARE(times(file, "mm"), 1);

        const QStringList sweep{"sweep", kTinyGpt2, "--budgets", "80%,24%", "--solver", "auto", "--time-limit", "3"};
        const Outcome lines = callRemat(sweep + QStringList{"--lines", "--chunk", "auto", "--recompute", "tanh"});
        QVERIFY2(lines.code == 0, qPrintable(lines.out + lines.err));
        int plans = 0;
        for (const QString &line : lines.out.split('\n', Qt::SkipEmptyParts)) {
            const QJsonObject point = QJsonDocument::fromJson(line.toUtf8()).object();
            if (!point["plan"].isString()) continue;
            ++plans;
            write(file, point["plan"].toString());
            QCOMPARE(callRemat({"check", kTinyGpt2, file}).code, 0);
            const bool cut = read(file).contains("\"tanh#0\"");
            QVERIFY2(times(file, cut ? "tanh#0" : "tanh") >= 2, qPrintable(line.left(500)));
        }
        QCOMPARE(plans, 2);

        // A loss in chunks has its backward ops between them, so nothing is dropped for later.
        const Outcome never = callRemat(plan + QStringList{"--chunk", "head=8", "--recompute", "_log_softmax"});
        QVERIFY2(never.code == 2 && never.err.contains("decision"), qPrintable(never.out + never.err));
    }

    void sweepsAndBoundsInChunks()
    {
        const QTemporaryDir folder;
        const Outcome swept = callRemat({"sweep", kTinyGpt2, "--budgets", "50%,27%", "--solver", "search", "--chunk",
                                         "auto", "--time-limit", "3", "--plans", folder.path(), "--json"});
        QVERIFY2(swept.code == 0, qPrintable(swept.out + swept.err));
        const QJsonArray points = swept.json().value("points").toArray();
        QCOMPARE(points.size(), 2);
        for (const QJsonValue &point : points) {
            const QString file = point["plan_file"].toString();
            QVERIFY2(!file.isEmpty(), qPrintable(swept.out));
            const Outcome checked = callRemat({"check", kTinyGpt2, file, "--json"});
            QVERIFY2(checked.code == 0, qPrintable(checked.out));
            QVERIFY(qAbs(checked.json().value("overhead").toDouble() - point["overhead"].toDouble()) < 1e-9);
        }
        QVERIFY(read(points[1]["plan_file"].toString()).contains("remat-plan/2"));
        QVERIFY(points[0]["overhead"].toDouble() <= points[1]["overhead"].toDouble());

        for (const char *wrong : {"nowhere=2", "head", "head=1000", "=2"})
            for (const QStringList &call : {QStringList{"bound", kTinyGpt2, "--budget", "20%"},
                                            QStringList{"sweep", kTinyGpt2, "--budgets", "20%"}})
                QVERIFY2(callRemat(call + QStringList{"--chunk", wrong}).code == 2, wrong);

        const QStringList bound{"bound", kTinyGpt2, "--budget", "20%", "--quick"};
        QCOMPARE(callRemat(bound).code, 1);
        const Outcome cut = callRemat(bound + QStringList{"--chunk", "auto", "--json"});
        QVERIFY2(cut.code == 0, qPrintable(cut.out + cut.err));
        QVERIFY(cut.json().value("chunks").toString().startsWith("the loss in "));
        QVERIFY(cut.json().value("least_in_chunks_bytes").toDouble() <=
                cut.json().value("peak").toObject().value("bytes").toDouble());
        // Both floors are there without chunks, too.
        const QJsonObject whole = callRemat(bound + QStringList{"--json"}).json();
        QCOMPARE(cut.json().value("budget_bytes"), whole.value("budget_bytes"));
        QCOMPARE(whole.value("least_in_chunks_bytes"), cut.json().value("least_in_chunks_bytes"));
        QVERIFY(!whole.contains("chunks"));
        QVERIFY(!callRemat(bound + QStringList{"--chunk", "off", "--json"}).json().contains("least_in_chunks_bytes"));
    }

    void fitsKnowsChunks()
    {
        QStringList call{"fits", kTinyGpt2, "--optimizer", "none", "--devices", "h100", "--time-limit", "3", "--json"};
        const QJsonObject needs = callRemat(call).json();
        // As much as leaves a quarter of the peak to the step, when 5 % stay free.
        const double bytes =
            (needs.value("resident_bytes").toDouble() + needs.value("step_bytes").toDouble() / 4) / 0.95;
        call << "--memory" << QString::number(qint64(bytes)) + "B";
        const Outcome fits = callRemat(call);
        QVERIFY2(fits.code == 0, qPrintable(fits.out + fits.err));
        const QJsonValue device = fits.json().value("devices").toArray().at(0);
        QCOMPARE(device["verdict"].toString(), QStringLiteral("fits with a plan"));
        QVERIFY2(device["reason"].toString().startsWith("In chunks: the "), qPrintable(fits.out));
        QCOMPARE(callRemat(call + QStringList{"--chunk", "off"}).code, 1);
        // Both floors stand beside what keeping everything takes.
        const QJsonObject chunks = fits.json().value("chunks").toObject();
        QVERIFY(chunks.value("step_floor_bytes").toDouble() < fits.json().value("step_floor_bytes").toDouble());
        QVERIFY(chunks.value("least_step_floor_bytes").toDouble() <= chunks.value("step_floor_bytes").toDouble());
        call.removeOne("--json");
        QVERIFY2(callRemat(call).out.contains("with " + chunks.value("title").toString()), qPrintable(fits.out));
    }

    void plansInChunksRun()
    {
        if (!REMAT_HAS_TORCH) QSKIP("The program was built without LibTorch.");
        const QTemporaryDir folder;
        const QString file = folder.filePath("plan.json");
        const Outcome made = callRemat({"plan", kTinyGpt2, "--budget", "60%", "--chunk", "head=4", "--solver",
                                        "chen-greedy", "--optimizer", "adamw", "-o", file});
        QVERIFY2(made.code == 0, qPrintable(made.out + made.err));
        const Outcome run = callRemat({"validate", kTinyGpt2, file, "--threads", "1", "--json"});
        QVERIFY2(run.code <= 1 && run.json().value("loss_equal").toBool(), qPrintable(run.out + run.err));
        QCOMPARE(run.json().value("gradients_equal"), run.json().value("gradients"));
        QVERIFY(read(file).contains("remat-plan/2"));

        // The second verdict: the loss and the weight of the head have other last bits; what AdamW divides by itself is
        // left out.
        const QJsonObject chunks = run.json().value("chunks").toObject();
        QVERIFY2(chunks.value("near").toBool(), qPrintable(run.out));
        QCOMPARE(chunks.value("allowed_units").toDouble(), 32.0);
        const auto different = chunks.value("different").toArray();
        QVERIFY(!different.isEmpty() && different.size() * 4 < chunks.value("tensors").toInt());
        for (const QJsonValue &each : different)
            QVERIFY2(!each["name"].toString().startsWith("new "), qPrintable(run.out));
        QVERIFY2(run.json().value("sentence").toString().contains("Against the step without chunks"),
                 qPrintable(run.out));
        QVERIFY(read(file).contains(R"("largest_units")"));
        const Outcome again = callRemat({"check", kTinyGpt2, file});
        QVERIFY2(again.code == 0, qPrintable(again.out + again.err));
    }
};

QTEST_GUILESS_MAIN(TestCliChunk)
#include "tst_cli_chunk.moc"
