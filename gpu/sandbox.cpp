// SPDX-License-Identifier: Apache-2.0
#include "gpu/sandbox.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace remat {
namespace {

// Landlock, as the kernel defines it; the C library has no functions for it, and older headers not all of the names.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr unsigned kAskVersion = 1, kPathBeneath = 1;
constexpr std::uint64_t kWriteFile = 1U << 1, kReadFile = 1U << 2, kReadDir = 1U << 3, kIoctlDevice = 1U << 15;

struct LandlockRuleset {
    std::uint64_t fileAccess, netAccess, scoped;
};

struct __attribute__((packed)) LandlockPath {
    std::uint64_t allowed;
    std::int32_t parent;
};

/// Every right that this version of Landlock knows: what is named here and not allowed again is denied.
LandlockRuleset everything(long version)
{
    constexpr std::uint64_t kFirst = (1U << 13) - 1, kRefer = 1U << 13, kTruncate = 1U << 14;
    LandlockRuleset all{kFirst, 0, 0};
    if (version >= 2) all.fileAccess |= kRefer;
    if (version >= 3) all.fileAccess |= kTruncate;
    if (version >= 4) all.netAccess = 3; // bind and connect
    if (version >= 5) all.fileAccess |= kIoctlDevice;
    if (version >= 6) all.scoped = 3; // abstract sockets and signals
    return all;
}

void allow(int ruleset, const std::filesystem::path &path, std::uint64_t access)
{
    const int descriptor = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat status {
    };
    if (fstat(descriptor, &status) == 0) {
        if (!S_ISDIR(status.st_mode)) access &= ~kReadDir;
        const LandlockPath rule{access, descriptor};
        syscall(kAddRule, ruleset, kPathBeneath, &rule, 0);
    }
    close(descriptor);
}

/// The version that is in force now; 0 where the kernel has none.
long restrictPaths(const SandboxRules &rules)
{
    const long version = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
    if (version < 1) return 0;
    const LandlockRuleset all = everything(version);
    const std::size_t known = version >= 6 ? sizeof all : version >= 4 ? 2 * sizeof(std::uint64_t) : 8;
    const auto ruleset = static_cast<int>(syscall(kCreateRuleset, &all, known, 0));
    if (ruleset < 0) return 0;
    for (const std::filesystem::path &path : rules.readable)
        allow(ruleset, path, kReadFile | kReadDir);
    if (rules.gpu) {
        const std::uint64_t use = (kReadFile | kWriteFile | kReadDir | kIoctlDevice) & all.fileAccess;
        std::error_code error;
        for (const auto &entry : std::filesystem::directory_iterator("/dev", error))
            if (entry.path().filename().string().rfind("nvidia", 0) == 0) allow(ruleset, entry.path(), use);
        for (const char *path : {"/proc", "/dev/shm", "/etc", "/run/nvidia-persistenced"})
            allow(ruleset, path, kReadFile | kReadDir);
    }
    const bool restricted = syscall(kRestrictSelf, ruleset, 0) == 0;
    close(ruleset);
    return restricted ? version : 0;
}

struct FilterDeleter {
    void operator()(void *filter) const { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, FilterDeleter>;

/// Calls that are refused whatever their arguments: new connections, new programs, other processes, files by name,
/// other ways into the kernel, and what changes the machine. By name, since not every architecture has them all.
constexpr std::initializer_list<const char *> kRefused = {
    // connections and programs; socket, bind and listen are looked at below
    "socketpair", "connect", "accept", "accept4", "execve", "execveat", "fork", "vfork",
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "kcmp", "setpgid", "setsid", "setpriority",
    // files by name; openat and open are looked at below
    "creat", "truncate", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "mkdir",
    "mkdirat", "rmdir", "mknod", "mknodat", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown",
    "fchownat", "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "removexattr",
    "lremovexattr", "fremovexattr", "open_by_handle_at", "name_to_handle_at", "mq_open", "mq_unlink", "shmget",
    "msgget", "semget", "fallocate",
    // other ways into the kernel, which a filter of calls does not see through
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open", "userfaultfd", "keyctl",
    "add_key", "request_key",
    // the machine
    "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "move_mount", "open_tree", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "swapon", "swapoff", "reboot", "kexec_load", "kexec_file_load", "init_module",
    "finit_module", "delete_module", "acct", "quotactl", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime",
    "sethostname", "setdomainname", "iopl", "ioperm", "setuid", "setgid", "setreuid", "setregid", "setresuid",
    "setresgid", "setgroups", "capset"};

bool refuse(const Filter &filter, const char *name, std::initializer_list<scmp_arg_cmp> when = {}, int error = EPERM)
{
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return true; // a call of a newer kernel than the library knows
    // An architecture that has no such call gives -EDOM or counts it as done.
    const int result = seccomp_rule_add_array(filter.get(), SCMP_ACT_ERRNO(static_cast<std::uint16_t>(error)), number,
                                              static_cast<unsigned>(when.size()), when.begin());
    return result == 0 || result == -EDOM;
}

/// A GPU's driver gives up where it cannot listen for other processes that share its memory, at a local socket under a
/// name that is no file's. It may have such a socket of one kind, which can neither connect nor accept here.
bool restrictSockets(const Filter &filter, bool gpu)
{
    if (!gpu) return refuse(filter, "socket") && refuse(filter, "bind") && refuse(filter, "listen");
    constexpr unsigned kKind = 15; // the rest are flags
    bool whole = refuse(filter, "socket", {SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0)});
    for (const unsigned kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_DCCP, SOCK_PACKET})
        whole = refuse(filter, "socket", {SCMP_A1(SCMP_CMP_MASKED_EQ, kKind, kind)}) && whole;
    return whole;
}

/// Installs the filter for every thread of the process; false when the kernel has none.
bool restrictCalls(bool gpu)
{
    const Filter filter(seccomp_init(SCMP_ACT_ALLOW));
    if (!filter) return false;
    bool whole = true;
    for (const char *name : kRefused)
        whole = refuse(filter, name) && whole;
    whole = restrictSockets(filter, gpu) && whole;
    // Before it takes its socket's name the driver removes a file of that name, and goes on where there was none.
    for (const char *name : {"unlink", "unlinkat"})
        whole = refuse(filter, name, {}, gpu ? ENOENT : EPERM) && whole;
    // Opening is for reading; a GPU's device files are opened for both, and there Landlock alone knows the paths.
    const std::initializer_list<unsigned> changing = {O_CREAT, O_TRUNC, O_APPEND, O_TMPFILE & ~O_DIRECTORY};
    for (const unsigned flag : changing)
        whole = refuse(filter, "openat", {SCMP_A2(SCMP_CMP_MASKED_EQ, flag, flag)}) &&
                refuse(filter, "open", {SCMP_A1(SCMP_CMP_MASKED_EQ, flag, flag)}) && whole;
    for (const unsigned mode : {O_WRONLY, O_RDWR})
        if (!gpu)
            whole = refuse(filter, "openat", {SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, mode)}) &&
                    refuse(filter, "open", {SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, mode)}) && whole;
    // Their flags lie in memory, where a filter cannot look: the C library then takes the older call.
    whole = refuse(filter, "openat2", {}, ENOSYS) && refuse(filter, "clone3", {}, ENOSYS) && whole;
    // A thread is more of the same process; anything else would be a process.
    whole = refuse(filter, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)}) && whole;
    // abort() signals itself; limits stay as they are.
    const auto self = static_cast<scmp_datum_t>(getpid());
    whole = refuse(filter, "kill", {SCMP_A0(SCMP_CMP_NE, self, 0)}) &&
            refuse(filter, "tgkill", {SCMP_A0(SCMP_CMP_NE, self, 0)}) &&
            refuse(filter, "prlimit64", {SCMP_A2(SCMP_CMP_NE, 0, 0)}) && refuse(filter, "setrlimit") && whole;
    seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_TSYNC, 1);
    return whole && seccomp_load(filter.get()) == 0;
}

void setLimit(__rlimit_resource which, rlim_t most)
{
    const rlimit limit{most, most};
    setrlimit(which, &limit);
}

/// Memory that this process can write to and that is its own, as RLIMIT_DATA counts it.
std::int64_t writableBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string key; status >> key;) {
        std::int64_t kiB = 0;
        if (key == "VmData:" && status >> kiB) return kiB * 1024;
        status.ignore(256, '\n');
    }
    return 0;
}

} // namespace

void limitMemory(std::int64_t bytes)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    rlimit now{};
    getrlimit(RLIMIT_DATA, &now);
    const auto most = static_cast<rlim_t>(writableBytes()) + static_cast<rlim_t>(bytes);
    if (most < now.rlim_max) setLimit(RLIMIT_DATA, most);
#else
    static_cast<void>(bytes);
    static_cast<void>(&writableBytes);
#endif
}

Expected<std::string> enterSandbox(const SandboxRules &rules)
{
    std::signal(SIGXFSZ, SIG_IGN);
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_FSIZE, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail(
            fmt::format("This system does not let a process give up its rights: {}. A trace is not run without that.",
                        std::strerror(errno)));
    const long landlock = restrictPaths(rules);
    if (!restrictCalls(rules.gpu))
        return fail("This kernel has no seccomp filters, which hold a run back from files, network and other "
                    "processes. A trace is not run without them; use a kernel with CONFIG_SECCOMP_FILTER.");
    return landlock > 0 ? "seccomp and Landlock " + std::to_string(landlock) : std::string("seccomp, without Landlock");
}

} // namespace remat
