// SPDX-License-Identifier: Apache-2.0
// remat-layout as a process: what goes in, what comes out, and that nothing makes it crash.
#include <QtTest>

namespace {

struct Run {
    int exitCode = -1;
    QList<QJsonObject> answers;
    QByteArray output, errors;
};

Run runHelper(const QByteArray &input, const QStringList &arguments = {})
{
    Run run;
    QProcess process;
    process.start(QStringLiteral(REMAT_BIN "/remat-layout"), arguments);
    if (!process.waitForStarted()) return run;
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(120000) || process.exitStatus() != QProcess::NormalExit) return run;
    run.exitCode = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    for (const QByteArray &line : run.output.split('\n'))
        if (!line.isEmpty()) run.answers.append(QJsonDocument::fromJson(line).object());
    return run;
}

QByteArray request(int id, int nodes, const QList<QPair<int, int>> &edges, int width = 120)
{
    QJsonArray boxes, lines;
    for (int i = 0; i < nodes; ++i)
        boxes.append(QJsonObject{{"id", QString::number(i)}, {"width", width}, {"height", 26}});
    for (const auto &[from, to] : edges)
        lines.append(QJsonArray{QString::number(from), QString::number(to)});
    return QJsonDocument(QJsonObject{{"id", id}, {"nodes", boxes}, {"edges", lines}}).toJson(QJsonDocument::Compact) +
           '\n';
}

const QByteArray kDiamond = request(7, 4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});

} // namespace

class TestLayoutHelper : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void placesADiamondInRanks()
    {
        const Run run = runHelper(kDiamond);
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.answers.size(), 1);
        QCOMPARE(run.answers[0]["id"].toInt(), 7);
        const QJsonArray nodes = run.answers[0]["nodes"].toArray();
        QCOMPARE(nodes.size(), 4);
        const int ranks[] = {0, 1, 1, 2};
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(nodes[i].toObject()["id"].toString(), QString::number(i));
            QCOMPARE(nodes[i].toObject()["rank"].toInt(), ranks[i]);
        }
        QVERIFY(nodes[1].toObject()["order"].toInt() != nodes[2].toObject()["order"].toInt());
        QVERIFY(nodes[0].toObject()["y"].toDouble() < nodes[1].toObject()["y"].toDouble());
        QVERIFY(nodes[1].toObject()["y"].toDouble() < nodes[3].toObject()["y"].toDouble());
        QVERIFY(run.answers[0]["width"].toDouble() >= 240);
        QVERIFY(run.answers[0]["height"].toDouble() >= 3 * 26);
    }

    void answersSeveralRequestsInOneLife()
    {
        const Run run = runHelper(request(1, 3, {{0, 1}, {1, 2}}) + kDiamond + request(3, 1, {}));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.answers.size(), 3);
        QCOMPARE(run.answers[0]["id"].toInt(), 1);
        QCOMPARE(run.answers[1]["id"].toInt(), 7);
        QCOMPARE(run.answers[2]["id"].toInt(), 3);
        QCOMPARE(run.answers[2]["nodes"].toArray().size(), 1);
    }

    void keepsBoxesApart()
    {
        QList<QPair<int, int>> edges;
        for (int i = 1; i < 9; ++i)
            edges << QPair(0, i) << QPair(i, 9);
        const Run run = runHelper(request(1, 10, edges));
        QCOMPARE(run.answers.size(), 1);
        const QJsonArray nodes = run.answers[0]["nodes"].toArray();
        for (int i = 1; i < 9; ++i) {
            for (int j = i + 1; j < 9; ++j) {
                const double apart = qAbs(nodes[i].toObject()["x"].toDouble() - nodes[j].toObject()["x"].toDouble());
                QVERIFY2(apart >= 120 + 8 - 1, qPrintable(QString::number(apart)));
            }
        }
    }

    void laysOutALargeCluster()
    {
        // 400 boxes: a chain of blocks with a skip over each, as a long residual cluster has.
        QList<QPair<int, int>> edges;
        for (int i = 0; i + 1 < 400; ++i)
            edges << QPair(i, i + 1);
        for (int i = 0; i + 5 < 400; i += 5)
            edges << QPair(i, i + 5);
        const Run run = runHelper(request(1, 400, edges));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.answers.value(0)["nodes"].toArray().size(), 400);
    }

    void saysVersionAndHelp()
    {
        const Run version = runHelper({}, {QStringLiteral("--version")});
        QCOMPARE(version.exitCode, 0);
        QVERIFY(version.output.startsWith("remat-layout "));
        const Run help = runHelper({}, {QStringLiteral("--help")});
        QCOMPARE(help.exitCode, 0);
        QVERIFY(help.output.contains("Usage:"));
    }

    void refusesUnknownArguments()
    {
        const Run run = runHelper({}, {QStringLiteral("--layout")});
        QCOMPARE(run.exitCode, 2);
        QVERIFY(run.errors.contains("--layout"));
    }

    void refusesWhatIsNoRequest_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char *name, const QByteArray &line, const QByteArray &says) {
            QTest::newRow(name) << line << says;
        };
        const QByteArray a = R"({"id":"a","width":10,"height":10})";
        row("no JSON", "nonsense", "not JSON");
        row("half", kDiamond.left(kDiamond.size() / 2), "not JSON");
        row("list", "[1,2]", "object");
        row("no nodes", "{}", "nodes");
        row("empty nodes", R"({"nodes":[]})", "at least one");
        row("nodes of the wrong type", R"({"nodes":3})", "nodes");
        row("node of the wrong type", R"({"nodes":[3]})", "Node 1");
        row("node without id", R"({"nodes":[{"width":1,"height":1}]})", "id");
        row("negative width", R"({"nodes":[{"id":"a","width":-1,"height":1}]})", "width");
        row("huge height", R"({"nodes":[{"id":"a","width":1,"height":1e300}]})", "height");
        row("number beyond a double", R"({"nodes":[{"id":"a","width":1,"height":1e999}]})", "not JSON");
        row("width as text", R"({"nodes":[{"id":"a","width":"1","height":1}]})", "width");
        row("same id twice", "{\"nodes\":[" + a + "," + a + "]}", "same id");
        row("edge to nowhere", "{\"nodes\":[" + a + R"(],"edges":[["a","b"]]})", "Edge 1");
        row("edge of the wrong type", "{\"nodes\":[" + a + R"(],"edges":[7]})", "Edge 1");
        row("edge of three", "{\"nodes\":[" + a + R"(],"edges":[["a","a","a"]]})", "Edge 1");
        row("edges of the wrong type", "{\"nodes\":[" + a + R"(],"edges":{}})", "edges");
        row("unknown option", "{\"nodes\":[" + a + R"(],"options":{"engine":3}})", "engine");
        row("negative id", "{\"id\":-4,\"nodes\":[" + a + "]}", "id");
        row("too many nodes", request(1, 2001, {}), "2000");
        row("deep nesting", QByteArray(1000000, '['), "not JSON");
        row("deep lists", QByteArray(1000000, '[') + QByteArray(1000000, ']'), "object");
        const QByteArray huge = "{\"id\":\"" + QByteArray(1000000, 'n') + "\",\"width\":10,\"height\":10}";
        row("a megabyte of id twice", "{\"nodes\":[" + huge + "," + huge + "]}", "same id");
        row("a megabyte of option", "{\"nodes\":[" + a + "],\"options\":{\"" + QByteArray(1000000, 'n') + "\":3}}",
            "unknown");
        row("long line", QByteArray(9 << 20, ' '), "8 MiB");
        row("binary", QByteArray("\0\xff\xfe\x01{", 5), "not JSON");
    }

    void refusesWhatIsNoRequest()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, says);
        const Run run = runHelper(line + '\n');
        QCOMPARE(run.exitCode, 2);
        QCOMPARE(run.answers.size(), 1);
        const QString error = run.answers[0]["error"].toString();
        QVERIFY2(error.contains(QString::fromUtf8(says)), qPrintable(error));
        QVERIFY(error.endsWith(QLatin1Char('.')));
        QVERIFY(error.size() < 300);
    }

    void survivesEveryTruncation()
    {
        for (qsizetype length = 1; length < kDiamond.size() - 1; length += 7) {
            const Run run = runHelper(kDiamond.left(length));
            QCOMPARE(run.exitCode, 2);
            QCOMPARE(run.answers.size(), 1);
        }
    }
};

QTEST_GUILESS_MAIN(TestLayoutHelper)
#include "tst_layout_helper.moc"
