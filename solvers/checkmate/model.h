// SPDX-License-Identifier: Apache-2.0
// Rematerialisation of a whole graph as one 0/1 program, coarse where that is enough and exact where it must be.
#pragma once

#include "solvers/ilp/linear.h"
#include "solvers/tools/flat.h"

#include <optional>
#include <vector>

namespace remat::checkmate {

/// Copies to host memory that a program may make (Patil et al., POET, ICML 2022). All per storage, but the limits.
struct PagingPrices {
    std::vector<char> mayLeave;
    std::vector<double> priceUs; ///< price of a copy either way, in the objective's time
    std::vector<double> copyUs;  ///< on the link, one way
    double mostOutUs = ilp::kInfinity, mostInUs = ilp::kInfinity; ///< limits for all copies on their lane
};

/// What the program should look like.
struct ModelSettings {
    std::int64_t budgetBytes = 0;
    /// Per slot 0 … ops (slot t: what is computed again just before the first computation of op t; slot `ops`: at the
    /// end): how often the slot may run through the ops. 0 is coarse: any number of times in any order, but its memory
    /// is not looked at. Empty: all coarse.
    std::vector<int> passes;
    std::vector<char> mayRecompute; ///< per op; empty: all but those that may be computed only once
    int mostComputations = 0;       ///< limit for any op, its first included; 0: any number
    bool leastPeak = false;    ///< minimise the bytes over the budget (of the memory the slots look at) instead of time
    std::vector<char> leftOut; ///< per op: never computed, and nobody who is not left out reads it; empty: none
    std::optional<PagingPrices> paging;      ///< none: nothing is copied
    double mostAddedUs = ilp::kInfinity;     ///< time of all that is computed again
    std::vector<std::int64_t> reservedBytes; ///< per slot: not for what it computes again; empty: nothing
};

/// Lower-triangular program in the shape of Checkmate (Jain et al., MLSys 2020), on ops that make any number of
/// storages. R[t,i]: op i is computed again in slot t. S[t,s]: storage s is held just before the first computation of
/// op t. A slot is coarse or fine.
///   coarse:  S[t,s] ≤ S[t−1,s] + R[t,maker of s]        R[t,i] ≤ S[t−1,j] + R[t,maker of j]   for j read by i
///   fine, with H[t,i,s] for s before op i of the slot, a new column only where i makes or reads s:
///            H[t,i+,s] ≤ H[t,i,s] (+ R[t,i] when i makes s)       R[t,i] ≤ H[t,i,j]   for j read by i
///            Σ_s bytes_s H[t,i,s] + (bytes made by i + workspace_i) R[t,i] ≤ budget
///   each t:  S[t,j] = 1 for j read by t       Σ_s bytes_s S[t,s] + bytes made by t + workspace_t ≤ budget
/// With every slot fine it holds exactly the plans that compute an op at most `passes` times a slot, in graph order,
/// frees and second copies counted to the byte. With every slot coarse it is a relaxation that holds all plans whose
/// first computations are in graph order. The objective is the added time.
/// With paging, POET's columns: MOut[s], s is copied to host memory once, right after it was made, and stays there; and
/// MIn[e,s], it is fetched just before event e, a computation that reads s, in a coarse slot once for all of them:
///   MIn[e,s] ≤ MOut[s]      S or H[e+,s] ≤ S or H[e,s] (+ R when e makes s) + MIn[e,s]
///   Σ price_s (MOut[s] + Σ_e MIn[e,s]) in the objective;  Σ time_i R[t,i], Σ copy_s MOut[s], Σ copy_s MIn[e,s] ≤
///   limits
/// When copies are made and fetched costs no energy, so nothing is lost by these moments; what the copies of a plan do
/// to its time is for the simulator to say.
struct SlotProgram {
    /// A column MIn.
    struct Fetch {
        int slot = 0, pass = 0;
        int reader = 0; ///< op computed again, `slot` for its first computation, −1 for any op of a coarse slot
        int storage = 0, column = 0;
    };

    ilp::Model model;
    double unitUs = 1;                            ///< unit of the objective
    double unitBytes = 1;                         ///< unit of the memory rows
    std::vector<std::vector<std::vector<int>>> R; ///< columns R by [slot][pass][op]; −1: never useful there
    int over = -1;                   ///< column: bytes over the budget, in units, with leastPeak; then the objective
    std::vector<std::vector<int>> S; ///< columns S by [slot][storage]; −1: not there, or always there
    std::vector<int> MOut;           ///< columns by storage; −1: stays. Empty without paging
    std::vector<Fetch> fetches;      ///< in the order of events
};

/// What all op times are multiples of, in µs, when they are whole numbers; 0 otherwise. Added times are multiples then,
/// too.
double timeStepUs(const FlatGraph &flat);
/// A bound on the added time, raised to what added times can be; as it is where there is no step.
double roundedUpUs(double extraUs, double stepUs);

SlotProgram buildSlotProgram(const FlatGraph &flat, const ModelSettings &settings);

/// The computation sequence of a solution, without what nobody reads.
std::vector<OpId> readSequence(const FlatGraph &flat, const SlotProgram &slots, const std::vector<double> &x);

} // namespace remat::checkmate
