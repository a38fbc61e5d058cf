// SPDX-License-Identifier: Apache-2.0
#include "core/base/python.h"

#include "core/base/writable.h"

#include <cstdlib>
#include <unistd.h>

namespace remat {
namespace fs = std::filesystem;
namespace {

bool hasPackage(const fs::path &prefix, const std::string &package)
{
    std::error_code error;
    for (fs::directory_iterator entry(prefix / "lib", error), end; !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with("python3")) continue;
        for (const char *packages : {"site-packages", "dist-packages"}) {
            const fs::path folder = entry->path() / packages / package;
            std::error_code none;
            if (fs::is_directory(folder, none) && !othersMayChange(folder)) return true;
        }
    }
    return false;
}

} // namespace

fs::path environmentPath(const char *name)
{
    const char *value = std::getenv(name);
    return value && *value == '/' ? fs::path(value) : fs::path();
}

std::vector<fs::path> pythonPrefixes(const fs::path &own)
{
    std::error_code error;
    const fs::path tree = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
    // A build tree links to the environment that it was set up with.
    return {tree / "lib" / "venv",
            environmentPath("VIRTUAL_ENV"),
            environmentPath("CONDA_PREFIX"),
            own,
            "/usr/local",
            "/usr"};
}

std::optional<fs::path> pythonWith(const std::string &package, const std::vector<fs::path> &prefixes)
{
    for (const fs::path &prefix : prefixes) {
        if (prefix.empty() || !hasPackage(prefix, package)) continue;
        fs::path python = prefix / "bin" / "python3";
        if (access(python.c_str(), X_OK) == 0 && !othersMayChange(prefix / "bin")) return python;
    }
    return std::nullopt;
}

} // namespace remat
