// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/base/resources.h"
#include "core/costs/device.h"

#include <QtTest>

#include <set>

using namespace remat;

class TstDeviceJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allDevicesAreThere()
    {
        const auto devices = readDevices();
        QVERIFY2(devices.has_value(), devices ? "" : devices.error().message.c_str());
        std::set<std::string> names;
        for (const Device &device : *devices)
            names.insert(device.name);
        QCOMPARE(names,
                 (std::set<std::string>{
                     "reference", "h200",           "h100",       "a100",        "l4",          "l40s",       "gh200",
                     "gb200",     "mi300x",         "rtx5090",    "rtx4090",     "rtx4070",     "rtx4060",    "rtx3060",
                     "t4",        "v100",           "m1-max",     "m1-ultra",    "jetson-orin", "laptop-cpu", "mkr1000",
                     "nrf52840",  "raspberry-pi-4", "jetson-tx2", "rtx6000-ada", "rtx-pro-6000"}));
        QCOMPARE(devices->front().name, std::string("reference"));
        for (std::size_t i = 2; i < devices->size(); ++i)
            QVERIFY((*devices)[i - 1].title < (*devices)[i].title);
    }

    void figuresMakeSense()
    {
        const auto devices = readDevices();
        QVERIFY(devices.has_value());
        for (const Device &device : *devices) {
            qInfo("%s", device.title.c_str());
            QVERIFY(device.flopsPerSecond.count("default") == 1);
            QVERIFY(!device.source.empty());
            if (device.name == "reference") continue;
            QVERIFY(device.flopsPerSecond.at("float32") <= device.flopsPerSecond.at("float16"));
            QVERIFY(device.linkBytesPerSecond < device.bytesPerSecond);
            QVERIFY(device.hostBytesPerSecond >= device.linkBytesPerSecond);
            if (device.name.starts_with("m1-")) {
                // One memory for host and device, no float64, and no figure of its power from the maker.
                QCOMPARE(device.hostBytesPerSecond, device.bytesPerSecond);
                QCOMPARE(device.joulesPerFlop, 0.0);
                continue;
            }
            for (const char *type : {"bfloat16", "float64"})
                QVERIFY(device.flopsPerSecond.count(type) == 1);
            QVERIFY(device.flopsPerSecond.at("float64") <= device.flopsPerSecond.at("float32"));
            // DDR5 on one socket has up to 460 GB/s.
            QVERIFY(device.hostBytesPerSecond < 470e9);
            // Power over rate, both ways round: what a board draws.
            const double watts = device.joulesPerFlop * device.flopsPerSecond.at("default");
            QVERIFY(watts > 0.01 && watts <= 1201);
            QVERIFY(std::abs(device.joulesPerByte * device.bytesPerSecond / watts - 1) < 0.01);
        }
    }

    void referenceIsAsAgreed()
    {
        const auto reference = findDevice("reference");
        QVERIFY(reference.has_value());
        QCOMPARE(reference->flopsPerSecond, (std::map<std::string, double>{{"default", 100e12}}));
        QCOMPARE(reference->bytesPerSecond, 1.5e12);
        QCOMPARE(reference->launchUs, 4.0);
        QCOMPARE(reference->memoryBytes, std::int64_t(32) << 30);
        QCOMPARE(reference->linkBytesPerSecond, 25e9);
        QCOMPARE(reference->hostBytesPerSecond, 100e9);
    }

    /// Patil et al., POET: energy per FLOP and per page of 512 bytes, out, as in the table of the authors' code.
    void devicesOfPoetAreAsPublished()
    {
        const struct {
            const char *name;
            double flopsPerJoule, millisecondsOut, wattsOut;
        } published[] = {{"mkr1000", 2000 / (0.012 * 0.020 * 3.3), 0.113 + 512 / 4440., 0.33},
                         {"nrf52840", 16283e5 / (255.6237 * 0.003328 * 3.3), 0.113 + 512 / 4440., 0.33},
                         {"raspberry-pi-4", 16283e5 / (13.53 * 0.6 * 5), 0.0185314 + 512 / 24500., 0.15},
                         {"jetson-tx2", 0, 2.396 + 512 / 94370., 0.309}};
        for (const auto &of : published) {
            const auto device = findDevice(of.name);
            QVERIFY(device.has_value());
            const double us = device->linkLatencyUs + 1e6 * 512 / device->linkBytesPerSecond;
            QVERIFY(std::abs(us / 1e3 / of.millisecondsOut - 1) < 0.01);
            QCOMPARE(device->linkWatts, of.wattsOut);
            if (of.flopsPerJoule > 0) QVERIFY(std::abs(device->joulesPerFlop * of.flopsPerJoule - 1) < 0.01);
        }
    }

    void unknownNamesListTheKnownOnes()
    {
        const auto missing = findDevice("h300");
        QVERIFY(!missing);
        qInfo("%s", missing.error().message.c_str());
        QVERIFY(missing.error().message.find("reference, ") != std::string::npos);
        QVERIFY(missing.error().message.find("laptop-cpu") != std::string::npos);
    }

    void anotherFolderIsUsed()
    {
        const test::Folder folder;
        std::filesystem::create_directory(folder.path("devices"));
        qputenv("REMAT_RESOURCES", folder.path().c_str());
        QVERIFY(!readDevices());
        std::filesystem::copy(std::filesystem::path(REMAT_SAMPLES) / ".." / "devices" / "t4.json",
                              folder.path("devices/mine.json"));
        QCOMPARE(readDevices().value().size(), std::size_t(1));
        qunsetenv("REMAT_RESOURCES");
    }

    void aBrokenFileIsLeftOut()
    {
        const test::Folder folder;
        std::filesystem::create_directory(folder.path("devices"));
        qputenv("REMAT_RESOURCES", folder.path().c_str());
        folder.write("devices/broken.json", "{");
        const auto none = readDevices();
        QVERIFY(!none && none.error().message.find("broken.json") != std::string::npos);
        std::filesystem::copy(std::filesystem::path(REMAT_SAMPLES) / ".." / "devices" / "t4.json",
                              folder.path("devices/mine.json"));
        std::vector<LeftOutDevice> leftOut;
        QCOMPARE(readDevices(&leftOut).value().size(), std::size_t(1));
        QCOMPARE(leftOut.size(), std::size_t(1));
        QCOMPARE(leftOut[0].name, std::string("broken"));
        QVERIFY(leftOut[0].why.find("broken.json is not valid JSON") != std::string::npos);
        QVERIFY(findDevice("t4"));
        const auto broken = findDevice("broken");
        QVERIFY(!broken && broken.error().message == leftOut[0].why);
        const auto other = findDevice("other");
        QVERIFY(!other);
        QVERIFY(other.error().message.find("There are t4. Left out: broken.json") != std::string::npos);
        qunsetenv("REMAT_RESOURCES");
    }

    void refusals()
    {
        const test::Folder folder;
        const test::Json good = {{"format", "remat-device/1"},
                                 {"name", "n"},
                                 {"title", "N"},
                                 {"flops_per_second", {{"default", 1e12}}},
                                 {"bytes_per_second", 1e11},
                                 {"memory_bytes", 1 << 30},
                                 {"launch_us", 4},
                                 {"link_bytes_per_second", 1e10},
                                 {"source", "s"}};
        QVERIFY(readDevice(folder.write("good.json", good.dump())));
        const auto refused = [&](const char *pointer, const test::Json &value, const char *part) {
            test::Json json = good;
            json[test::Json::json_pointer(pointer)] = value;
            const auto read = readDevice(folder.write("q.json", json.dump()));
            if (read) return false;
            qInfo("%s", read.error().message.c_str());
            return read.error().message.find(part) != std::string::npos;
        };
        QVERIFY(refused("/format", "x", "remat-device/1"));
        QVERIFY(refused("/name", "", "name"));
        QVERIFY(refused("/flops_per_second", test::Json::object(), "default"));
        QVERIFY(refused("/flops_per_second/default", 0, "flops_per_second.default"));
        QVERIFY(refused("/flops_per_second/float16", -1, "flops_per_second.float16"));
        QVERIFY(refused("/bytes_per_second", 0, "bytes_per_second"));
        QVERIFY(refused("/bytes_per_second", "fast", "bytes_per_second"));
        QVERIFY(refused("/memory_bytes", -1, "memory_bytes"));
        QVERIFY(refused("/memory_bytes", 1e19, "memory_bytes"));
        QVERIFY(refused("/launch_us", -4, "launch_us"));
        for (const double absurd : {1e-300, 1e300}) {
            QVERIFY(refused("/flops_per_second/default", absurd, "at least 1000.0 and at most 1e+22"));
            QVERIFY(refused("/bytes_per_second", absurd, "at least 1000.0 and at most 1e+18"));
            QVERIFY(refused("/link_bytes_per_second", absurd, "at least 1000.0 and at most 1e+18"));
        }
        QVERIFY(refused("/launch_us", 1e300, "at most"));
        QVERIFY(refused("/link_latency_us", 1e300, "at most"));
        QVERIFY(refused("/joules_per_byte", 1e300, "at most"));
        QVERIFY(refused("/link_bytes_per_second", nullptr, "link_bytes_per_second"));
        QVERIFY(refused("/joules_per_flop", -1, "joules_per_flop"));
        QVERIFY(refused("/link_watts", 1e300, "at most"));
    }
};

QTEST_GUILESS_MAIN(TstDeviceJson)
#include "tst_device_json.moc"
