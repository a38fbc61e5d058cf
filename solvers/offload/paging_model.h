// SPDX-License-Identifier: Apache-2.0
// Recomputation and paging of a small graph as one 0/1 program.
#pragma once

#include "solvers/ilp/model.h"
#include "solvers/offload/coarse.h"

namespace remat::offload {

struct PagingSettings {
    std::int64_t budgetBytes = 0;
    bool pages = true;     ///< false: nothing is copied, which leaves Checkmate's program
    bool energy = false;   ///< minimise energy; otherwise time
    double mostTimeUs = 0; ///< limit on time; 0: none
    double watts = 0;      ///< while ops run
    double linkWatts = 0;  ///< while copies run
};

/// The program of POET (Patil et al., ICML 2022) on Checkmate's slots, with the link as a resource. Slot t ends with
/// the first computation of run t. For runs i ≤ t in order, bundles b and slots t:
///   R[t,i]: run i is computed again in slot t          D[t,i,b]: b is on the device before run i of slot t
///   MOut[t,b], MIn[t,b] ∈ [0, 1]: share of b copied to and from host memory during slot t
///   Q[t,b]: b has its place on the device while it comes back     F[t,b]: it is there at the end of slot t
///   D[t,i+,b] ≤ D[t,i,b] (+ R[t,i] when i makes b)      D[t+1,0,b] ≤ D[t,t+,b] + F[t,b]
///   R[t,i] ≤ D[t,i,b] for b read by i                   D[t,t,b] = 1 for b read by t
///   MOut[t,b] ≤ D at the start and at the end of slot t  Q[t,b] ≤ Σ_{u<t} MOut[u,b]
///   MIn[t,b] ≤ Q[t,b]    F[t,b] ≤ Q[t,b]                 Σ_{u≤t} F[u,b] ≤ Σ_{u≤t} MIn[u,b]
///   Σ_b bytes_b (D[t,i,b] + Q[t,b]) + (bytes made by i + workspace_i) R[t,i] ≤ budget
///   T[t] ≥ time_t + Σ_i time_i R[t,i]     T[t] ≥ Σ_b copy_b MOut[t,b]     T[t] ≥ Σ_b copy_b MIn[t,b]
/// minimise Σ_t T[t], or the energy of computations and copies with Σ_t T[t] ≤ limit. POET itself lets copies take no
/// time. A run is computed again once a slot at most, and nothing after the last slot. A copy that ends within its slot
/// is a restriction, shares of copies are a relaxation: the plan is made from the decisions and timed by the simulator.
struct PagingModel {
    ilp::Model model;
    std::vector<std::vector<int>> R;    ///< by [slot][run]; −1: never
    std::vector<std::vector<int>> MOut; ///< by [slot][bundle]; −1: never
};

PagingModel buildPagingModel(const Coarse &coarse, const PagingSettings &settings);

} // namespace remat::offload
