// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/chain_model.h"

#include "solvers/tools/translate.h"

namespace remat::chain {

ChainSchedule inputsOnly(const ChainModel &model)
{
    ChainSchedule schedule;
    for (const Stage &stage : model.stages)
        schedule.option.push_back(stage.options.size() > 1 ? 1 : 0);
    schedule.option.back() = 0;
    schedule.holds.push_back({kForwardPass, model.size() - 1, 0});
    return schedule;
}

ChainModel savingAll(ChainModel model)
{
    for (Stage &stage : model.stages)
        stage.options.resize(1);
    return model;
}

} // namespace remat::chain
