// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/graph/model.h"
#include "core/io/graph_json.h"

#include <QtTest>

using namespace remat;

namespace {

/// The graph of the format's description, with a backward pass.
test::Json smallGraph()
{
    return test::Json::parse(R"({"format": "remat-graph/1", "name": "tiny",
        "inputs": [{"name": "x", "bytes": 4096, "kind": "input"}, {"name": "w", "bytes": 100, "kind": "parameter"}],
        "ops": [
          {"name": "f1", "kind": "linear", "time_us": 12.5, "workspace_bytes": 64, "inputs": ["x", "w", "x"],
           "outputs": [{"name": "a1", "bytes": 8192}], "module": "layers.0", "phase": "forward", "forward_op": null,
           "random": true},
          {"name": "loss", "inputs": ["a1"], "outputs": [{"name": "l", "bytes": 4.0}], "phase": "loss"},
          {"name": "b1", "inputs": ["a1", "l"], "outputs": [{"name": "g", "bytes": 7}, {"name": "gw", "bytes": 100}],
           "phase": "backward", "forward_op": "f1"}],
        "outputs": ["l", "gw"]})");
}

} // namespace

class TstGraphJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEverything()
    {
        const Expected<Graph> graph = parseGraphJson(smallGraph().dump(), "t.json");
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
        QCOMPARE(graph->name, std::string("tiny"));
        QCOMPARE(graph->ops.size(), std::size_t(3));
        const Op &f1 = graph->ops[0];
        QCOMPARE(f1.inputs, (std::vector<StorageId>{StorageId(0), StorageId(1)}));
        QCOMPARE(f1.timeUs, 12.5);
        QCOMPARE(f1.workspaceBytes, std::int64_t(64));
        QCOMPARE(f1.module, std::string("layers.0"));
        QVERIFY(f1.random);
        QVERIFY(graph->ops[1].timeUs < 0);
        QCOMPARE(graph->ops[1].phase, Phase::Loss);
        QCOMPARE(graph->ops[2].forwardOp, OpId(0));
        const auto storage = [&](const char *name) {
            for (const Storage &s : graph->storages) {
                if (s.name == name) return s;
            }
            return Storage();
        };
        QCOMPARE(storage("w").kind, StorageKind::Parameter);
        QCOMPARE(storage("a1").kind, StorageKind::Activation);
        QCOMPARE(storage("a1").bytes, std::int64_t(8192)); // as it stands, not rounded up
        QCOMPARE(storage("l").bytes, std::int64_t(4));
        QVERIFY(storage("l").isOutput);
        QCOMPARE(storage("g").kind, StorageKind::Gradient);
        QCOMPARE(storage("g").producer, OpId(2));
        QCOMPARE(storage("gw").kind, StorageKind::ParameterGradient);
        QVERIFY(storage("gw").isOutput);
    }

    void sumsInPlaceTakeAName()
    {
        test::Json json = smallGraph();
        json["ops"].push_back(test::Json::parse(
            R"({"name": "b2", "inputs": ["a1"], "into": "gw", "outputs": [{"name": "sum"}], "phase": "backward"})"));
        json["outputs"] = {"l", "sum"};
        const Expected<Graph> graph = parseGraphJson(json.dump(), "t.json");
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
        const Op &sum = graph->ops[3];
        QVERIFY(sum.outputs.empty());
        QCOMPARE(graph->storage(sum.into).name, std::string("gw"));
        QVERIFY(graph->storage(sum.into).isOutput);
        QCOMPARE(sum.inputs.size(), std::size_t(2));
        const auto plain = parseGraphJson(smallGraph().dump(), "t.json");
        QVERIFY(plain->fingerprint != graph->fingerprint);

        const auto refused = [](const test::Json &wrong, const char *part) {
            const auto read = parseGraphJson(wrong.dump(), "t.json");
            QVERIFY(!read);
            QVERIFY2(read.error().message.find(part) != std::string::npos, read.error().message.c_str());
        };
        test::Json late = json;
        late["outputs"] = {"l", "gw"};
        refused(late, "gw");
        late = json;
        late["ops"].push_back(test::Json::parse(R"({"name": "b3", "inputs": ["gw"], "outputs": []})"));
        refused(late, "another name");
        json["ops"][3]["into"] = "w";
        json["outputs"] = {"l"};
        refused(json, "an input");
        json["ops"][3]["into"] = "zzz";
        refused(json, "ops[3].into");
        json["ops"][3]["into"] = "gw";
        json["ops"][3]["outputs"] = test::Json::parse(R"([{"name": "l"}])");
        refused(json, "another storage");
    }

    void almostEverythingMayBeLeftOut()
    {
        const auto graph = parseGraphJson(
            R"({"format": "remat-graph/1", "ops": [{"name": "f", "inputs": [], "outputs": [{"name": "a", "bytes": 1}]}]})",
            "t.json");
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
        QCOMPARE(graph->name, std::string("t.json"));
    }

    void isToldFromArchivesByContent()
    {
        const test::Folder folder;
        const auto model = readModel(folder.write("odd.pt2", "\n " + smallGraph().dump()));
        QVERIFY(model.has_value());
        QVERIFY(!model->program);
        QVERIFY(!readModel(folder.write("odd.json", "hello")));
        QVERIFY(!readModel(folder.write("empty", "")));
        QVERIFY(!readModel(folder.path("missing")));
        QVERIFY(!readModel(folder.path()));
    }

    void refusals_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *pointer, const char *value, const char *part) {
            QTest::addRow("%s=%s", pointer, value) << pointer << value << part;
        };
        row("/format", R"("remat-graph/2")", "remat-graph/1");
        row("/ops/0/outputs/0/bytes", "-5", "ops[0].outputs[0].bytes");
        row("/ops/0/outputs/0/bytes", "1.5", "whole number");
        row("/ops/0/outputs/0/bytes", "1e300", "ops[0].outputs[0].bytes");
        row("/ops/0/outputs/0/bytes", "18446744073709551615", "63 bits");
        row("/ops/0/outputs/0/bytes", "9223372036854775807", "2^62");
        row("/ops/0/outputs/0/bytes", R"("8")", "ops[0].outputs[0].bytes");
        row("/ops/0/outputs/0/name", R"("x")", "another storage");
        row("/ops/0/outputs/0/name", R"("")", "empty name");
        row("/ops/1/name", R"("f1")", "another op");
        row("/ops/1/name", R"("")", "no name");
        row("/ops/1/inputs/0", R"("g")", "loss");
        row("/ops/1/inputs/0", R"("l")", "cycle");
        row("/ops/1/inputs/0", R"("zzz")", "ops[1].inputs[0]");
        row("/ops/1/inputs", "3", "must be a list");
        row("/ops/0/time_us", "-1", "ops[0].time_us");
        row("/ops/0/time_us", R"("NaN")", "ops[0].time_us");
        row("/ops/0/time_us", "1e18", "time");
        row("/ops/0/flops", "-1", "ops[0].flops");
        row("/ops/0/flops", "1e300", "ops[0].flops");
        row("/ops/0", R"({"name": "f1", "inputs": [], "outputs": [], "flops": 1, "dtype": "floot"})",
            "type of PyTorch");
        row("/ops/0/moved_bytes", "-1", "ops[0].moved_bytes");
        row("/ops/0/launches", "1e9", "ops[0].launches");
        row("/ops/0/workspace_bytes", "-1", "ops[0].workspace_bytes");
        row("/ops/0/workspace_bytes", "9000000000000000000", "workspace");
        row("/ops/0/phase", R"("sideways")", "forward, loss or backward");
        row("/ops/2/forward_op", R"("nobody")", "ops[2].forward_op");
        row("/ops/2/forward_op", R"("b1")", "ops[2].forward_op");
        row("/ops/0/random", "1", "true or false");
        row("/inputs/0/kind", R"("activation")", "parameter, buffer, input or state");
        row("/inputs/0/bytes", "-1", "inputs[0].bytes");
        row("/outputs/0", R"("zzz")", "outputs[0]");
        row("/ops", "{}", "must be a list");
        row("/ops", "null", "ops");
    }
    void refusals()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, part);
        test::Json graph = smallGraph();
        graph[test::Json::json_pointer(pointer.toStdString())] = test::Json::parse(value.toStdString());
        const Expected<Graph> read = parseGraphJson(graph.dump(), "t.json");
        QVERIFY(!read);
        qInfo("%s", read.error().message.c_str());
        QVERIFY2(read.error().message.find(part.toStdString()) != std::string::npos, read.error().message.c_str());
        QVERIFY(read.error().message.find("t.json") == 0);
    }

    /// Nothing to hold would make every plan, and every bound, nothing.
    void withoutOutputsWhatDiesLastIsHeld_data()
    {
        QTest::addColumn<QString>("outputs");
        for (const char *outputs : {"[]", "null", R"(["x"])", "none"})
            QTest::newRow(outputs) << outputs;
    }
    void withoutOutputsWhatDiesLastIsHeld()
    {
        QFETCH(QString, outputs);
        test::Json graph = smallGraph();
        if (outputs == QStringLiteral("none"))
            graph.erase("outputs");
        else
            graph["outputs"] = test::Json::parse(outputs.toStdString());
        std::string lacks;
        const Expected<Graph> read = parseGraphJson(graph.dump(), "t.json", &lacks);
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(lacks,
                 std::string("The graph names nothing that it makes as an output, so what no op reads is held to "
                             "its end: \"g\", \"gw\". Name the loss and the gradients in \"outputs\"."));
        for (const Storage &storage : read->storages)
            QCOMPARE(storage.isOutput,
                     storage.name == "g" || storage.name == "gw" || (storage.name == "x" && outputs.contains('x')));
    }

    void opsThatNoOutputNeedsAreNamed()
    {
        test::Json graph = smallGraph();
        std::string lacks;
        QVERIFY(parseGraphJson(graph.dump(), "t.json", &lacks) && lacks.empty());
        graph["outputs"] = {"l"};
        QVERIFY(parseGraphJson(graph.dump(), "t.json", &lacks));
        QCOMPARE(lacks,
                 std::string("No output needs 1 of its 3 ops: \"b1\". Plans may leave them out, and bounds do not "
                             "count them."));
        graph["ops"][2]["compute_once"] = true;
        QVERIFY(parseGraphJson(graph.dump(), "t.json", &lacks) && lacks.empty());
    }

    void hugeNumbersAreRefused()
    {
        std::string text = smallGraph().dump();
        text.replace(text.find("8192"), 4, "1e400");
        const Expected<Graph> read = parseGraphJson(text, "t.json");
        QVERIFY(!read);
        qInfo("%s", read.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TstGraphJson)
#include "tst_graph_json.moc"
