// SPDX-License-Identifier: Apache-2.0
// How a device carries a plan out: which stream each step runs on, and which events it waits for.
#pragma once

#include "core/plan/plan.h"

#include <cstddef>
#include <vector>

namespace remat {

/// Work on one stream is done one after the other; streams run beside each other. Computing and freeing happen on the
/// first, copies from device to host memory on the second, copies back on the third, updates on the host on the fourth.
enum class Stream : std::uint8_t { Compute, ToHost, ToDevice, Host };
constexpr std::size_t kStreams = 3; ///< streams of a device
constexpr std::size_t kAllStreams = kStreams + 1;

/// The stream that a step of this kind runs on, on the device.
constexpr Stream streamOf(StepKind kind)
{
    if (kind == StepKind::Offload) return Stream::ToHost;
    return kind == StepKind::Prefetch ? Stream::ToDevice : Stream::Compute;
}

/// The stream that a step of the graph's plan runs on.
inline Stream streamOf(const Graph &graph, const Step &step)
{
    return step.kind == StepKind::Compute && graph.op(step.op).onHost ? Stream::Host : streamOf(step.kind);
}

/// Per step of a plan, the earlier steps on other streams that must have ended before it begins. Steps of one stream
/// keep the order of the plan; together that is all that orders them.
struct StreamProgram {
    std::vector<std::vector<std::int32_t>> waits;
};

/// The waits that the rules of a plan ask for, and no others: a copy begins when the compute stream has come to it, an
/// op waits for a prefetch of what it reads, a `free` for the copies from or to what it frees, an offload for the
/// prefetch that brought its storage, a prefetch for the offload that it brings back. An op that may write to what it
/// reads (`mayWrite`) waits for offloads of that, too. An op on the host begins when the compute stream has come to it,
/// and waits for the last writer of the host copies that it reads and for prefetches of those that it writes; copies
/// and ops on the device wait for it likewise. Waits that others imply are left out. The steps must be possible (as the
/// checker says). O(steps × degree).
StreamProgram streamProgram(const Graph &graph, const std::vector<Step> &steps);

} // namespace remat
