// SPDX-License-Identifier: Apache-2.0
// Gathers the times of whole steps until those of their ops are known well enough.
#pragma once

#include "core/costs/equal_ops.h"
#include "core/costs/profile.h"

namespace remat {

/// Equal ops share their samples: every op of a step must be computed anyway, since the next ones read what it makes,
/// and each time it is comes in the surroundings of training. So one step with a dozen equal blocks says a dozen times
/// what each of their ops takes, and fewer steps are needed. No clock of its own: one thread.
class ProfileSampler
{
public:
    ProfileSampler(EqualOps equal, const SamplingLimits &limits);

    /// One step: the time of each op, in the graph's order, and of the whole, all in µs, not negative.
    void addStep(const std::vector<double> &opUs, double stepUs);
    /// No step more is wanted: all medians are known within the limit, or enough steps or time went into it.
    bool enough() const;
    /// From 0 to 1, how far it is.
    double progress() const;
    /// Writes times, spreads, counts and the whole steps into the profile, which has its ops already.
    void finish(Profile &profile) const;

private:
    EqualOps m_equal;
    SamplingLimits m_limits;
    std::vector<std::vector<double>> m_samples; ///< per class, sorted
    std::vector<double> m_stepsUs, m_betweenUs; ///< per step
};

} // namespace remat
