// SPDX-License-Identifier: Apache-2.0
#include "archive_fixture.h"

#include "core/base/file.h"
#include "core/base/resources.h"

#include <QtTest>

#include <climits>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

    void theLongestNamesAreWritten()
    {
        const test::Folder folder;
        for (const std::string &letter : {std::string("x"), std::string("ä")}) {
            std::string name;
            while (name.size() + letter.size() <= NAME_MAX)
                name += letter;
            for (const char *content : {"old", "new"}) {
                const auto written = writeFileAtomically(folder.path(name), content);
                QVERIFY2(written.has_value(), written ? "" : written.error().message.c_str());
                QCOMPARE(readFile(folder.path(name)).value(), std::string(content));
            }
            QVERIFY(!writeFileAtomically(folder.path(name + letter), "x"));
        }
        QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
    }

    /// What `act` does in a process of its own, which it may end; the number of that process' signal, 0 when none.
    static int inAChild(const std::function<int()> &act, int *code = nullptr)
    {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(act());
        int status = 0;
        ::waitpid(child, &status, 0);
        if (code) *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }

    void aLimitOnSizesIsASentence()
    {
        const test::Folder folder;
        const fs::path path = folder.write("a", "old");
        int code = 0;
        const int signal = inAChild(
            [&] {
                const rlimit limit{1000, 1000};
                ::setrlimit(RLIMIT_FSIZE, &limit);
                failOnTooLargeFiles();
                const auto written = writeFileAtomically(path, std::string(5000, 'x'));
                return written || written.error().message.find("cannot be written") == std::string::npos ? 1 : 0;
            },
            &code);
        QCOMPARE(signal, 0);
        QCOMPARE(code, 0);
        QCOMPARE(readFile(path).value(), std::string("old"));
        QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    }

    /// Killed in the middle of a write: the signal of a limit, which ends a process as SIGKILL does.
    void aKilledWriteLeavesNothing()
    {
        const test::Folder folder;
        const fs::path path = folder.write("a", "old");
        const int probe = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY, 0600);
        if (probe < 0) QSKIP("this file system has no nameless files");
        ::close(probe);
        const int signal = inAChild([&] {
            const rlimit limit{1000, 1000};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            return writeFileAtomically(path, std::string(5000, 'x')) ? 1 : 0;
        });
        QCOMPARE(signal, SIGXFSZ);
        QCOMPARE(readFile(path).value(), std::string("old"));
        QCOMPARE(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
    }

    void aFailedWriteLeavesTheOldFile()
    {
        const test::Folder folder;
        const fs::path path = folder.write("a", "old");
        const fs::perms look = fs::perms::owner_read | fs::perms::owner_exec;
        fs::permissions(folder.path(), look | fs::perms::others_read | fs::perms::others_exec);
        // Root may write anywhere, nobody may not.
        const uid_t user = ::geteuid();
        if (user == 0) QCOMPARE(::seteuid(65534), 0);
        const bool written = writeFileAtomically(path, "new").has_value();
        if (user == 0) QCOMPARE(::seteuid(user), 0);
        QVERIFY(!written);
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
