// SPDX-License-Identifier: Apache-2.0
#include "solvers/bounds/bound_method.h"

#include <algorithm>

namespace remat {

#define REMAT_BOUND(name)                                                                                              \
    namespace boundMethod {                                                                                            \
    const BoundMethod &name();                                                                                         \
    }
#include "bound_list.inc"
#undef REMAT_BOUND

const std::vector<const BoundMethod *> &boundMethods()
{
    static const std::vector<const BoundMethod *> all = [] {
        std::vector<const BoundMethod *> methods = {
#define REMAT_BOUND(name) &boundMethod::name(),
#include "bound_list.inc"
#undef REMAT_BOUND
        };
        std::sort(methods.begin(), methods.end(),
                  [](const BoundMethod *a, const BoundMethod *b) { return a->order < b->order; });
        return methods;
    }();
    return all;
}

TimeBound timeBoundOf(const BoundProblem &problem, const char *method, double extraUs, OpId cut)
{
    TimeBound bound;
    bound.extraUs = std::max(0.0, extraUs);
    bound.timeUs = neededTimeUs(needsOf(problem.graph), problem.costs) + bound.extraUs;
    bound.cut = bound.extraUs > 0 ? cut : OpId();
    bound.method = method;
    bound.holdsFor = HoldsFor::GivenOrder;
    return bound;
}

} // namespace remat
