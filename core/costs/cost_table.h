// SPDX-License-Identifier: Apache-2.0
// What each op costs; every planner, simulator and bound reads costs from here and from nowhere else.
#pragma once

#include "core/costs/device.h"
#include "core/graph/model.h"

#include <optional>
#include <string>
#include <vector>

namespace remat {

/// Where a table came from, as it goes into plan files: enough to make the table again.
struct CostSource {
    std::string kind;        ///< `roofline`, `profile` or `graph` (the JSON graph's own times)
    std::string device;      ///< name of the device; may be empty for `graph`
    std::string link = {};   ///< name of the device whose host link copies take; empty in plans of version 0.1.0
    std::string digest = {}; ///< covers times and workspaces, and a measured link; empty in plans of version 0.1.0
    bool operator==(const CostSource &) const = default;
};

/// Name of the device that makes the table again, beside the profile where it is one; empty where the source does not
/// say.
std::string deviceOf(const CostSource &source);

/// Whether two tables give every op the same time and workspace: by kind and device, and by digest where both have one.
bool sameOpCosts(const CostSource &a, const CostSource &b);

/// Time and workspace per op, the host link, and what they take in energy. Sizes of storages are in the graph.
struct CostTable {
    std::vector<double> timeUs;               ///< per op, > 0 or 0
    std::vector<std::int64_t> workspaceBytes; ///< per op
    double linkBytesPerSecond = 25e9;
    double linkLatencyUs = 0;
    bool linkMeasured = false; ///< by a profile; otherwise it is a device's
    double watts = 0;          ///< while an op runs; 0 when unknown
    double linkWatts = 0;      ///< while a copy runs, either way; 0 when unknown
    CostSource source;

    double time(OpId op) const { return timeUs[op.index()]; }
    std::int64_t workspace(OpId op) const { return workspaceBytes[op.index()]; }
};

/// Floating-point operations of a node as PyTorch's `flop_counter` counts them; 0 for operators it does not count.
double nodeFlops(const Program &program, const Node &node);

/// Roofline: max(FLOPs / peak of the op's dtype, bytes of all inputs and outputs / bandwidth) + launch. For JSON graphs
/// the given `time_us` stands, and ops without one are taken as memory-bound.
CostTable rooflineCosts(const Model &model, const Device &device);

/// Takes the host link and the energy figures over from a device. Energy per byte is given as power over the memory's
/// peak rate, so the product with that rate is the power; a link whose power is unknown takes that energy per byte.
void setLink(CostTable &costs, const Device &device);

/// Says where times and workspaces of a table came from, with their digest. O(ops).
void setSource(CostTable &costs, std::string kind, std::string device);

/// Time of a copy over the host link, one way.
double copyTimeUs(const CostTable &costs, std::int64_t bytes);

/// Time of computing every op once.
double keepAllTimeUs(const CostTable &costs);

} // namespace remat
