// Measured costs, `remat-profile/1`.
#pragma once

#include "core/costs/cost_table.h"

namespace remat {

/// One op as measured: the median of the repeats, the spread (interquartile range), and the memory it took besides its
/// outputs.
struct OpMeasurement {
    double timeUs = 0;
    double spreadUs = 0;
    std::int64_t workspaceBytes = 0;
};

/// Whole steps of keep-all, timed together with their ops. All 0 where they were not.
struct StepTimes {
    double timeUs = 0;    ///< median
    double spreadUs = 0;  ///< interquartile range
    double betweenUs = 0; ///< median of what lies between the ops of a step: frees, views, gaps between launches
};

/// A run of every op on a real device.
struct Profile {
    std::string fingerprint; ///< of the graph it was made for
    std::string graphName;
    std::string device;      ///< `cpu` or `cuda`
    std::string deviceTitle; ///< `NVIDIA H200`, `Intel Xeon …`
    std::string torchVersion;
    int repeats = 0;
    std::vector<OpMeasurement> ops;           ///< per op of the graph
    StepTimes step;                           ///< of keep-all
    std::vector<std::string> aliasMismatches; ///< values whose real data pointers contradict the schema; normally empty
};

Expected<Profile> readProfile(const std::filesystem::path &path, const Graph &graph);
Expected<void> writeProfile(const std::filesystem::path &path, const Profile &profile, const Graph &graph);

/// What the medians of all ops come to together.
double sumOfOpsUs(const Profile &profile);

/// How the times of a profile's ops are corrected so that keep-all takes as long as its measured steps did.
struct StepCorrection {
    double scale = 1; ///< of each op's median, from half to twice: medians of skewed times do not add up to a step's
    double addUs = 0; ///< to each op: its share of what lies between ops
};

/// Nothing is corrected where steps were not measured, or where they differ among themselves by more than they do from
/// the sum of their ops: that is no systematic difference.
StepCorrection stepCorrection(const Profile &profile);

/// The costs a profile gives, corrected; the link is taken from `link` (a device) since a profile does not measure it.
Expected<CostTable> profileCosts(const Graph &graph, const Profile &profile, const Device &link);

} // namespace remat
