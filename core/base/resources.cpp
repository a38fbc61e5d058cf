#include "core/base/resources.h"

#include <cstdlib>

namespace remat {

std::filesystem::path resourceDir()
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (const char *named = std::getenv("REMAT_RESOURCES"); named && fs::is_directory(named, error)) return named;
    const fs::path executable = fs::read_symlink("/proc/self/exe", error);
    fs::path installed = executable.parent_path().parent_path() / "share" / "remat-studio";
    if (!executable.empty() && fs::is_directory(installed, error)) return installed;
    return fs::path(REMAT_SOURCE_DIR) / "resources";
}

} // namespace remat
