// SPDX-License-Identifier: Apache-2.0
// What the engine rests on, on each device that is there: checksums, comparison, copies, the link; and the module for
// GPUs, which loads on every machine.
#include "gpu/engine/copy_overlap.h"
#include "gpu/engine/cuda_module.h"
#include "gpu/engine/device_check.h"
#include "gpu/engine/link_speed.h"
#include "gpu/engine/simulated_accelerator.h"

#include <QtTest>

#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

using namespace remat;

namespace {

std::span<const std::byte> bytesOf(const auto &values)
{
    return std::as_bytes(std::span(values));
}

/// Every check by its sentence, those that failed in the text.
QString failures(const std::vector<DeviceCheck> &checks)
{
    QString text;
    for (const DeviceCheck &check : checks)
        if (!check.passed) text += QString::fromStdString(check.name + ": " + check.sentence + "\n");
    return text;
}

} // namespace

class TestDevice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checksumsTellPlacesApart()
    {
        const std::vector<std::uint8_t> none, one = {7, 0, 0}, moved = {0, 7, 0}, longer = {7, 0, 0, 0};
        QVERIFY(checksumOf(bytesOf(one)) != checksumOf(bytesOf(moved)));
        QVERIFY(checksumOf(bytesOf(one)) != checksumOf(bytesOf(longer)));
        QCOMPARE(checksumOf(bytesOf(none)), 0U);
        std::vector<std::uint64_t> words = {1, 2, 3};
        const std::uint64_t before = checksumOf(bytesOf(words));
        std::swap(words[0], words[2]);
        QVERIFY(checksumOf(bytesOf(words)) != before);
    }

    /// Every half there is, against the definition: sign, exponent, mantissa.
    void halvesAreReadExactly()
    {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const auto value = std::bit_cast<float>(widened(bits, ElementKind::Half));
            const int exponent = static_cast<int>(bits >> 10 & 31U);
            const auto mantissa = static_cast<float>(bits & 1023U);
            const float size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
            if (exponent == 31 && mantissa != 0) {
                QVERIFY(std::isnan(value));
                continue;
            }
            const float wanted = exponent == 31 ? std::numeric_limits<float>::infinity() : size;
            QCOMPARE(std::abs(value), wanted);
            QCOMPARE(std::signbit(value), bits >= 0x8000);
        }
        QCOMPARE(std::bit_cast<float>(widened(0x3fc0, ElementKind::BFloat16)), 1.5F);
    }

    void differencesAreCountedAndMeasured()
    {
        std::vector<float> a = {1, 2, 3, 4, -0.0F}, b = {1, 2.5F, 3, -4, 0.0F};
        const StorageDifference found = compareStorages(bytesOf(a), bytesOf(b), ElementKind::Float);
        QCOMPARE(found.count, 3U); // zeros of two signs are different bits of one number
        QCOMPARE(found.first, 1U);
        QCOMPARE(found.largest, 8.0);
        b[0] = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(compareStorages(bytesOf(a), bytesOf(b), ElementKind::Float).largest,
                 std::numeric_limits<double>::infinity());
        a = b;
        QCOMPARE(compareStorages(bytesOf(a), bytesOf(b), ElementKind::Float).count, 0U);
    }

    void theSimulatedDevicePasses()
    {
        for (const bool late : {false, true}) {
            SimulatedAccelerator device(SimulatedSettings{.late = {false, late, late}});
            const std::vector<DeviceCheck> checks = checkDevice(device);
            QVERIFY2(failures(checks).isEmpty(), qPrintable(failures(checks)));
            QCOMPARE(checks.size(), 6U);
            QCOMPARE(device.deviceBytes() + device.hostBytes(), 0);
        }
    }

    void aDeviceThatDoesNotWorkIsFoundOut()
    {
        SimulatedAccelerator poisonless(SimulatedSettings{.closed = ClosedMemory::AsItIs});
        QVERIFY(failures(checkDevice(poisonless)).startsWith("Freed memory is filled"));
        SimulatedAccelerator small(SimulatedSettings{.memoryBytes = 1000});
        const std::vector<DeviceCheck> checks = checkDevice(small);
        QCOMPARE(checks.size(), 1U);
        QVERIFY(failures(checks).contains("do not fit"));
        for (int copy = 0; copy < 4; ++copy) {
            SimulatedAccelerator device(SimulatedSettings{.failingCopy = copy});
            QVERIFY(failures(checkDevice(device)).contains("could not copy"));
            QCOMPARE(device.deviceBytes() + device.hostBytes(), 0);
        }
    }

    void theLinkIsMeasuredBySize()
    {
        SimulatedAccelerator fast, slow(SimulatedSettings{.linkBytesPerSecond = 50e6});
        const auto some = measureLink(fast, 1 << 20), others = measureLink(slow, 1 << 20);
        QVERIFY(some && others);
        QCOMPARE(some->size(), 5U);
        QCOMPARE(some->back().bytes, 1 << 20);
        QVERIFY(others->back().toHostUs > some->back().toHostUs && others->back().toDeviceUs > some->back().toDeviceUs);
        QCOMPARE(fast.deviceBytes() + fast.hostBytes(), 0);
        SimulatedAccelerator small(SimulatedSettings{.memoryBytes = 1000});
        QVERIFY(!measureLink(small, 1 << 20));
        SimulatedAccelerator broken(SimulatedSettings{.failingCopy = 3});
        QVERIFY(!measureLink(broken, 1 << 20));
        QCOMPARE(broken.deviceBytes() + broken.hostBytes(), 0);
    }

    /// How much is hidden is a matter of the machine; what was measured is not.
    void copiesBesideCompute()
    {
        SimulatedAccelerator device(SimulatedSettings{.linkBytesPerSecond = 100e6});
        const auto overlap = measureOverlap(device, 1 << 20);
        QVERIFY2(overlap, overlap ? "" : overlap.error().message.c_str());
        QVERIFY(overlap->copyUs >= 1e4 && overlap->computeUs > 0);
        QVERIFY(overlap->bothUs >= 1e4);
        QCOMPARE(device.deviceBytes() + device.hostBytes(), 0);
        SimulatedAccelerator small(SimulatedSettings{.memoryBytes = 1000});
        QVERIFY(!measureOverlap(small, 1 << 20));
        SimulatedAccelerator broken(SimulatedSettings{.failingCopy = 1});
        QVERIFY(!measureOverlap(broken, 1 << 20));
        QCOMPARE(broken.deviceBytes() + broken.hostBytes(), 0);
    }

    void hiddenIsAShareOfTheShorter()
    {
        QCOMPARE(hiddenShare({100, 60, 100}), 1.0);
        QCOMPARE(hiddenShare({100, 60, 160}), 0.0);
        QCOMPARE(hiddenShare({60, 100, 130}), 0.5);
        QCOMPARE(hiddenShare({}), 0.0);
    }

    void aLinkIsLatencyAndBandwidth()
    {
        std::vector<LinkSpeed> speeds;
        for (const std::int64_t bytes : {4096, 1 << 20, 1 << 26})
            speeds.push_back({bytes, 10 + static_cast<double>(bytes) / 25e3, 8 + static_cast<double>(bytes) / 26e3});
        const LinkFit fit = fitLink(speeds);
        QVERIFY(std::abs(fit.bytesPerSecond / 25e9 - 1) < 1e-3);
        QVERIFY(std::abs(fit.latencyUs - 10) < 0.01);
        QCOMPARE(fitLink({}).bytesPerSecond, 0.0);
        QCOMPARE(fitLink({{4096, 5, 5}, {1 << 20, 5, 5}}).bytesPerSecond, 0.0);
    }

    /// Loads on every machine, and says in a sentence why there is nothing to use; with a GPU its kernels are checked.
    void theModuleForGpus()
    {
        if (!std::filesystem::exists(REMAT_BIN "/../lib/libremat_cuda.so")) QSKIP("built without nvcc");
        const Expected<CudaModule *> module = loadCudaModule();
        QVERIFY2(module, module ? "" : module.error().message.c_str());
        const CudaFound found = (*module)->find();
        QCOMPARE(QString::fromStdString(found.compiledFor), QString("sm_80, sm_90, sm_120"));
        QVERIFY(found.runtimeVersion >= 12080);
        auto device = (*module)->accelerator({});
        QCOMPARE(device.has_value(), found.usable);
        if (!found.usable) {
            QVERIFY2(QString::fromStdString(found.sentence).endsWith('.'), found.sentence.c_str());
            QCOMPARE(device.error().message, found.sentence);
            return;
        }
        const std::vector<DeviceCheck> checks = checkDevice(**device);
        QVERIFY2(failures(checks).isEmpty(), qPrintable(failures(checks)));
        const auto speeds = measureLink(**device, 1 << 26);
        QVERIFY2(speeds, speeds ? "" : speeds.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestDevice)
#include "tst_device.moc"
