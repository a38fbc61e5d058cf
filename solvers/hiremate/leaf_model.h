// One integer program for a whole small graph.
#pragma once

#include "solvers/flat.h"
#include "solvers/ilp/model.h"

#include <vector>

namespace remat::hiremate {

/// Lower-triangular rematerialisation program in the shape of Checkmate (Jain et al., MLSys 2020), on storages instead
/// of ops. Stage t computes op t for the first time, after any earlier ops again, in graph order; one more stage at the
/// end may only compute again. R[t,i]: op i is computed in stage t. H[t,e,s]: storage s is held after event e of stage
/// t, where events of s are the stage's start and the ops that make or read s; in between nothing can change for it.
///     H[t,e,s] ≤ H[t,before e,s]  (+ R[t,e] when e makes s)        R[t,i] ≤ H[t,before i,s]   for s read by i
///     Σ_s bytes_s H[t,before i,s] + (bytes made by i + workspace_i) R[t,i] ≤ budget
/// Exact memory; the order inside a stage is all it restricts.
struct LeafModel {
    ilp::Model model;
    std::vector<std::vector<int>> computeColumn; ///< [stage][op], −1: not possible
};

LeafModel buildLeafModel(const FlatGraph &flat, std::int64_t budgetBytes);

/// The computation sequence of a solution.
std::vector<OpId> readLeaf(const FlatGraph &flat, const LeafModel &leaf, const std::vector<double> &x);

} // namespace remat::hiremate
