// SPDX-License-Identifier: Apache-2.0
// How a plan stands: the one place that decides what badge, tooltip, sentence, exit code and report say of it.
#pragma once

#include "core/base/words.h"
#include "core/graph/model.h"
#include "core/plan/checker.h"

namespace remat {

enum class VerdictLevel : std::uint8_t {
    Unproven,   ///< nobody has checked it yet
    Ok,         ///< checked, perhaps run, and within the budget where there is one
    OverBudget, ///< sound, but its predicted or measured peak is over the budget
    Failed,     ///< breaks a rule, or gave other results than keep-all, or took memory that nothing explains
};

/// What is known of a plan. Bytes are of dynamic memory.
struct VerdictFacts {
    std::int64_t budgetBytes = 0;           ///< that it is judged against: the one now set; 0: none
    std::int64_t planBudgetBytes = 0;       ///< that it was made for; 0: none
    const Verdict *check = nullptr;         ///< what the checker found; none before it has looked
    const ValidationRecord *run = nullptr;  ///< record of a real run; none when it was not run
    bool runIsOfThisPlan = true;            ///< see recordBelongs()
    const Model *model = nullptr;           ///< whose comparison with plain PyTorch is the second half; may be none
    const CompiledPeak *compiled = nullptr; ///< its peak counts where the plan is for a compiler's kernels; else none
};

struct PlanVerdict {
    VerdictLevel level = VerdictLevel::Unproven;
    bool wasRun = false;  ///< a real run of this plan says so, not the checker alone
    std::string title;    ///< two or three words: `Validated on CPU`
    std::string sentence; ///< what was found, with the figures and the budget they are judged against
};

/// Judges, in two halves: the plan against its graph, and the graph against plain PyTorch. A broken rule comes before a
/// graph that is not what PyTorch computes, that before a run, a run before the budget; over budget is never `Ok`,
/// whichever of the two peaks is over. Words default to English.
PlanVerdict planVerdict(const VerdictFacts &facts, const Words &words = {});

/// The facts of a plan that the checker has judged, under the plan's own budget unless another one is named. Whoever
/// has the model at hand sets it.
VerdictFacts verdictFacts(const Plan &plan, const Verdict &check);
VerdictFacts verdictFacts(const Plan &plan, const Verdict &check, std::int64_t budgetBytes);

/// Whether every tensor of the run was equal to the reference's, but for those that are excused; and near the CPU's,
/// where the two were compared.
bool resultsEqual(const ValidationRecord &record);

/// `keep-all`, `another plan`, `itself`: for files and `--json`.
const char *referenceName(ReferenceKind kind);

/// Whether a record is of these steps. Records of version 0.1.0 do not say what they are of and are believed.
bool recordBelongs(const ValidationRecord &record, const Plan &plan);

/// Tells one sequence of steps from another; 32 hex digits. O(steps).
std::string stepsDigest(const std::vector<Step> &steps);

/// `unproven`, `ok`, `over budget`, `failed`: for files and `--json`.
const char *levelName(VerdictLevel level);

} // namespace remat
