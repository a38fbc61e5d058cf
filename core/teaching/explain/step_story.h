// SPDX-License-Identifier: Apache-2.0
// What each step of a plan does and why, in facts and in a sentence.
#pragma once

#include "core/plan/timeline.h"

#include <functional>
#include <string>
#include <vector>

namespace remat {

/// Why a step of a plan is there. Steps count from 0 in the plan; −1: none.
struct StepReason {
    bool again = false;           ///< true for a computation that is not the op's first
    std::int64_t bytes = 0;       ///< that the step makes, frees or copies
    std::int32_t awayFrom = -1;   ///< for a computation again or a prefetch: the step of the free before
    OpId reader;                  ///< who reads it next; of a free, after it is there again. May be none
    std::int32_t readerStep = -1; ///< step of that read
    std::int32_t backStep = -1;   ///< for a free or an offload: the step that makes it again or brings it back
    bool backFromHost = false;    ///< that step is a prefetch
    bool heldToTheEnd = false;    ///< true for a computation that makes an output of the graph
};

/// One for each step of a plan whose steps are possible. O(steps × degree).
std::vector<StepReason> stepReasons(const Graph &graph, const std::vector<Step> &steps);

/// What the sentences are made of: `%1` to `%4` stand for names and figures. English here; the window has them in the
/// person's language.
struct StepWords {
    std::string computes = "Computes %1 because %2 reads it next, at step %3.";
    std::string computesOutput = "Computes %1: it makes an output of the step, which is held to the end.";
    std::string computesForNobody = "Computes %1; nothing reads what it makes.";
    std::string again = "Computed again because %2 reads %1 next; kept, it would have cost %3 over %4 steps.";
    std::string againForNobody = "Computes %1 again; kept, it would have cost %3 over %4 steps.";
    std::string frees = "Frees %1, %2: nothing reads it any more.";
    std::string freesMany = "Frees %1 and %2 more, %3: nothing reads them any more.";
    std::string makesRoom = "Frees %1, %2, to make room; it is computed again at step %3, before %4 reads it.";
    std::string makesRoomMany = "Frees %1 and %2 more, %3, to make room; they are computed again from step %4 on.";
    std::string freesCopied = "Frees %1, %2: a copy in host memory comes back at step %3.";
    std::string freesCopiedMany = "Frees %1 and %2 more, %3: copies in host memory come back from step %4 on.";
    std::string offloads = "Copies %1, %2, to host memory: it is not read before it comes back at step %3.";
    std::string offloadsForGood = "Copies %1, %2, to host memory, where it stays.";
    std::string prefetches = "Brings %1, %2, back from host memory because %3 reads it at step %4.";
    std::string prefetchesToStay = "Brings %1, %2, back from host memory, where it began.";
    std::string peak = "This is the peak.";
};

/// How names are written in the sentences.
struct StepNames {
    std::function<std::string(OpId)> op;
    std::function<std::string(StorageId)> storage;
};

/// What is done at a computation, and what is freed and copied before the next: a sentence for each kind of step. Frees
/// for the same reason share one. `reasons` is of the same plan.
std::string stepSentence(const std::vector<Step> &steps, const std::vector<StepReason> &reasons,
                         const MemoryTimeline &timeline, std::size_t sample, const StepWords &words,
                         const StepNames &names);

/// What one can jump to.
enum class StepGoal { Recomputation, Free, Peak };

/// The nearest computation after `sample` (before it, where `by` is −1) that is one again, after which something is
/// freed, or that is the peak; −1 when there is none. `sample` −1 is before the first. O(steps).
std::int64_t nextGoal(const MemoryTimeline &timeline, const std::vector<Step> &steps, StepGoal goal,
                      std::int64_t sample, int by);

} // namespace remat
