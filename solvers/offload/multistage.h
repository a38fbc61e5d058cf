// SPDX-License-Identifier: Apache-2.0
// Binomial checkpointing of uniform chains with a second level: inputs of stages that wait in host memory.
#pragma once

#include "solvers/offload/paged_schedule.h"

namespace remat::offload {

/// What a copy of one stage's input takes, in forward steps; at least 0.
struct HostCopies {
    double writeSteps = 0, readSteps = 0;
};

/// Where the program of a length goes on: how far the next checkpoint is set; 0: Revolve, with all in memory.
struct MultistageChoice {
    double steps = 0;
    int advance = 0;
};

/// The dynamic program of Aupy, Herrmann, Hovland, Robert: Optimal multistage algorithm for adjoint computation, SIAM
/// SISC 2016 (theorem 3.15), for chains of up to `length` equal stages with at most `snapshots` inputs in memory, as
/// Revolve counts them, and any number in host memory. Steps are forward steps beyond one per stage, copies included:
///     Opt_1(l) = min(Opt_0(l),  min_{1≤j<l} j + Opt_0(l − j) + read + Opt_1(j))         the first input is on the host
///     Opt_∞(l) = min(Opt_0(l),  min_{1≤j<l} write + j + Opt_∞(l − j) + read + Opt_1(j))
/// with Opt_0 Revolve's count. Inputs go to host memory during the first forward pass only: later they are in memory or
/// nowhere. O(length²).
class MultistageTable
{
public:
    MultistageTable(int length, int snapshots, const HostCopies &copies);

    /// Opt_∞(length); infinite only for a table without snapshots whose reads are.
    double steps() const { return m_any.back().steps; }
    /// A schedule that takes them, of a chain with that many stages. Backward parts run as in `revolveSchedule`.
    PagedSchedule schedule(const chain::ChainModel &model) const;

private:
    void addOnHost(int first, int last, PagedSchedule &paged) const;
    void addInMemory(int at, int first, int last, PagedSchedule &paged) const;

    const int m_snapshots;
    std::vector<MultistageChoice> m_onHost; ///< Opt_1 by length; 0 is not used
    std::vector<MultistageChoice> m_any;    ///< Opt_∞
};

} // namespace remat::offload
