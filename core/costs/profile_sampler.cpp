// SPDX-License-Identifier: Apache-2.0
#include "core/costs/profile_sampler.h"

#include "core/costs/repeated_times.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

RepeatedTimes summaryOfAll(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return summaryOf(times);
}

} // namespace

ProfileSampler::ProfileSampler(EqualOps equal, const SamplingLimits &limits)
    : m_equal(std::move(equal)), m_limits(limits), m_samples(static_cast<std::size_t>(m_equal.classes))
{
}

void ProfileSampler::addStep(const std::vector<double> &opUs, double stepUs)
{
    std::vector<std::size_t> before(m_samples.size());
    for (std::size_t i = 0; i < m_samples.size(); ++i)
        before[i] = m_samples[i].size();
    for (std::size_t op = 0; op < opUs.size(); ++op)
        m_samples[static_cast<std::size_t>(m_equal.classOf[op])].push_back(opUs[op]);
    for (std::size_t i = 0; i < m_samples.size(); ++i) {
        const auto middle = m_samples[i].begin() + static_cast<std::ptrdiff_t>(before[i]);
        std::sort(middle, m_samples[i].end());
        std::inplace_merge(m_samples[i].begin(), middle, m_samples[i].end());
    }
    m_stepsUs.push_back(stepUs);
    m_betweenUs.push_back(std::max(0.0, stepUs - std::accumulate(opUs.begin(), opUs.end(), 0.0)));
}

bool ProfileSampler::enough() const
{
    const auto steps = static_cast<int>(m_stepsUs.size());
    if (steps >= m_limits.mostSteps) return true;
    if (steps < m_limits.leastSteps) return false;
    if (std::accumulate(m_stepsUs.begin(), m_stepsUs.end(), 0.0) >= m_limits.mostSeconds * 1e6) return true;
    return std::none_of(m_samples.begin(), m_samples.end(), [this](const std::vector<double> &samples) {
        const RepeatedTimes times = summaryOf(samples);
        return medianErrorUs(times.spreadUs, times.samples) > m_limits.spread * times.medianUs;
    });
}

double ProfileSampler::progress() const
{
    const double seconds = std::accumulate(m_stepsUs.begin(), m_stepsUs.end(), 0.0) * 1e-6;
    const auto steps = static_cast<double>(m_stepsUs.size());
    const double bySteps = steps / m_limits.mostSteps;
    const double byTime = std::min(seconds / m_limits.mostSeconds, steps / std::max(1, m_limits.leastSteps));
    return std::min(1.0, std::max(bySteps, byTime));
}

void ProfileSampler::finish(Profile &profile) const
{
    std::vector<RepeatedTimes> times(m_samples.size());
    std::transform(m_samples.begin(), m_samples.end(), times.begin(), summaryOf);
    for (std::size_t op = 0; op < profile.ops.size(); ++op)
        takeTimes(profile.ops[op], times[static_cast<std::size_t>(m_equal.classOf[op])]);
    const RepeatedTimes steps = summaryOfAll(m_stepsUs);
    profile.step = {steps.medianUs, steps.spreadUs, summaryOfAll(m_betweenUs).medianUs};
    profile.repeats = static_cast<int>(m_stepsUs.size());
    profile.distinctOps = m_equal.classes;
    profile.spreadLimit = m_limits.spread;
}

} // namespace remat
