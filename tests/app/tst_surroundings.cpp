// SPDX-License-Identifier: Apache-2.0
// What is around `remat` may be broken: limits of the system, files of the resources folder.
#include "tests/app/cli_fixture.h"
#include "tests/app/measured.h"
#include "tests/core/archive_fixture.h"

using namespace remat;
using test::Measured;

class TestSurroundings : public QObject
{
    Q_OBJECT

    test::Folder m_folder;
    std::string m_model;

    Measured remat(const std::vector<std::string> &arguments, test::Allowed allowed = {}) const
    {
        return test::measuredRemat(arguments, m_folder.path(), allowed);
    }

private Q_SLOTS:
    void initTestCase() { m_model = m_folder.write("chain.json", test::chainJson(50, "chain").toStdString()).string(); }

    /// A signal for too large a file is a sentence instead, and nothing is left.
    void theLimitOnFileSizes()
    {
        const test::Folder folder;
        const std::string plan = folder.path("plan.json").string();
        const std::vector<std::string> call = {"plan", m_model, "--budget", "100%", "--solver", "keep-all", "-o", plan};
        const Measured refused = remat(call, {.fileBytes = 2000});
        QCOMPARE(refused.signal, 0);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.find("plan.json cannot be written: File too large") != std::string::npos,
                 refused.err.c_str());
        QVERIFY(std::filesystem::is_empty(folder.path()));
        QCOMPARE(remat(call).code, 0);
    }

    void aTargetWithALongName()
    {
        const test::Folder folder;
        const std::string plan = folder.path(std::string(245, 'n') + ".json").string();
        const Measured made = remat({"plan", m_model, "--budget", "100%", "--solver", "keep-all", "-o", plan});
        QVERIFY2(made.code == 0, made.err.c_str());
        QCOMPARE(remat({"check", m_model, plan}).code, 0);
    }

    void aBrokenDeviceFile()
    {
        const test::Folder folder;
        std::filesystem::copy(std::filesystem::path(REMAT_SAMPLES) / ".." / "devices", folder.path("devices"));
        folder.write("devices/slow.json", R"({"format": "remat-device/1", "name": "slow", "title": "Slow",
            "flops_per_second": {"default": 1e-300}, "bytes_per_second": 1e-300, "memory_bytes": 1, "launch_us": 0,
            "link_bytes_per_second": 1e-300, "source": "nowhere"})");
        qputenv("REMAT_RESOURCES", folder.path().c_str());
        QCOMPARE(remat({"info", m_model}).code, 0);
        QCOMPARE(remat({"info", m_model, "--device", "h100"}).code, 0);
        const Measured slow = remat({"info", m_model, "--device", "slow"});
        QCOMPARE(slow.code, 2);
        QVERIFY2(slow.err.find("flops_per_second.default is 1e-300 and must be a number of at least 1000.0") !=
                     std::string::npos,
                 slow.err.c_str());
        const Measured unknown = remat({"info", m_model, "--device", "abacus"});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.find("Left out: slow.json") != std::string::npos, unknown.err.c_str());
        qunsetenv("REMAT_RESOURCES");
    }
};

QTEST_GUILESS_MAIN(TestSurroundings)
#include "tst_surroundings.moc"
