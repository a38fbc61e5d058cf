// SPDX-License-Identifier: Apache-2.0
#include "core/base/writable.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/core.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace remat {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> noPlaceFor(const fs::path &path, int error)
{
    return fail("{} cannot be written: {}.", path.string(), std::generic_category().message(error));
}

/// 0, or errno: makes a file with one byte in the folder and removes it.
int tryIn(const fs::path &folder)
{
    std::string name = (folder / ".remat-XXXXXX").string();
    const int fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) return errno;
    int failed = ::write(fd, "\n", 1) == 1 ? 0 : errno;
    if (::close(fd) != 0 && failed == 0) failed = errno;
    ::unlink(name.c_str());
    return failed;
}

} // namespace

Expected<void> checkWritable(const fs::path &path)
{
    std::error_code error;
    fs::path target = fs::is_symlink(fs::symlink_status(path, error)) ? fs::weakly_canonical(path, error) : path;
    if (target.empty()) target = path;
    if (target.empty() || target.filename().empty()) return fail(path.string() + " names no file to write.");
    struct stat info = {};
    if (::stat(target.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) return fail(target.string() + " is a folder; name a file in it.");
        if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return noPlaceFor(target, errno);
        if (!S_ISREG(info.st_mode)) return {}; // a device or a pipe: nothing is made beside it
    } else if (errno != ENOENT && errno != ENOTDIR) {
        return noPlaceFor(target, errno);
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
        return fail(
            fmt::format("There is no folder {} to write {} into.", folder.string(), target.filename().string()));
    if (const int failed = tryIn(folder)) return noPlaceFor(target, failed);
    return {};
}

bool isSameFile(const fs::path &one, const fs::path &other)
{
    struct stat first = {}, second = {};
    return ::stat(one.c_str(), &first) == 0 && ::stat(other.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool othersMayChange(const fs::path &path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return true;
    return (status.st_uid != 0 && status.st_uid != ::geteuid()) || (status.st_mode & S_IWOTH) != 0;
}

} // namespace remat
