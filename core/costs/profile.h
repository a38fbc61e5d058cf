// SPDX-License-Identifier: Apache-2.0
// Measured costs, `remat-profile/1`.
#pragma once

#include "core/costs/cost_table.h"
#include "core/costs/equal_ops.h"
#include "core/costs/link.h"
#include "core/costs/repeated_times.h"

namespace remat {

/// One op as measured: the median of the repeats, the spread (interquartile range), and the memory it took besides its
/// outputs. Equal ops (`equalOps`) share their repeats.
struct OpMeasurement {
    double timeUs = 0;
    double spreadUs = 0;
    std::int64_t workspaceBytes = 0;
    std::int64_t samples = 0;  ///< repeats, of all equal ops together; 0 in files that do not say
    std::int64_t outliers = 0; ///< samples that are far off the median
};

/// How far off the median may be, as a share of it (`medianErrorUs`); 0 where no samples were counted.
double medianError(const OpMeasurement &op);

void takeTimes(OpMeasurement &op, const RepeatedTimes &times);

/// When enough was measured.
struct SamplingLimits {
    int mostSteps = 50;      ///< whole steps; at least one
    double spread = 0.02;    ///< until no median is further off than this share of it (`medianError`)
    double mostSeconds = 60; ///< no step begins once they have taken so long together
    int leastSteps = 3;      ///< whatever the others say, but `mostSteps`
};

/// What set the pace while it was measured: of the CPU's cores, or of the GPU's processors. 0 and empty: unknown.
struct Clocks {
    std::string governor;             ///< governor of the CPU: `performance`, `schedutil`
    double leastMhz = 0, mostMhz = 0; ///< seen from step to step, of the fastest core
    double memoryMhz = 0;             ///< clock of a GPU's memory

    bool known() const { return !governor.empty() || mostMhz > 0 || memoryMhz > 0; }
    bool operator==(const Clocks &) const = default;
};

/// What was seen at two times, or in two runs; a governor only where both had it.
Clocks together(const Clocks &a, const Clocks &b);

/// `3200 to 3400 MHz, governor performance`, or `unknown`.
std::string clocksText(const Clocks &clocks);

/// Whole steps of keep-all, timed together with their ops. All 0 where they were not.
struct StepTimes {
    double timeUs = 0;    ///< median
    double spreadUs = 0;  ///< interquartile range
    double betweenUs = 0; ///< median of what lies between the ops of a step: frees, views, gaps between launches
};

/// A run of every op on a real device.
struct Profile {
    std::string fingerprint; ///< fingerprint of the graph that it was made for
    std::string graphName;
    std::string device;      ///< `cpu` or `cuda`
    std::string deviceTitle; ///< `NVIDIA H200`, `Intel Xeon …`
    std::string torchVersion;
    int repeats = 0;                ///< whole steps that were timed
    int distinctOps = 0;            ///< `equalOps`, whose repeats are shared; 0: each op has its own
    double spreadLimit = 0;         ///< `SamplingLimits::spread` of the run; 0: none
    std::vector<OpMeasurement> ops; ///< per op of the graph
    StepTimes step;                 ///< times of whole steps of keep-all
    std::vector<LinkSpeed> link;    ///< smallest size first; empty: not measured. On the CPU, of its memory
    Clocks clocks;
    std::vector<std::string> aliasMismatches; ///< values whose real data pointers contradict the schema; normally empty
};

Expected<Profile> readProfile(const std::filesystem::path &path, const Graph &graph);
Expected<void> writeProfile(const std::filesystem::path &path, const Profile &profile, const Graph &graph);

/// What the medians of all ops come to together.
double sumOfOpsUs(const Profile &profile);

/// How the times of a profile's ops are corrected so that keep-all takes as long as its measured steps did.
struct StepCorrection {
    double scale = 1; ///< factor for each op's median, 0.5 to 2: medians of skewed times do not add up to a step's
    double addUs = 0; ///< to each op: its share of what lies between ops
};

/// Nothing is corrected where steps were not measured, or where they differ among themselves by more than they do from
/// the sum of their ops: that is no systematic difference.
StepCorrection stepCorrection(const Profile &profile);

/// What a profile says of its own trust: distinct ops whose median may be further off than the limit of the run.
struct ProfileDoubts {
    int above = 0;             ///< distinct ops
    double timeShare = 0;      ///< share of the time of all ops that these take together
    double worst = 0;          ///< the largest `medianError`
    OpId worstOp;              ///< none where `above` is 0
    std::int64_t outliers = 0; ///< single times, of all distinct ops
    std::int64_t samples = 0;  ///< all times
};
ProfileDoubts doubtsOf(const Profile &profile, const EqualOps &equal);

/// The costs a profile gives, corrected. Energy is that of the device `link`, and so is the link's speed, unless the
/// profile has measured one (`fitLink`).
Expected<CostTable> profileCosts(const Graph &graph, const Profile &profile, const Device &link);

} // namespace remat
