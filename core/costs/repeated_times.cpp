// SPDX-License-Identifier: Apache-2.0
#include "core/costs/repeated_times.h"

#include "core/base/limits.h"

#include <algorithm>
#include <cmath>

namespace remat {

namespace {

constexpr double kQuartilesOfSigma = 1.349; ///< between the quartiles of a normal distribution of deviation 1

/// The value at `share` of the way through.
double quantile(const std::vector<double> &sorted, double share)
{
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (at - static_cast<double>(low));
}

std::int64_t outliersOf(const std::vector<double> &sorted, double median)
{
    constexpr double kFarOff = 3.5, kSigmaOfMad = 1.4826, kLeastShare = 0.01;
    std::vector<double> apart(sorted.size());
    std::transform(sorted.begin(), sorted.end(), apart.begin(), [=](double us) { return std::abs(us - median); });
    std::vector<double> byDistance = apart;
    const auto middle = byDistance.begin() + static_cast<std::ptrdiff_t>(byDistance.size() / 2);
    std::nth_element(byDistance.begin(), middle, byDistance.end());
    const double far = std::max(kFarOff * kSigmaOfMad * *middle, kLeastShare * median);
    return std::count_if(apart.begin(), apart.end(), [=](double us) { return us > far; });
}

/// Files may say anything; squares of it stay numbers.
double boundedSpread(const RepeatedTimes &run)
{
    return std::min(run.spreadUs, kMaxMeasuredUs);
}

} // namespace

RepeatedTimes summaryOf(const std::vector<double> &sorted)
{
    if (sorted.empty()) return {};
    const double median = quantile(sorted, 0.5);
    return {median, quantile(sorted, 0.75) - quantile(sorted, 0.25), static_cast<std::int64_t>(sorted.size()),
            outliersOf(sorted, median)};
}

double medianErrorUs(double spreadUs, std::int64_t samples)
{
    constexpr double kErrorOfMedian = 1.2533;
    if (samples < 1) return spreadUs;
    return kErrorOfMedian / kQuartilesOfSigma * spreadUs / std::sqrt(static_cast<double>(samples));
}

RepeatedTimes pooled(const std::vector<RepeatedTimes> &runs)
{
    // The clock and the machine are not known better than this, however little the samples scatter.
    constexpr double kLeastSpread = 0.01;
    RepeatedTimes result;
    std::vector<double> weights;
    double sum = 0, shortestUs = kMaxMeasuredUs;
    for (const RepeatedTimes &run : runs)
        shortestUs = std::min(shortestUs, run.medianUs);
    for (const RepeatedTimes &run : runs) {
        const double spread = std::max({boundedSpread(run), kLeastSpread * shortestUs, 1e-6});
        sum += weights.emplace_back(static_cast<double>(run.samples) / spread / spread);
        result.samples = std::min(kMaxSamples, result.samples + run.samples);
        result.outliers = std::min(result.samples, result.outliers + run.outliers);
    }
    if (!(sum > 0)) return result;
    for (std::size_t i = 0; i < runs.size(); ++i)
        result.medianUs += runs[i].medianUs * (weights[i] / sum);
    double square = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const double apartUs = kQuartilesOfSigma * (runs[i].medianUs - result.medianUs);
        square += weights[i] / sum * (std::pow(boundedSpread(runs[i]), 2) + apartUs * apartUs);
    }
    result.spreadUs = std::sqrt(square);
    return result;
}

} // namespace remat
