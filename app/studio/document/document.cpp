#include "app/studio/document/document.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// Where a model's budget starts: low enough that planning is worth it, never where no plan can exist.
std::int64_t firstBudget(const CostedModel &model)
{
    const std::int64_t peak = model.keepAll->peakBytes;
    return std::max<std::int64_t>({model.floor.bytes, peak / 5 * 3 + peak % 5 * 3 / 5, 1});
}

} // namespace

Document::Document(QObject *parent) : QObject(parent) {}

void Document::setModel(std::shared_ptr<const CostedModel> model)
{
    const bool sameGraph = m_model && model &&
                           (m_model->open == model->open || m_model->graph().fingerprint == model->graph().fingerprint);
    m_model = std::move(model);
    const bool hadSelection = m_selection != Selection{};
    if (!sameGraph) {
        m_current = nullptr;
        m_plans.clear();
        m_selection = {};
        m_budgetBytes = m_model ? firstBudget(*m_model) : 0;
    }
    m_cursorUs = -1;

    Q_EMIT modelChanged();
    Q_EMIT budgetChanged();
    Q_EMIT plansChanged();
    Q_EMIT currentPlanChanged();
    if (hadSelection && !sameGraph) Q_EMIT selectionChanged();
    Q_EMIT cursorChanged();
}

void Document::setBudget(std::int64_t bytes)
{
    bytes = std::max<std::int64_t>(bytes, 1);
    if (bytes == m_budgetBytes) return;
    m_budgetBytes = bytes;
    Q_EMIT budgetChanged();
}

void Document::addPlan(std::shared_ptr<const PlanEntry> entry)
{
    std::erase_if(m_plans, [](const auto &plan) { return plan->quick; });
    m_current = entry;
    m_plans.push_back(std::move(entry));
    Q_EMIT plansChanged();
    Q_EMIT currentPlanChanged();
}

void Document::addPlanBeside(std::shared_ptr<const PlanEntry> entry)
{
    if (!m_current) {
        addPlan(std::move(entry));
        return;
    }
    m_plans.push_back(std::move(entry));
    Q_EMIT plansChanged();
}

void Document::replacePlan(std::shared_ptr<const PlanEntry> entry)
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == entry->id; });
    if (place == m_plans.end()) return;
    const bool isCurrent = m_current == *place;
    *place = entry;
    if (isCurrent) m_current = std::move(entry);
    Q_EMIT plansChanged();
    if (isCurrent) Q_EMIT currentPlanChanged();
}

void Document::setCurrentPlan(int id)
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == id; });
    if (place == m_plans.end() || m_current == *place) return;
    m_current = *place;
    Q_EMIT currentPlanChanged();
}

void Document::removePlan(int id)
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == id; });
    if (place == m_plans.end()) return;
    const bool wasCurrent = m_current == *place;
    m_plans.erase(place);
    if (wasCurrent) m_current = m_plans.empty() ? nullptr : m_plans.back();
    Q_EMIT plansChanged();
    if (wasCurrent) Q_EMIT currentPlanChanged();
}

void Document::selectOp(OpId op)
{
    Selection selection;
    if (m_model && op && op.index() < m_model->graph().ops.size()) {
        selection.op = op;
        const auto &outputs = m_model->graph().op(op).outputs;
        if (!outputs.empty()) selection.storage = outputs.front();
    }
    if (selection == m_selection) return;
    m_selection = selection;
    Q_EMIT selectionChanged();
}

void Document::selectStorage(StorageId storage)
{
    Selection selection;
    if (m_model && storage && storage.index() < m_model->graph().storages.size()) {
        selection.storage = storage;
        selection.op = m_model->graph().storage(storage).producer;
    }
    if (selection == m_selection) return;
    m_selection = selection;
    Q_EMIT selectionChanged();
}

void Document::clearSelection()
{
    if (m_selection == Selection{}) return;
    m_selection = {};
    Q_EMIT selectionChanged();
}

void Document::setCursor(double timeUs)
{
    if (timeUs < 0) timeUs = -1;
    if (timeUs == m_cursorUs) return;
    m_cursorUs = timeUs;
    Q_EMIT cursorChanged();
}

} // namespace remat::studio
