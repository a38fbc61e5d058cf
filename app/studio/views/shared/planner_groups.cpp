// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/planner_groups.h"

#include <QCoreApplication>

namespace remat::studio {

namespace {

struct GroupText {
    Q_DECLARE_TR_FUNCTIONS(PlannerGroups)
};

constexpr std::size_t kFirst = 3; ///< the registry puts those that plan best before all others

bool isYardstick(const PlannerInfo &info)
{
    return info.kind == "no planning" || info.kind == "reference point";
}

} // namespace

std::vector<PlannerGroup> plannerGroups()
{
    PlannerGroup best{GroupText::tr("Best plans"), {}}, literature{GroupText::tr("From the literature"), {}},
        offloading{GroupText::tr("Also use host memory"), {}}, yardsticks{GroupText::tr("Only to compare with"), {}};
    const std::vector<const Planner *> &all = planners();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const PlannerInfo &info = all[i]->info;
        PlannerGroup &group = i < kFirst          ? best
                              : info.offloads     ? offloading
                              : isYardstick(info) ? yardsticks
                                                  : literature;
        group.planners.push_back(all[i]);
    }
    return {std::move(best), std::move(literature), std::move(offloading), std::move(yardsticks)};
}

} // namespace remat::studio
