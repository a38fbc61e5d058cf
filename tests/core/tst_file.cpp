#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/base/resources.h"

#include <QtTest>
#include <sys/stat.h>
#include <unistd.h>

using namespace remat;
namespace fs = std::filesystem;

class TstFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip()
    {
        const test::Folder folder;
        const fs::path path = folder.path("a.json");
        const std::string content("a\0b\n\xff", 5);
        QVERIFY(writeFileAtomically(path, content));
        QCOMPARE(readFile(path).value(), content);
        QVERIFY(writeFileAtomically(path, "new"));
        QCOMPARE(readFile(path).value(), std::string("new"));
        QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    }

    void keepsPermissionsAndLinks()
    {
        const test::Folder folder;
        const fs::path path = folder.write("real.json", "old");
        fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
        fs::create_symlink("real.json", folder.path("link.json"));
        QVERIFY(writeFileAtomically(folder.path("link.json"), "new"));
        QVERIFY(fs::is_symlink(folder.path("link.json")));
        QCOMPARE(readFile(path).value(), std::string("new"));
        QCOMPARE(int(fs::status(path).permissions()), 0600);
    }

    void writesToDevices() { QVERIFY(writeFileAtomically("/dev/null", "x")); }

    void saysWhatIsWrong()
    {
        const test::Folder folder;
        const auto says = [](const auto &result, const char *part) {
            if (result) return false;
            qInfo("%s", result.error().message.c_str());
            return result.error().message.find(part) != std::string::npos;
        };
        QVERIFY(says(readFile(folder.path("missing")), "There is no file"));
        QVERIFY(says(readFile(folder.path()), "is a folder"));
        QVERIFY(says(readFile(folder.write("long", "12345"), 4), "larger than 4 B"));
        QCOMPARE(readFile(folder.path("long"), 5).value(), std::string("12345"));
        QVERIFY(says(readFile("/dev/zero", 1000), "larger than"));
        QVERIFY(says(writeFileAtomically(folder.path("no/such/folder/a"), "x"), "cannot be written"));
        QVERIFY(says(writeFileAtomically(folder.path(), "x"), "is a folder"));
        QVERIFY(says(writeFileAtomically("/dev/full", "x"), "cannot be written"));
    }

    void aFailedWriteLeavesTheOldFile()
    {
        if (::geteuid() == 0) QSKIP("root may write anywhere");
        const test::Folder folder;
        const fs::path path = folder.write("a", "old");
        fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
        QVERIFY(!writeFileAtomically(path, "new"));
        fs::permissions(folder.path(), fs::perms::owner_all);
        QCOMPARE(readFile(path).value(), std::string("old"));
    }

    void resourcesAreFound()
    {
        qunsetenv("REMAT_RESOURCES");
        QVERIFY(fs::is_directory(resourceDir() / "devices"));
        const test::Folder folder;
        qputenv("REMAT_RESOURCES", folder.path().c_str());
        QCOMPARE(resourceDir().lexically_normal(), folder.path().lexically_normal());
        qputenv("REMAT_RESOURCES", "/no/such/folder");
        QVERIFY(fs::is_directory(resourceDir() / "devices"));
        qunsetenv("REMAT_RESOURCES");
    }
};

QTEST_GUILESS_MAIN(TstFile)
#include "tst_file.moc"
