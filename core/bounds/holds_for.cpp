// SPDX-License-Identifier: Apache-2.0
#include "core/bounds/bounds.h"

namespace remat {

const char *holdsForName(HoldsFor plans)
{
    switch (plans) {
    case HoldsFor::OutputsOnce:
        return "outputs-once";
    case HoldsFor::GivenOrder:
        return "given-order";
    case HoldsFor::AnyOrder:
        return "no-offloads";
    case HoldsFor::EveryPlan:
        break;
    }
    return "every-plan";
}

const char *holdsForSentence(HoldsFor plans)
{
    switch (plans) {
    case HoldsFor::OutputsOnce:
        return "Holds for plans without offloads that make their first computations in the graph's order and compute "
               "no output of the graph twice.";
    case HoldsFor::GivenOrder:
        return "Holds for plans without offloads that make their first computations in the graph's order.";
    case HoldsFor::AnyOrder:
        return "Holds for plans without offloads, in any order.";
    case HoldsFor::EveryPlan:
        break;
    }
    return "Holds for every plan.";
}

} // namespace remat
