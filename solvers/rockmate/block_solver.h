// Options of blocks by integer programs.
#pragma once

#include "solvers/chain/stage_chain.h"
#include "solvers/incumbent.h"

namespace remat::rockmate {

struct BlockSolverSettings {
    int levels = 20;      ///< amounts kept that are tried per block
    int optionLimit = 30; ///< per block
};

/// For each block that no earlier one is like, the priced options and one per amount of memory kept, each by its own
/// integer program (CBC): the least time to compute again what is not kept; blocks too
/// large for that have the priced options alone. On all threads of the context; takes at
/// most 45 % of the time there is, and stops earlier with what it has. Tells `incumbent` about every block. All three
/// outlive the source.
chain::OptionSource ilpSource(const FlatGraph &flat, const BlockSolverSettings &settings, const SolveContext &context,
                              Incumbent &incumbent);

OptionTable<BlockSolverSettings> blockSolverOptions();

} // namespace remat::rockmate
