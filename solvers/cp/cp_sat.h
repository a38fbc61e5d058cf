// SPDX-License-Identifier: Apache-2.0
// Constraint programming by OR-Tools' CP-SAT, in a process of its own. The only header through which the rest of the
// program reaches it.
#pragma once

#include "core/base/expected.h"
#include "core/base/stop_token.h"
#include "solvers/cp/model.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace remat::cp {

/// What CP-SAT tells while it runs.
struct CpProgress {
    double bound = 0; ///< no solution has a lower objective
    const std::vector<std::int64_t> *x =
        nullptr; ///< a solution, when there is a new one: the first `CpModel::told` values
};

/// How CP-SAT looks for solutions.
enum class Strategy {
    Many,       ///< many strategies side by side, interleaved: the only way that gets anywhere with large models
    Relaxation, ///< one that leans on the whole linear relaxation, on one thread: proves models of some hundred ops
    Dive,       ///< the same, branching on the relaxation's solution: ends very soon where the relaxation is nearly
                ///< whole, and may never end where it is not
    Branching   ///< branch and cut on one thread, by what a branch has cost so far: proves 0/1 programs of thousands of
                ///< columns; what it tells of the bound before it ends is little
};

struct CpLimits {
    const StopToken *stop = nullptr; ///< may be none
    StopCheck enough;                ///< ends the solve, too; asked on the solving thread
    Deadline deadline;
    double work = 0; ///< CP-SAT's own count, one being 3 to 30 seconds, the same on every machine; 0: no limit
    int threads = 1; ///< they decide how long it takes and not what comes out, as long as no clock ends it
    std::uint64_t seed = 0;
    Strategy strategy = Strategy::Many;
    std::function<void(const CpProgress &)> progress; ///< called on the solving thread; may be empty
};

enum class CpStatus {
    Optimal,
    Feasible,   ///< stopped with a solution, which has been told
    Infeasible, ///< proven
    Stopped,    ///< stopped without a solution
    Failed      ///< the helper died, or said what is no answer
};

struct CpSolution {
    CpStatus status = CpStatus::Failed;
    double bound = 0;  ///< as far as it was told
    double work = 0;   ///< that it took, in CP-SAT's own count; 0 where that was not told
    std::string error; ///< what a helper that failed wrote to its standard error, its beginning
};

/// A Python that has OR-Tools, with the script that serves; or a program that does the same.
struct Helper {
    std::string program;
    std::vector<std::string> arguments;
};

/// `$REMAT_CPSAT` when it is set, else the first Python with OR-Tools: of the build, $VIRTUAL_ENV, $CONDA_PREFIX,
/// `~/.local/share/remat-studio/ortools`, the system's; none that another user could have put there. Fails with a
/// sentence that says how to get it.
Expected<Helper> findHelper();
/// The same among the Pythons of these folders, in this order.
Expected<Helper> findHelperIn(const std::vector<std::filesystem::path> &prefixes);

/// Solves the model, which must have variables. Any thread, several at once; prints nothing. Blocks until
/// the helper has ended; it is asked to stop when the limits say so, and killed with all its children when it does not
/// within a second, whether it reads, writes or does neither. Solutions are told as they come and are not looked at
/// here: they may be anything that fits the variables' bounds, so whoever makes a plan of one checks that.
CpSolution solve(const Helper &helper, const CpModel &model, const CpLimits &limits);

} // namespace remat::cp
