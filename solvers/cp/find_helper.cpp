// SPDX-License-Identifier: Apache-2.0
// Where OR-Tools is: in some Python's packages.
#include "core/base/python.h"
#include "core/base/resources.h"
#include "solvers/cp/cp_sat.h"

#include <cstdlib>
#include <filesystem>

namespace remat::cp {

namespace {

namespace fs = std::filesystem;

constexpr const char *kScript = "cp_sat.py";

fs::path ownEnvironment()
{
    fs::path data = environmentPath("XDG_DATA_HOME");
    if (data.empty()) data = environmentPath("HOME") / ".local" / "share";
    return data / "remat-studio" / "ortools";
}

} // namespace

Expected<Helper> findHelper()
{
    if (const char *named = std::getenv("REMAT_CPSAT"); named && *named) return Helper{named, {"--serve"}};
    return findHelperIn(pythonPrefixes(ownEnvironment()));
}

Expected<Helper> findHelperIn(const std::vector<fs::path> &prefixes)
{
    if (const auto python = pythonWith("ortools/sat", prefixes))
        return Helper{python->string(), {"-I", (resourceDir() / kScript).string(), "--serve"}};
    const std::string own = ownEnvironment().string();
    return fail(
        "Moccasin's program is solved by OR-Tools' CP-SAT, and no Python here has OR-Tools. To get it: python3 -m venv "
        "{} && {}/bin/pip install 'ortools==9.15.*'. Or take the planner search, or checkmate for small graphs.",
        own, own);
}

} // namespace remat::cp
