// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/search/op_index.h"

namespace remat::studio {

void OpIndex::forgetModel()
{
    m_model.reset();
    m_facts.clear();
    m_fates.reset();
}

const std::vector<OpFacts> &OpIndex::facts()
{
    const auto model = m_document.model();
    if (!model) {
        forgetModel();
        return m_facts;
    }
    if (m_model == model->open) return m_facts;
    forgetModel();
    m_model = model->open;
    m_facts = opFacts(model->graph());
    return m_facts;
}

const OpFates &OpIndex::fates()
{
    if (m_fates) return *m_fates;
    const CostedModel &model = *m_document.model();
    const auto plan = m_document.currentPlan();
    m_fates = opFates(model.graph(), plan && plan->timeline ? *plan->timeline : *model.keepAll);
    return *m_fates;
}

std::vector<OpId> OpIndex::find(const Filter &filter)
{
    if (facts().empty()) return {};
    const CostedModel &model = *m_document.model();
    return findOps(filter,
                   {model.graph(), *model.costs, m_facts, filter.asksPlan() ? &fates() : nullptr, m_document.pins()});
}

} // namespace remat::studio
