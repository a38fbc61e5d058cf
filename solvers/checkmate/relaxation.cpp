#include "solvers/checkmate/relaxation.h"

#include "solvers/checkmate/path_cuts.h"

#include <algorithm>

namespace remat::checkmate {

RelaxationBound relaxationBound(const FlatGraph &flat, std::int64_t budgetBytes, const std::vector<char> &leftOut,
                                const ilp::Limits &limits)
{
    ModelSettings settings;
    settings.budgetBytes = budgetBytes;
    settings.leftOut = leftOut;
    StageModel stages = buildStageModel(flat, settings);
    const ilp::Relaxation relaxation = tightenByPathCuts(flat, stages, limits);
    RelaxationBound bound;
    bound.infeasible = relaxation.status == ilp::Status::Infeasible;
    bound.finished = bound.infeasible || relaxation.status == ilp::Status::Optimal;
    if (!bound.infeasible) bound.extraUs = std::max(0.0, relaxation.bound * stages.unitUs);
    return bound;
}

} // namespace remat::checkmate
