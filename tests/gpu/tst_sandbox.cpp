// SPDX-License-Identifier: Apache-2.0
// The sandbox of a run, tried from inside: each attempt is made in a child process that has given its rights up.
#include "gpu/sandbox.h"

#include <QtTest>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace remat;

namespace {

constexpr int kDone = 40, kNoWalls = 41, kDenied = 42, kDeniedByPath = 43;

/// What a process that went into the sandbox ends with: `kDone` when the attempt gave 0 or more. Seccomp and Landlock
/// deny with different errors, so that one is not taken for the other.
int endOf(const SandboxRules &rules, const std::function<long()> &attempt)
{
    const pid_t child = fork();
    if (child == 0) {
        if (!enterSandbox(rules)) _exit(kNoWalls);
        if (attempt() >= 0) _exit(kDone);
        _exit(errno == EACCES ? kDeniedByPath : kDenied);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

bool hasLandlock()
{
    return syscall(444, nullptr, 0, 1) > 0;
}

} // namespace

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadsOfForks = false; // ThreadSanitizer knows none
#else
constexpr bool kThreadsOfForks = true;
#endif

class TestSandbox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->path().toStdString();
    }

    void deniedByCalls_data()
    {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < attempts().size(); ++i)
            QTest::newRow(attempts()[i].first) << static_cast<int>(i);
    }

    /// These hold on every kernel with seccomp.
    void deniedByCalls()
    {
        QFETCH(int, number);
        const auto &attempt = attempts()[static_cast<std::size_t>(number)].second;
        // The attempt is one that works without the sandbox, or else the test would say nothing.
        const pid_t child = fork();
        if (child == 0) _exit(attempt() >= 0 ? kDone : kDenied);
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY2(WIFEXITED(status) && (WEXITSTATUS(status) == kDone || WEXITSTATUS(status) == 0),
                 "does not work without the sandbox either");
        for (const char *made : {"/made", "/folder", "/link"})
            std::filesystem::remove(m_path + made);
        QCOMPARE(endOf({}, attempt), kDenied);
        QVERIFY(std::filesystem::is_empty(m_path));
    }

    /// What NVIDIA's driver gives up without when it begins: a name for its thread, and a socket of no file.
    void aDriverOfGpusBegins()
    {
        const auto begins = []() -> long {
            FILE *name = fopen(("/proc/self/task/" + std::to_string(gettid()) + "/comm").c_str(), "w");
            if (!name || std::fputs("driver", name) < 0 || std::fclose(name) != 0) return -1;
            sockaddr_un address{AF_UNIX, "\0remat-test"};
            if (unlink(address.sun_path) == 0 || errno != ENOENT) return -1;
            const int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
            if (descriptor < 0) return -1;
            return ::bind(descriptor, reinterpret_cast<sockaddr *>(&address), sizeof(sa_family_t)) == 0
                       ? listen(descriptor, 1)
                       : -1;
        };
        QCOMPARE(endOf({{}, true}, begins), kDone);
    }

    /// On a GPU, too, a run reaches nobody: not by that socket, not by another, and no file goes.
    void aRunOnAGpuReachesNobody()
    {
        const auto connects = []() -> long {
            const sockaddr_un address{AF_UNIX, "/run/nobody"};
            const int descriptor = socket(AF_UNIX, SOCK_SEQPACKET, 0);
            const bool connected =
                ::connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0;
            return connected || errno != EPERM ? 0 : -1;
        };
        QCOMPARE(endOf({{}, true}, connects), kDenied);
        for (const int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})
            QCOMPARE(endOf({{}, true}, [&] { return socket(AF_UNIX, kind, 0); }), kDenied);
        QCOMPARE(endOf({{}, true}, [] { return socket(AF_INET, SOCK_SEQPACKET, IPPROTO_SCTP); }), kDenied);
        const std::string file = m_path + "/kept";
        std::ofstream(file) << "kept";
        QCOMPARE(endOf({{}, true}, [&] { return unlink(file.c_str()); }), kDenied);
        QVERIFY(std::filesystem::exists(file));
    }

    void readingIsDeniedByPath()
    {
        if (!hasLandlock()) QSKIP("this kernel has no Landlock: reading is not held back by path");
        const auto readsPasswords = [] { return open("/etc/passwd", O_RDONLY); };
        QCOMPARE(endOf({}, readsPasswords), kDeniedByPath);
        QCOMPARE(endOf({{"/usr", "/lib"}, false}, readsPasswords), kDeniedByPath);
        QCOMPARE(endOf({{"/etc"}, false}, readsPasswords), kDone);
        QCOMPARE(endOf({{"/etc/passwd"}, false}, readsPasswords), kDone);
    }

    void computingGoesOn()
    {
        if (!kThreadsOfForks) QSKIP("ThreadSanitizer ends a fork that begins a thread");
        // Memory, threads, reading what may be read, and an end by abort().
        QCOMPARE(endOf({{"/proc"}, false},
                       [] {
                           int sum = 0;
                           std::thread([&] { sum = 1; }).join();
                           void *memory =
                               mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                           return sum == 1 && memory != MAP_FAILED && open("/proc/cpuinfo", O_RDONLY) >= 0 ? 0L : -1L;
                       }),
                 kDone);
        QCOMPARE(endOf({},
                       []() -> long {
                           std::signal(SIGABRT, SIG_DFL); // not Qt's report
                           std::abort();
                       }),
                 -SIGABRT);
    }

    void threadsThatWereThereAreHeldToo()
    {
        if (!kThreadsOfForks) QSKIP("ThreadSanitizer ends a fork that begins a thread");
        // The filter is for all threads; a second thread is there before it.
        const pid_t child = fork();
        if (child == 0) {
            std::atomic<bool> walled{false};
            std::atomic<int> socketOfThread{-2};
            std::thread second([&] {
                while (!walled)
                    std::this_thread::yield();
                socketOfThread = socket(AF_INET, SOCK_STREAM, 0);
            });
            const bool entered = enterSandbox({}).has_value();
            walled = true;
            second.join();
            _exit(!entered ? kNoWalls : socketOfThread == -1 ? kDenied : kDone);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), kDenied);
    }

    void memoryIsLimited()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers take terabytes by themselves");
#endif
        const auto take = [](std::size_t bytes) {
            return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1L
                                                                                                                  : 0L;
        };
        const auto limited = [&](std::size_t bytes) {
            const pid_t child = fork();
            if (child == 0) {
                limitMemory(64 << 20);
                _exit(take(bytes) >= 0 ? kDone : kDenied);
            }
            int status = 0;
            waitpid(child, &status, 0);
            return WEXITSTATUS(status);
        };
        QCOMPARE(limited(32 << 20), kDone);
        QCOMPARE(limited(256 << 20), kDenied);
    }

private:
    /// Each works for an ordinary process; those that end it do so with 0.
    const std::vector<std::pair<const char *, std::function<long()>>> &attempts()
    {
        static const std::vector<std::pair<const char *, std::function<long()>>> kAttempts = {
            {"make a file", [this] { return open((m_path + "/made").c_str(), O_CREAT | O_WRONLY, 0600); }},
            {"open for writing", [] { return open("/dev/null", O_WRONLY); }},
            {"open for both", [] { return open("/dev/null", O_RDWR); }},
            {"openat2",
             [] {
                 std::array<std::uint64_t, 3> how{O_WRONLY, 0, 0};
                 return syscall(SYS_openat2, AT_FDCWD, "/dev/null", how.data(), sizeof how);
             }},
            {"make a folder", [this] { return mkdir((m_path + "/folder").c_str(), 0700); }},
            {"make a link", [this] { return symlink("/", (m_path + "/link").c_str()); }},
            {"change rights", [this] { return chmod(m_path.c_str(), 0700); }},
            {"rename", [this] { return rename(m_path.c_str(), m_path.c_str()); }},
            {"internet socket", [] { return socket(AF_INET, SOCK_STREAM, 0); }},
            {"local socket", [] { return socket(AF_UNIX, SOCK_STREAM, 0); }},
            {"run a program", [] { return execl("/bin/true", "true", static_cast<char *>(nullptr)); }},
            {"another process",
             [] {
                 const pid_t child = fork();
                 if (child == 0) _exit(0);
                 return child;
             }},
            {"signal another process", [] { return kill(getppid(), 0); }},
            {"trace", [] { return ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
            {"raise a limit",
             [] {
                 rlimit limit{};
                 getrlimit(RLIMIT_CORE, &limit);
                 return setrlimit(RLIMIT_CORE, &limit);
             }},
        };
        return kAttempts;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_path;
};

QTEST_GUILESS_MAIN(TestSandbox)
#include "tst_sandbox.moc"
