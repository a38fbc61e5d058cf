// SPDX-License-Identifier: Apache-2.0
#include "core/base/resources.h"

#include <cstdlib>
#include <unistd.h>

namespace remat {
namespace fs = std::filesystem;
namespace {

/// The folder of the running program; empty when the system does not say.
fs::path programDir()
{
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).parent_path();
}

} // namespace

fs::path resourceDir()
{
    std::error_code error;
    if (const char *named = std::getenv("REMAT_RESOURCES"); named && fs::is_directory(named, error)) return named;
    const fs::path installed = programDir().parent_path() / "share" / "remat-studio";
    fs::path real = fs::canonical(installed, error);
    return error ? installed : real;
}

fs::path helperProgramPath(const std::string &name)
{
    const fs::path here = programDir();
    for (const fs::path &folder : {here, here.parent_path() / "bin"}) {
        fs::path program = folder / name;
        if (access(program.c_str(), X_OK) == 0) return program;
    }
    return {};
}

} // namespace remat
