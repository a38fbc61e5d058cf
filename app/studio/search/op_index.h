// Every op of a model as searches look at it.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/search/filter.h"
#include "core/views/graph_figures.h"

namespace remat::studio {

/// What searches see of one op.
struct OpFacts {
    QString name;           ///< as the user wrote it: `h.11.mlp.c_fc`, `∂ h.11.mlp.c_fc`
    QString folded;         ///< name, kind, node name and path in lower case
    QString kind;           ///< lower case
    QString path;           ///< of the module, lower case
    QString dtype;          ///< of the largest thing it makes: `f32`; empty when unknown
    std::int64_t bytes = 0; ///< it makes
};

/// Made once per model; what the plan does is filled in when a filter asks for it. GUI thread only.
class OpIndex
{
public:
    explicit OpIndex(const Document &document) : m_document(document) {}

    /// The document's model or plan is another one.
    void forgetModel();
    void forgetPlan() { m_planKnown = false; }

    /// Ops that meet the filter, in graph order; none without a model. O(ops × terms).
    std::vector<OpId> find(const Filter &filter);
    const std::vector<OpFacts> &facts();
    NodeState state(OpId op);
    int recomputations(OpId op);

private:
    void learnPlan();
    bool meets(OpId op, const FilterTerm &term) const;
    bool isPinned(OpId op) const;

    const Document &m_document;
    std::shared_ptr<const OpenModel> m_model;
    std::vector<OpFacts> m_facts;
    bool m_planKnown = false;
    std::vector<NodeState> m_states;
    std::vector<std::uint16_t> m_recomputations;
};

} // namespace remat::studio
