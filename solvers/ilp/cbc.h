// SPDX-License-Identifier: Apache-2.0
// Branch and cut by CBC. The only header through which the rest of the program reaches CBC.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/ilp/model.h"

#include <functional>
#include <vector>

namespace remat::ilp {

enum class Effort {
    Small, ///< up to some hundred columns: plain branch and bound with a few cuts, milliseconds
    Full,  ///< presolve, all of CBC's default cuts and heuristics
    AsIs   ///< as Full, without presolve: for models that Clp fails on when they come out of it
};

/// What CBC knows while it runs; figures are infinite when there is none yet.
struct Progress {
    double incumbent = kInfinity;
    double bound = -kInfinity;
};

struct Limits {
    const StopToken *stop = nullptr; ///< may be none
    Deadline deadline;
    /// Limit of the simplex method, over all linear programs of the solve: the same on every machine.
    std::int64_t iterations = std::numeric_limits<std::int64_t>::max();
    double relativeGap = 1e-7; ///< gap of the objective
    double absoluteGap = 1e-9;
    Effort effort = Effort::Full;
    std::vector<double> start; ///< a solution to start from; may be empty
    double known = kInfinity;  ///< an objective reached by other means: only better ones are looked for
    int seed = 0;
    std::function<void(const Progress &)> progress; ///< called on the solving thread; may be empty
};

enum class Status {
    Optimal,    ///< within the gaps
    Feasible,   ///< stopped with a solution
    Infeasible, ///< proven
    Stopped,    ///< stopped without a solution
    Failed      ///< CBC gave up or what it gave does not satisfy the model
};

struct Solution {
    Status status = Status::Failed;
    std::vector<double> x; ///< whole columns rounded; empty when there is none
    double objective = kInfinity;
    double bound = -kInfinity;
    std::int64_t iterations = 0; ///< iterations of the simplex method that the solve took

    bool found() const { return !x.empty(); }
};

/// Solves the model. Any thread, several at once. Prints nothing. Full solves run in processes of their own
/// (remat-cbc), so that a failed assertion of CBC's ends these only, and the model is tried once more as it is; without
/// that program beside this one they run here, one after the other. What it returns satisfies the model to 1e-5.
/// `start` is used when it satisfies the model, and ignored otherwise. Infeasible with `known` means that nothing
/// better than that is feasible.
Solution solve(const Model &model, const Limits &limits);

} // namespace remat::ilp
