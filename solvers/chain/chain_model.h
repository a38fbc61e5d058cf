// SPDX-License-Identifier: Apache-2.0
// A training graph as a chain of stages with sizes and times only: what dynamic programs over chains work on.
#pragma once

#include <cstdint>
#include <vector>

namespace remat::chain {

/// One way to save the results of a stage for its backward part ("F_all" of Rotor; Rockmate has several per block).
/// Peaks leave out the stage's own input, which is held anyway.
struct StageOption {
    double extraUs = 0;                 ///< computed again inside the backward part
    double remakeUs = 0;                ///< what it keeps, made again from the stage's input
    double remakeNextUs = 0;            ///< likewise, and the next stage's input with it
    std::int64_t keptBytes = 0;         ///< from forward to backward, beyond what the next stage's input holds
    std::int64_t forwardPeakBytes = 0;  ///< while the forward part runs
    std::int64_t remakePeakBytes = 0;   ///< while what it keeps is made again right before the backward part
    std::int64_t backwardPeakBytes = 0; ///< while the backward part runs, all that is constant included
    /// The private part of the input, made by the stage before for this stage alone, may go after its last use. Then
    /// the peaks are these (still the whole input apart, so they may be smaller than what is there), and this much is
    /// gone between forward and backward part.
    std::int64_t forwardPeakFreedBytes = 0, backwardPeakFreedBytes = 0, freedBytes = 0;
    bool keepsFreed = false; ///< it keeps some of the private part of the next stage's input
};

/// One stage: forward ops and the backward ops that belong to them.
struct Stage {
    double advanceUs = 0;                  ///< the next stage's input, made again from this one's, nothing else kept
    std::int64_t advancePeakBytes = 0;     ///< while that runs, the stage's own input apart
    std::int64_t forwardConstantBytes = 0; ///< there while its forward part runs for the first time
    std::int64_t constantBytes = 0;   ///< there right before its backward part whatever is chosen: gradients, outputs
    std::vector<StageOption> options; ///< never empty; the first keeps everything that the backward part reads
};

/// The input of stage j is every storage made before j that stage j or a later one reads; a storage that skips over
/// stages is part of several inputs.
struct ChainModel {
    std::vector<Stage> stages;
    std::vector<std::vector<std::int64_t>> inputBytes; ///< [s][j], s ≤ j: of j's input what s's input has not

    int size() const { return static_cast<int>(stages.size()); }
};

/// Something that is held from one point of the schedule to the backward part of its stage: the stage's input, or what
/// one of its options keeps.
struct StageHold {
    int at = 0; ///< made when everything is computed again for the backward part of this stage; `kForwardPass`: by
                ///< the forward pass itself
    int stage = 0;
    int option = -1; ///< −1: the stage's input
    bool operator==(const StageHold &) const = default;
};

/// A memory-persistent schedule: what is held stays until the backward part of its stage has ended. Before each
/// backward part what is missing is computed again from the nearest input that is held.
struct ChainSchedule {
    std::vector<StageHold> holds;
    std::vector<int> option; ///< per stage: how its backward part runs
    bool operator==(const ChainSchedule &) const = default;
};

/// A schedule to which only inputs of stages are to be added: the forward pass keeps what the last stage saves, and
/// every other stage is computed again right before its backward part, by the option that keeps the least.
ChainSchedule inputsOnly(const ChainModel &model);

/// The chain in which every stage saves everything.
ChainModel savingAll(ChainModel model);

} // namespace remat::chain
