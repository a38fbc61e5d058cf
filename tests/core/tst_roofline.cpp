// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/costs/cost_table.h"
#include "core/io/graph_json.h"

#include <QtTest>

using namespace remat;

namespace {

Device plainDevice()
{
    Device device;
    device.name = "plain";
    device.flopsPerSecond = {{"default", 1e9}, {"bfloat16", 3e9}};
    device.bytesPerSecond = 1e9;
    device.launchUs = 5;
    device.linkBytesPerSecond = 7e9;
    device.linkLatencyUs = 3;
    device.joulesPerByte = 2e-9;
    return device;
}

Model tinyArchive(const test::Json &json = test::tinyModel())
{
    const test::Folder folder;
    Expected<Model> model = readModel(folder.write("t.pt2", test::zipOf(test::tinyEntries(json))));
    if (!model) qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

Model jsonModel(const char *text)
{
    Expected<Graph> graph = parseGraphJson(text, "t.json");
    if (!graph) qFatal("%s", graph.error().message.c_str());
    Model model;
    model.graph = std::move(*graph);
    return model;
}

} // namespace

class TstRoofline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void computeAndMemoryBound()
    {
        const Model model = tinyArchive();
        const CostTable costs = rooflineCosts(model, plainDevice());
        QCOMPARE(costs.timeUs.size(), std::size_t(4));
        // mm: 2 * 4 * 200 * 300 FLOPs at 1 GFLOP/s; its bytes (x, w.t(), y) take longer at 100 times the rate only.
        QCOMPARE(costs.timeUs[0], 480.0 + 5);
        // mean: reads 4 * 300 floats, makes one.
        QCOMPARE(costs.timeUs[1], (1200 + 1) * 4 / 1e9 * 1e6 + 5);
        QCOMPARE(costs.workspaceBytes, std::vector<std::int64_t>(4, 0));
        QCOMPARE(costs.linkBytesPerSecond, 7e9);
        QCOMPARE(costs.linkLatencyUs, 3.0);
        QCOMPARE(costs.watts, 2.0);      // 2 nJ a byte at 1 GB/s
        QCOMPARE(costs.linkWatts, 14.0); // and at the link's 7 GB/s
        QCOMPARE(copyTimeUs(costs, 7000), 1.0 + 3);
        QVERIFY(sameOpCosts(costs.source, {"roofline", "plain"}));
        QCOMPARE(keepAllTimeUs(costs), costs.timeUs[0] + costs.timeUs[1] + costs.timeUs[2] + costs.timeUs[3]);

        Device fast = plainDevice();
        fast.flopsPerSecond["default"] = 1e15;
        QCOMPARE(rooflineCosts(model, fast).timeUs[0], (4 * 200 + 200 * 300 + 4 * 300) * 4 / 1e9 * 1e6 + 5);
    }

    void expandedTensorsCountAllTheirElements()
    {
        // mm_1 reads an expanded scalar as [300, 4]: elements count, not the extent.
        test::Json json = test::tinyModel();
        for (const char *name : {"expand", "t_1"}) {
            for (test::Json &stride : json["graph_module"]["graph"]["tensor_values"][name]["strides"])
                stride["as_int"] = 0;
        }
        Device fast = plainDevice();
        fast.flopsPerSecond["default"] = 1e15;
        QCOMPARE(rooflineCosts(tinyArchive(json), fast).timeUs[3], (1200 + 4 * 200 + 300 * 200) * 4 / 1e9 * 1e6 + 5);
    }

    void theTypeChoosesTheRate()
    {
        test::Json json = test::tinyModel();
        for (const char *name : {"x", "t", "mm", "p_w"})
            json["graph_module"]["graph"]["tensor_values"][name]["dtype"] = 13; // bfloat16
        QCOMPARE(rooflineCosts(tinyArchive(json), plainDevice()).timeUs[0], 480.0 / 3 + 5);
    }

    void jsonGraphsKeepTheirTimes()
    {
        const Device device = plainDevice();
        const CostTable all = rooflineCosts(jsonModel(R"({"format": "remat-graph/1", "ops": [
            {"name": "f", "time_us": 0, "workspace_bytes": 9, "inputs": [], "outputs": [{"name": "a", "bytes": 1}]}]})"),
                                            device);
        QCOMPARE(all.timeUs, std::vector<double>{0});
        QCOMPARE(all.workspaceBytes, std::vector<std::int64_t>{9});
        QVERIFY(sameOpCosts(all.source, {"graph", ""}));

        const CostTable none = rooflineCosts(jsonModel(R"({"format": "remat-graph/1",
            "inputs": [{"name": "x", "bytes": 2000}], "ops": [
            {"name": "f", "inputs": ["x"], "outputs": [{"name": "a", "bytes": 1000}]}]})"),
                                             device);
        QCOMPARE(none.timeUs, std::vector<double>{3 + 5});
        QVERIFY(sameOpCosts(none.source, {"roofline", "plain"}));

        const CostTable some = rooflineCosts(jsonModel(R"({"format": "remat-graph/1", "ops": [
            {"name": "f", "time_us": 7, "inputs": [], "outputs": [{"name": "a", "bytes": 1000}]},
            {"name": "g", "inputs": ["a"], "outputs": []}]})"),
                                             device);
        QCOMPARE(some.timeUs, (std::vector<double>{7, 1 + 5}));
        QVERIFY(sameOpCosts(some.source, {"graph", "plain"}));
    }

    void jsonGraphsMaySayTheirWork()
    {
        const CostTable costs = rooflineCosts(jsonModel(R"({"format": "remat-graph/1",
            "inputs": [{"name": "x", "bytes": 2000}], "ops": [
            {"name": "a", "flops": 6e3, "inputs": ["x"], "outputs": [{"name": "a", "bytes": 1000}]},
            {"name": "b", "flops": 6e3, "dtype": "bfloat16", "inputs": ["x"], "outputs": [{"name": "b", "bytes": 0}]},
            {"name": "c", "flops": 6e3, "dtype": "float64", "moved_bytes": 9e3, "inputs": [], "outputs": []},
            {"name": "d", "launches": 0.5, "inputs": ["x"], "outputs": []},
            {"name": "e", "flops": 6e3, "time_us": 1, "inputs": ["x"], "outputs": []}]})"),
                                              plainDevice());
        // The longer of operations at the type's rate and of bytes; and half a launch.
        QCOMPARE(costs.timeUs, (std::vector<double>{6 + 5, 2 + 5, 9 + 5, 2 + 2.5, 1}));
    }
};

QTEST_GUILESS_MAIN(TstRoofline)
#include "tst_roofline.moc"
