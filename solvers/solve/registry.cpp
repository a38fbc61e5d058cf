// SPDX-License-Identifier: Apache-2.0
#include "solvers/interface/solver.h"

#include <algorithm>

namespace remat {

namespace planner {
#define REMAT_PLANNER(name) const Planner &name();
#include "planner_list.inc"
#undef REMAT_PLANNER
} // namespace planner

const std::vector<const Planner *> &planners()
{
    static const std::vector<const Planner *> all = [] {
        std::vector<const Planner *> list;
#define REMAT_PLANNER(name) list.push_back(&planner::name());
#include "planner_list.inc"
#undef REMAT_PLANNER
        // The folder gives alphabetical order; people expect the one that plans best first and the yardsticks after it.
        std::stable_sort(list.begin(), list.end(), [](const Planner *a, const Planner *b) {
            const auto rank = [](const Planner *p) {
                const std::string &name = p->info.name;
                return name == "auto" ? 0 : name == "search" ? 1 : name == "hiremate" ? 2 : 3;
            };
            return rank(a) < rank(b);
        });
        return list;
    }();
    return all;
}

Expected<const Planner *> findPlanner(const std::string &name)
{
    std::string known;
    for (const Planner *planner : planners()) {
        if (planner->info.name == name) return planner;
        known += (known.empty() ? "" : ", ") + planner->info.name;
    }
    return fail("There is no planner \"{}\". Planners: {}.", name, known);
}

const char *statusName(SolveStatus status)
{
    switch (status) {
    case SolveStatus::Optimal:
        return "optimal";
    case SolveStatus::Feasible:
        return "feasible";
    case SolveStatus::Infeasible:
        return "infeasible";
    case SolveStatus::Stopped:
        return "stopped";
    }
    return "unknown";
}

} // namespace remat
