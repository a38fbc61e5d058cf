// Where OR-Tools is: in some Python's packages.
#include "core/base/resources.h"
#include "core/base/writable.h"
#include "solvers/cp/cp_sat.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace remat::cp {

namespace {

namespace fs = std::filesystem;

constexpr const char *kScript = "cp_sat.py";

fs::path environment(const char *name)
{
    const char *value = std::getenv(name);
    return value && *value == '/' ? fs::path(value) : fs::path();
}

fs::path ownEnvironment()
{
    fs::path data = environment("XDG_DATA_HOME");
    if (data.empty()) data = environment("HOME") / ".local" / "share";
    return data / "remat-studio" / "ortools";
}

bool hasTools(const fs::path &prefix)
{
    std::error_code error;
    for (fs::directory_iterator entry(prefix / "lib", error), end; !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with("python3")) continue;
        for (const char *packages : {"site-packages", "dist-packages"}) {
            const fs::path folder = entry->path() / packages / "ortools" / "sat";
            std::error_code none;
            if (fs::is_directory(folder, none) && !othersMayChange(folder)) return true;
        }
    }
    return false;
}

} // namespace

Expected<Helper> findHelper()
{
    if (const char *named = std::getenv("REMAT_CPSAT"); named && *named) return Helper{named, {"--serve"}};
    std::error_code error;
    const fs::path tree = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
    // A build tree links to the environment that it was set up with.
    return findHelperIn({tree / "lib" / "venv", environment("VIRTUAL_ENV"), environment("CONDA_PREFIX"),
                         ownEnvironment(), fs::path("/usr/local"), fs::path("/usr")});
}

Expected<Helper> findHelperIn(const std::vector<fs::path> &prefixes)
{
    for (const fs::path &prefix : prefixes) {
        if (prefix.empty() || !hasTools(prefix)) continue;
        const fs::path python = prefix / "bin" / "python3";
        if (access(python.c_str(), X_OK) != 0 || othersMayChange(prefix / "bin")) continue;
        return Helper{python.string(), {"-I", (resourceDir() / kScript).string(), "--serve"}};
    }
    const std::string own = ownEnvironment().string();
    return fail("Moccasin's program is solved by OR-Tools' CP-SAT, and no Python here has OR-Tools. To get it: python3 "
                "-m venv " +
                own + " && " + own +
                "/bin/pip install 'ortools==9.15.*'. Or take the planner search, or "
                "checkmate for small graphs.");
}

} // namespace remat::cp
