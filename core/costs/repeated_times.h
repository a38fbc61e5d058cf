// SPDX-License-Identifier: Apache-2.0
// What repeated measurements of one time come to. Medians and quartiles, which a busy machine moves least.
#pragma once

#include <cstdint>
#include <vector>

namespace remat {

/// All times of what was measured again and again, in µs.
struct RepeatedTimes {
    double medianUs = 0;
    double spreadUs = 0;       ///< interquartile range
    std::int64_t samples = 0;  ///< how many there are
    std::int64_t outliers = 0; ///< times that are far off the median; the median has them all the same
};

/// O(samples); `sorted` may be empty, which gives zeros. A time is an outlier where it is further from the median than
/// 3.5 standard deviations, as the median absolute deviation tells these (Iglewicz and Hoaglin, How to detect and
/// handle outliers, 1993, section 3.4), and further than 1 % of the median, for times that are nearly all the same.
RepeatedTimes summaryOf(const std::vector<double> &sorted);

/// Standard error of the median of normal times with this spread: 1.2533 σ / √n with σ = spread / 1.349. It shrinks
/// with more of them, as the spread does not. The spread itself for no samples.
double medianErrorUs(double spreadUs, std::int64_t samples);

/// Several runs of the same measurement as one: the mean of the medians, each by how well it is known (samples over
/// squared spread, the inverse of the squared error), so that a run that was disturbed counts little; the spread, by
/// the same weights, is that of each run and of the runs among each other. Those without samples count nothing.
RepeatedTimes pooled(const std::vector<RepeatedTimes> &runs);

} // namespace remat
