// SPDX-License-Identifier: Apache-2.0
// The judge of stream programs: proves from steps and events alone that nothing is read before it is there, and nothing
// given away while it is still used. Shares no code with what makes the programs.
#pragma once

#include "core/addresses/layout.h"
#include "core/streams/stream_program.h"

#include <optional>
#include <string>

namespace remat {

/// The first step at which some order of events that the streams allow goes wrong.
struct Race {
    std::int32_t step = -1; ///< the step that comes too early; -1 when the program does not belong to the steps
    std::string sentence;
};

/// Checks that in every order the streams allow: an op and an offload read what has been computed or brought back; a
/// `free` comes after all that reads or writes what it frees; a prefetch reads a whole host copy, and no offload writes
/// over one that is being read; what may be written in place (`mayWrite`) is read by no copy at that time; the same of
/// ops on the host and the copies there; and no step waits for a later one, so that the streams never stand still.
/// Nothing when all holds. The steps must be possible (as the checker says). O(steps × degree).
std::optional<Race> findRace(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program);

/// Checks that whatever shares an address is there one after the other in every order that the streams allow. Instances
/// and layout are those of the steps (`memoryInstances`, `layOut`). O(instances log instances) for sound layouts.
std::optional<Race> findOverlap(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program,
                                const std::vector<MemoryInstance> &instances, const MemoryLayout &layout);

} // namespace remat
