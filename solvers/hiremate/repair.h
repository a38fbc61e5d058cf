// Greedy repair on the whole graph: from any set of recomputations to one that fits.
#pragma once

#include "core/plan/sequence_evaluator.h"
#include "solvers/flat.h"

#include <functional>

namespace remat::hiremate {

struct Repaired {
    std::vector<Recompute> recomputes;
    std::int64_t peakBytes = 0;
    bool fits = false;
};

/// Adds recomputations until the peak is within the budget: again and again the storage whose gap between two uses
/// crosses stages over the budget and whose drop takes off most overflow (bytes × stages) per added time. A drop brings
/// its closure along: inputs that are no longer there are kept longer or computed again too, whichever is cheaper at
/// the current price of a byte in an overfull stage; the price rises when the gaps run out. Ends with undo, dearest
/// first. The idea of a drop with chain closure is that of DTR (Kirisame et al., ICLR 2021), used offline. Always
/// returns a valid set; `fits` says whether it is within the budget. Deterministic.
Repaired repair(const FlatGraph &flat, SequenceEvaluator &evaluator, std::int64_t budgetBytes,
                std::vector<Recompute> recomputes, const std::function<bool()> &stop);

} // namespace remat::hiremate
