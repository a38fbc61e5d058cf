// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/paged_schedule.h"

#include "solvers/tools/translate.h"

namespace remat::offload {

void PagedSchedule::add(int at, int stage, int option, bool away)
{
    schedule.holds.push_back({at, stage, option});
    leaves.resize(schedule.holds.size(), 0);
    leaves.back() = away ? 1 : 0;
}

PagedSchedule firstLeave(const chain::ChainModel &model, int count)
{
    PagedSchedule paged;
    paged.schedule.option.assign(static_cast<std::size_t>(model.size()), 0);
    for (int s = 0; s < model.size(); ++s) {
        paged.add(kForwardPass, s, 0, s < count);
        if (s + 1 < model.size()) paged.add(kForwardPass, s + 1, -1, s < count);
    }
    return paged;
}

} // namespace remat::offload
