// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "tests/support/graphs.h"

#include <QtTest>

#include <nlohmann/json.hpp>

using namespace remat;
using Json = nlohmann::json;

namespace {

ValueId addTensor(Program &program, const Json &shape)
{
    Value value;
    for (const Json &size : shape)
        value.sizes.push_back(size.get<std::int64_t>());
    value.strides.assign(value.sizes.size(), 1);
    program.values.push_back(std::move(value));
    return ValueId(program.values.size() - 1);
}

Argument argumentOf(Program &program, const Json &json)
{
    if (json.is_object()) return addTensor(program, json["tensor"]);
    if (json.is_boolean()) return json.get<bool>();
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (!json.is_array()) return NoneArg{};
    if (!json.empty() && json[0].is_boolean()) return json.get<std::vector<bool>>();
    return json.get<std::vector<std::int64_t>>();
}

double flopsOf(const Json &test)
{
    Program program;
    Node node;
    node.opName = test["op"];
    for (const Json &argument : test["args"])
        node.arguments.push_back({"", argumentOf(program, argument), false});
    for (const Json &output : test["outputs"])
        node.outputs.push_back(output.is_null() ? ValueId() : addTensor(program, output));
    return nodeFlops(program, node);
}

Json expected()
{
    return Json::parse(readFile(REMAT_TEST_DATA "/flops/flops.json").value());
}

} // namespace

/// tests/data/flops/make_flops.py has made the expected numbers with PyTorch's flop_counter.
class TstFlops : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void singleCalls()
    {
        const Json data = expected();
        QVERIFY(data["cases"].size() > 30);
        for (const Json &test : data["cases"])
            QVERIFY2(flopsOf(test) == test["flops"].get<double>(), test.dump().c_str());
    }

    void theCpusAttentionCountsLikeTheOthers()
    {
        int compared = 0;
        const Json data = expected();
        for (Json test : data["cases"]) {
            std::string op = test["op"];
            const std::string flash = "_scaled_dot_product_flash_attention";
            const std::size_t at = op.find(flash);
            if (at == std::string::npos) continue;
            test["op"] = op.insert(at + flash.size(), "_for_cpu");
            QCOMPARE(flopsOf(test), test["flops"].get<double>());
            ++compared;
        }
        QCOMPARE(compared, 2);
    }

    void oddCallsCountNothing()
    {
        QCOMPARE(flopsOf(Json::parse(R"({"op": "aten::relu", "args": [{"tensor": [9]}], "outputs": [[9]]})")), 0.0);
        QCOMPARE(flopsOf(Json::parse(R"({"op": "aten::mm", "args": [], "outputs": []})")), 0.0);
        QCOMPARE(flopsOf(Json::parse(R"({"op": "aten::mm", "args": [{"tensor": [2]}, 3], "outputs": [[9]]})")), 0.0);
        QCOMPARE(flopsOf(Json::parse(
                     R"({"op": "aten::convolution", "args": [{"tensor": []}, {"tensor": [1]}], "outputs": [null]})")),
                 0.0);
        QCOMPARE(flopsOf(Json::parse(
                     R"({"op": "aten::_flash_attention_forward",
                         "args": [{"tensor": [2]}, null, null, {"tensor": [4]}, null, 3, 3], "outputs": [[9]]})")),
                 0.0);
    }

    void wholeTraces_data()
    {
        QTest::addColumn<QString>("name");
        const Json data = expected();
        for (const auto &[name, counts] : data["traces"].items())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    /// The trace of a sample against its eager training step. A sample made anew needs make_flops.py to run anew.
    void wholeTraces()
    {
        const auto model = test::loadSample(QTest::currentDataTag());
        if (!model) QFAIL(model.error().message.c_str());
        std::map<std::string, double> counted;
        for (const Op &op : model->graph.ops) {
            const double flops = nodeFlops(*model->program, model->program->nodes[op.node.index()]);
            // PyTorch has no formula for the CPU's attention.
            const bool counts = op.kind.find("_for_cpu") == std::string::npos;
            if (flops > 0 && counts) counted[op.kind] += flops;
        }
        const auto wanted = expected()["traces"][QTest::currentDataTag()].get<std::map<std::string, double>>();
        QCOMPARE(counted, wanted);
    }

    void pytorchStillCountsSo()
    {
        const QString python = QStringLiteral(REMAT_TEST_DATA "/../../.venv/bin/python");
        if (!QFileInfo::exists(python)) QFAIL("there is no .venv with PyTorch: packaging/test makes it");
        QProcess process;
        process.start(python, {QStringLiteral(REMAT_TEST_DATA "/flops/make_flops.py"), QStringLiteral("--cases")});
        QVERIFY(process.waitForFinished(120000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        const Json live = Json::parse(process.readAllStandardOutput().toStdString());
        const Json kept = expected();
        QVERIFY2(live["torch"] == kept["torch"], "The expected numbers are of another PyTorch: run make_flops.py.");
        QVERIFY(live["cases"] == kept["cases"]);
    }
};

QTEST_GUILESS_MAIN(TstFlops)
#include "tst_flops.moc"
