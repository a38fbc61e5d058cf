// SPDX-License-Identifier: Apache-2.0
// Every op of the document's model as searches look at it.
#pragma once

#include "app/studio/work/document/document.h"
#include "core/views/find_ops.h"

#include <optional>

namespace remat::studio {

/// Made once per model; what the plan does is filled in when a filter asks for it. GUI thread only.
class OpIndex
{
public:
    explicit OpIndex(const Document &document) : m_document(document) {}

    /// The document's model or plan is another one.
    void forgetModel();
    void forgetPlan() { m_fates.reset(); }

    /// Ops that meet the filter, in graph order; none without a model. O(ops × terms).
    std::vector<OpId> find(const Filter &filter);
    const std::vector<OpFacts> &facts();
    NodeState state(OpId op) { return fates().states[op.index()]; }
    int recomputations(OpId op) { return fates().recomputations[op.index()]; }

private:
    const OpFates &fates();

    const Document &m_document;
    std::shared_ptr<const OpenModel> m_model;
    std::vector<OpFacts> m_facts;
    std::optional<OpFates> m_fates;
};

} // namespace remat::studio
