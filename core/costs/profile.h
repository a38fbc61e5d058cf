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

/// A run of every op on a real device.
struct Profile {
    std::string fingerprint; ///< of the graph it was made for
    std::string graphName;
    std::string device;      ///< `cpu` or `cuda`
    std::string deviceTitle; ///< `NVIDIA H200`, `Intel Xeon …`
    std::string torchVersion;
    int repeats = 0;
    std::vector<OpMeasurement> ops;           ///< per op of the graph
    std::vector<std::string> aliasMismatches; ///< values whose real data pointers contradict the schema; normally empty
};

Expected<Profile> readProfile(const std::filesystem::path &path, const Graph &graph);
Expected<void> writeProfile(const std::filesystem::path &path, const Profile &profile, const Graph &graph);

/// The costs a profile gives; the link is taken from `link` (a device) since a profile does not measure it.
Expected<CostTable> profileCosts(const Graph &graph, const Profile &profile, const Device &link);

} // namespace remat
