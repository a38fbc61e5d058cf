// SPDX-License-Identifier: Apache-2.0
// Questions about a plan, answered in sentences.
#pragma once

#include "app/studio/base/style/theme.h"
#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/document/document.h"
#include "core/base/stop_token.h"
#include "core/teaching/explain/peak.h"

#include <QStringList>

namespace remat::studio {

/// Leads to an op, a storage or a step.
struct ExplanationLink {
    QString text;
    OpId op;
    StorageId storage;
    int step = -1; ///< in the plan's steps
    bool operator==(const ExplanationLink &) const = default;
};

/// One question and its answer.
struct Explanation {
    Token bar = Token::Line; ///< colour of the category it is about
    QString icon;
    QString question;
    QStringList sentences;
    std::vector<ExplanationLink> links; ///< at most two
    bool empty() const { return question.isEmpty(); }
};

/// How much is asked for.
enum class StoryDepth : std::uint8_t { Nothing, Selection, All };

/// A cluster that is selected instead of an op.
struct ExplainedCluster {
    QString title;
    std::vector<OpId> forward, backward;
};

/// Everything the explain view says of a plan.
struct PlanStory {
    Explanation selected; ///< explains the op, storage or cluster; empty when nothing is selected
    Explanation peak;
    Explanation budget;
    Explanation more; ///< only with StoryDepth::All
    Moment moment;    ///< at the peak
};

/// About the selected op or storage under the plan: why it is recomputed, kept, or neither. Empty without a selection.
/// O(steps × degree); worker threads.
Explanation explainSelection(const CostedModel &model, const PlanEntry &entry, const Selection &selection,
                             const OpLabels &labels);
/// What becomes of a cluster: what of it is kept, computed again and parked, and what it holds at the peak. O(samples +
/// ranges).
Explanation explainCluster(const CostedModel &model, const PlanEntry &entry, const ExplainedCluster &cluster,
                           const OpLabels &labels);
/// What makes the peak.
Explanation explainPeak(const CostedModel &model, const PlanEntry &entry, const Moment &moment, const OpLabels &labels);
/// Which limit binds. Speaks of the budget that the plan was made for, and says so where another one is set
/// (`budgetBytes`, 0: none); a plan that is no good under the one that is set gets its verdict instead. Names both
/// floors where no plan of any chunking needs less than `leastInChunksBytes` (0: not known).
Explanation explainBudget(const CostedModel &model, const PlanEntry &entry, std::int64_t budgetBytes,
                          const OpLabels &labels, std::int64_t leastInChunksBytes = 0);
/// What a storage is held for at a moment, in a few words: `∂ h.11, step 671`.
QString holderReason(const CostedModel &model, const Holder &holder, const OpLabels &labels);

/// What a larger budget buys: a quick plan for it against this one.
Explanation explainMore(const CostedModel &model, const PlanEntry &entry, const Pins &pins, const StopToken &stop);

/// What a story depends on besides model and plan.
struct StoryQuestion {
    Selection selection;
    ExplainedCluster cluster; ///< counts only where neither op nor storage is selected
    Pins pins;
    std::int64_t budgetBytes = 0;        ///< that is set; 0: none
    std::int64_t leastInChunksBytes = 0; ///< no plan of any chunking needs less; 0: not known
    StoryDepth depth = StoryDepth::Nothing;
};

PlanStory tellStory(const CostedModel &model, const PlanEntry &entry, const StoryQuestion &question,
                    const StopToken &stop);

} // namespace remat::studio
