// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/tensors/tensors_data.h"

namespace remat::studio {

void TensorsData::forgetModel()
{
    m_model = nullptr;
    m_facts.clear();
    forgetPlan();
}

void TensorsData::forgetPlan()
{
    m_fates.reset();
    m_all.reset();
    m_left.reset();
    m_summedBy.reset();
}

Expected<void> TensorsData::setFilter(const QString &text)
{
    auto filter = parseFilter(text.toStdString());
    if (!filter) return tl::unexpected(filter.error());
    m_filter = std::move(*filter);
    m_left.reset();
    m_summedBy.reset();
    return {};
}

void TensorsData::make()
{
    const auto model = m_document.model();
    if (!model) {
        m_all.emplace();
        m_left.emplace();
        return;
    }
    if (m_model != model->open) {
        m_model = model->open;
        m_labels = OpLabels(model->graph());
        m_facts.clear();
    }
    const MemoryTimeline &timeline = *m_document.timeline();
    if (!m_all) m_all = savedTensors(model->graph(), timeline, model->open->readers);
    if (m_left) return;
    if (!m_filter.empty() && m_facts.empty()) m_facts = opFacts(model->graph());
    if (m_filter.asksPlan() && !m_fates) m_fates = opFates(model->graph(), timeline);
    m_left = filtered(*m_all, m_filter,
                      {model->graph(), *model->costs, m_facts, m_fates ? &*m_fates : nullptr, m_document.pins()});
}

const std::vector<SavedTensor> &TensorsData::tensors()
{
    make();
    return *m_left;
}

const std::vector<SavedSum> &TensorsData::sums(GroupBy by)
{
    make();
    if (m_summedBy != by) m_sums = m_left->empty() ? std::vector<SavedSum>() : savedSums(graph(), *m_left, by);
    m_summedBy = by;
    return m_sums;
}

std::int64_t TensorsData::allTensors()
{
    make();
    return static_cast<std::int64_t>(m_all->size());
}

} // namespace remat::studio
