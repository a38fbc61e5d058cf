// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include "core/base/units.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

namespace remat {

namespace {

namespace fs = std::filesystem;

std::string reason(int error)
{
    return std::error_code(error, std::generic_category()).message();
}

tl::unexpected<Error> cannotWrite(const fs::path &path, int error)
{
    return fail("{} cannot be written: {}.", path.string(), reason(error));
}

/// Closes on every way out.
struct Descriptor {
    int fd = -1;
    explicit Descriptor(int f) : fd(f) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor()
    {
        if (fd >= 0) ::close(fd);
    }
};

/// 0, or errno.
int writeAll(int fd, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(fd, content.data(), content.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// `.NAME.PROCESS-NUMBER.tmp`, in which a long name is cut so that every target's fits into a folder.
fs::path temporaryBeside(const fs::path &target)
{
    static std::atomic<int> counter{0};
    std::string ending(".");
    ending += fmt::format("{}-{}.tmp", ::getpid(), counter++);
    std::string name(".");
    name += target.filename().string();
    if (const std::size_t most = NAME_MAX - ending.size(); name.size() > most) {
        std::size_t end = most;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80) // not inside a character
            --end;
        name.resize(end);
    }
    return target.parent_path() / (name + ending);
}

/// A file without a name, which goes by itself when the process is killed; where the file system has none, or nothing
/// can name it later, one called `temporary`.
struct Staged {
    Descriptor file;
    bool named;
};

Staged stage(const fs::path &temporary)
{
    const fs::path parent = temporary.parent_path();
    if (::access("/proc/self/fd", X_OK) == 0) {
        const int fd = ::open(parent.empty() ? "." : parent.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0) return {Descriptor(fd), false};
    }
    return {Descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)), true};
}

/// 0, or errno. Only a whole file ever has a name.
int giveName(const Staged &staged, const fs::path &temporary)
{
    if (staged.named) return 0;
    const std::string source = "/proc/self/fd/" + std::to_string(staged.file.fd);
    return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

} // namespace

Expected<std::string> readFile(const fs::path &path, std::int64_t maxBytes)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return fail("There is no file {}. Check the name.", path.string());
    if (fs::is_directory(status)) return fail(path.string() + " is a folder, not a file. Name a file in it.");
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.fd < 0) return fail("{} cannot be read: {}.", path.string(), reason(errno));

    const auto tooLarge = [&] {
        return fail("{} is larger than {}, the most that is read.", path.string(), formatBytes(maxBytes));
    };
    struct stat info = {};
    std::string content;
    if (::fstat(file.fd, &info) == 0 && S_ISREG(info.st_mode)) {
        if (info.st_size > maxBytes) return tooLarge();
        content.reserve(static_cast<std::size_t>(info.st_size));
    }
    std::string block(std::size_t(1) << 18, '\0');
    for (;;) {
        const ssize_t got = ::read(file.fd, block.data(), block.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail("{} cannot be read: {}.", path.string(), reason(errno));
        if (got == 0) return content;
        content.append(block.data(), static_cast<std::size_t>(got));
        if (static_cast<std::int64_t>(content.size()) > maxBytes) return tooLarge();
    }
}

Expected<void> writeFileAtomically(const fs::path &path, std::string_view content)
{
    std::error_code error;
    // Renaming would replace a link, or a device such as /dev/stdout, instead of writing to what it stands for.
    fs::path target = fs::is_symlink(fs::symlink_status(path, error)) ? fs::weakly_canonical(path, error) : path;
    if (target.empty()) target = path;
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status)) return fail(target.string() + " is a folder; name a file in it.");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        const Descriptor device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.fd < 0) return cannotWrite(target, errno);
        if (const int failed = writeAll(device.fd, content)) return cannotWrite(target, failed);
        return {};
    }

    const fs::path temporary = temporaryBeside(target);
    const Staged staged = stage(temporary);
    if (staged.file.fd < 0) return cannotWrite(target, errno);
    if (fs::exists(status)) ::fchmod(staged.file.fd, static_cast<mode_t>(status.permissions()) & 07777);
    int failed = writeAll(staged.file.fd, content);
    if (failed == 0 && ::fsync(staged.file.fd) != 0) failed = errno;
    if (failed == 0) failed = giveName(staged, temporary);
    if (failed == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) failed = errno;
    if (failed != 0) {
        ::unlink(temporary.c_str());
        return cannotWrite(target, failed);
    }
    return {};
}

void failOnTooLargeFiles()
{
    std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace remat
