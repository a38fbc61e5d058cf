// SPDX-License-Identifier: Apache-2.0
// Where LibTorch is looked for, what is refused, and what a person is told.
#include "gpu/torch_location.h"
#include "tests/support/torch.h"
#include "tests/support/written.h"

#include <QtTest>

#include <filesystem>
#include <sys/stat.h>

using namespace remat;

namespace {

/// A folder that looks like LibTorch of `version` from outside.
QString makeTorch(const QString &folder, const QString &version)
{
    QDir().mkpath(folder + "/lib");
    for (const char *name : {"/lib/libc10.so", "/lib/libtorch_cpu.so"}) {
        QFile library(folder + QLatin1String(name));
        if (!library.open(QIODevice::WriteOnly)) return {};
    }
    test::written(folder + "/version.py",
                  "from typing import Optional\n\n__version__ = '" + version.toUtf8() + "'\ndebug = False\n");
    return QDir(folder).canonicalPath();
}

QString makeEnvironment(const QString &folder, const QString &version)
{
    return makeTorch(folder + "/lib/python3.11/site-packages/torch", version);
}

QString goodVersion()
{
    return QString::fromStdString(builtTorchVersion()) + "+cu130";
}

const TorchPlace *find(const std::vector<TorchPlace> &places, const QString &folder)
{
    for (const TorchPlace &place : places)
        if (place.folder == folder.toStdString()) return &place;
    return nullptr;
}

} // namespace

class TestTorchLocation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (builtTorchVersion().empty()) REMAT_NO_TORCH("this build has no LibTorch to be tested with");
    }
    void init()
    {
        for (const char *name : {"REMAT_TORCH_DIR", "VIRTUAL_ENV", "CONDA_PREFIX", "XDG_DATA_HOME"})
            qunsetenv(name);
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->path();
        qputenv("HOME", m_path.toUtf8());
    }

    void everyEnvironmentIsFound()
    {
        const QString active = makeEnvironment(m_path + "/active", goodVersion());
        const QString conda = makeEnvironment(m_path + "/conda", goodVersion());
        const QString own = makeEnvironment(m_path + "/.local/share/remat-studio/torch", goodVersion());
        const QString user = makeEnvironment(m_path + "/.local", goodVersion());
        qputenv("VIRTUAL_ENV", m_path.toUtf8() + "/active");
        qputenv("CONDA_PREFIX", m_path.toUtf8() + "/conda");
        const std::vector<TorchPlace> places = torchPlaces();
        for (const QString &folder : {active, conda, own, user}) {
            const TorchPlace *place = find(places, folder);
            QVERIFY2(place, qPrintable(folder));
            QCOMPARE(QString::fromStdString(place->refusal), QString());
            QCOMPARE(QString::fromStdString(place->version), goodVersion());
        }
        QVERIFY(find(places, active) < find(places, conda) && find(places, conda) < find(places, own) &&
                find(places, own) < find(places, user));
    }

    void dataHomeIsHonoured()
    {
        qputenv("XDG_DATA_HOME", m_path.toUtf8() + "/data");
        const QString own = makeEnvironment(m_path + "/data/remat-studio/torch", goodVersion());
        QVERIFY(find(torchPlaces(), own));
    }

    void currentFolderIsNotSearched()
    {
        const QString hostile = makeEnvironment(m_path + "/.venv", goodVersion());
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_path));
        const std::vector<TorchPlace> places = torchPlaces();
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(!find(places, hostile));
        // Nor by way of a variable that holds a relative path.
        qputenv("VIRTUAL_ENV", ".venv");
        QVERIFY(QDir::setCurrent(m_path));
        const std::vector<TorchPlace> relative = torchPlaces();
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(!find(relative, hostile));
    }

    void chosenFolderIsTheOnlyOne()
    {
        makeEnvironment(m_path + "/active", goodVersion());
        qputenv("VIRTUAL_ENV", m_path.toUtf8() + "/active");
        qputenv("REMAT_TORCH_DIR", m_path.toUtf8() + "/nothing");
        const auto missing = chooseTorch(torchPlaces());
        QVERIFY(!missing);
        const QString sentence = QString::fromStdString(missing.error().message);
        QVERIFY2(sentence.contains("/nothing ($REMAT_TORCH_DIR) has no lib/libc10.so") &&
                     sentence.contains("remat torch --install"),
                 qPrintable(sentence));

        // LibTorch's own folder, or an environment that has it.
        const QString torch = makeEnvironment(m_path + "/chosen", goodVersion());
        for (const QByteArray &named : {m_path.toUtf8() + "/chosen", torch.toUtf8()}) {
            qputenv("REMAT_TORCH_DIR", named);
            const auto chosen = chooseTorch(torchPlaces());
            QVERIFY2(chosen, chosen ? "" : chosen.error().message.c_str());
            QCOMPARE(QString::fromStdString(chosen->folder.string()), torch);
        }
    }

    void otherVersionsAreRefused_data()
    {
        QTest::addColumn<QString>("version");
        QTest::addColumn<bool>("taken");
        const QStringList numbers = QString::fromStdString(builtTorchVersion()).split('.');
        const QString minor = numbers[0] + '.' + numbers[1];
        QTest::newRow("same") << minor + ".0+cpu" << true;
        QTest::newRow("another patch") << minor + ".7" << true;
        QTest::newRow("a digit more") << minor + "0.0" << false;
        QTest::newRow("older") << "1.13.1" << false;
        QTest::newRow("next") << QString("%1.%2.0").arg(numbers[0]).arg(numbers[1].toInt() + 1) << false;
        QTest::newRow("none") << "" << false;
    }

    void otherVersionsAreRefused()
    {
        QFETCH(QString, version);
        QFETCH(bool, taken);
        const QString torch = makeEnvironment(m_path + "/active", version);
        qputenv("VIRTUAL_ENV", m_path.toUtf8() + "/active");
        const std::vector<TorchPlace> places = torchPlaces();
        const TorchPlace *place = find(places, torch);
        QVERIFY(place);
        QCOMPARE(place->refusal.empty(), taken);
        const auto chosen = chooseTorch({*place});
        QCOMPARE(chosen.has_value(), taken);
        if (!taken)
            QVERIFY2(chosen.error().message.find("$VIRTUAL_ENV") != std::string::npos, chosen.error().message.c_str());
    }

    void librariesThatOthersMayWriteAreRefused()
    {
        const QString torch = makeEnvironment(m_path + "/active", goodVersion());
        qputenv("VIRTUAL_ENV", m_path.toUtf8() + "/active");
        QCOMPARE(chmod(qPrintable(torch + "/lib"), 0777), 0);
        const std::vector<TorchPlace> places = torchPlaces();
        const TorchPlace *place = find(places, torch);
        QVERIFY(place);
        QVERIFY2(place->refusal.find("others may write") != std::string::npos, place->refusal.c_str());
        // Who names it for this purpose has decided.
        qputenv("REMAT_TORCH_DIR", torch.toUtf8());
        QVERIFY(chooseTorch(torchPlaces()));
    }

    void nothingAnywhere()
    {
        const auto none = chooseTorch({});
        QVERIFY(!none);
        QCOMPARE(
            QString::fromStdString(none.error().message),
            QString(
                "Running graphs needs LibTorch, and there is none on this machine. `remat torch --install` gets it, "
                "or set REMAT_TORCH_DIR to the folder that holds LibTorch's lib."));
    }

    void buildTreeHasItsOwn()
    {
        const auto chosen = chooseTorch(torchPlaces());
        QVERIFY2(chosen, chosen ? "" : chosen.error().message.c_str());
        QCOMPARE(QString::fromStdString(chosen->from), QString("the build"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestTorchLocation)
#include "tst_torch_location.moc"
