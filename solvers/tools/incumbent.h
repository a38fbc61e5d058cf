// SPDX-License-Identifier: Apache-2.0
// The best plan so far and the running report about it, shared by the threads of one solve.
#pragma once

#include "core/plan/sequence_evaluator.h"
#include "solvers/interface/solver.h"
#include "solvers/tools/flat.h"

#include <mutex>

namespace remat {

/// Keeps the best plan within the budget and tells the context about everything that changes. Thread-safe.
class Incumbent
{
public:
    Incumbent(const FlatGraph &flat, const SolveContext &context, std::int64_t budgetBytes);

    /// Replays; takes the plan when it fits and is faster than the best. Returns its exact cost.
    SequenceCost offer(std::vector<OpId> sequence);
    SequenceCost offer(const std::vector<Recompute> &recomputes) { return offer(toSequence(m_flat, recomputes)); }

    bool found() const;
    std::vector<OpId> best() const;         ///< its computation sequence
    double bestTimeUs() const;              ///< time of the whole plan; negative when there is none
    std::int64_t smallestPeakBytes() const; ///< smallest of everything that was offered

    void setActivity(const std::string &activity, double fraction = -1);
    /// In the place of those there are; how many of them are done is counted anew.
    void setClusters(std::vector<ClusterProgress> clusters);
    std::vector<ClusterProgress> clusters() const;
    void updateCluster(std::size_t cluster, const std::function<void(ClusterProgress &)> &change);
    /// Figures of the program over the chain, as times of whole plans; negative when unknown.
    /// The gap is that of the added time, from the best plan known to the bound.
    void setModelFigures(double incumbentUs, double boundUs, double keepAllUs);

private:
    void tell(std::shared_ptr<const Plan> plan);
    void countDone();

    const FlatGraph &m_flat;
    const SolveContext &m_context;
    const std::int64_t m_budget;
    mutable std::mutex m_mutex;
    SequenceEvaluator m_evaluator;
    std::vector<OpId> m_best;
    double m_bestTimeUs = -1;
    std::int64_t m_smallestPeak = 0;
    SolveProgress m_progress;
};

} // namespace remat
