// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/document.h"

#include "app/studio/work/document/time_window.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// Where a model's budget starts: low enough that planning is worth it, and well above what no plan can go below.
std::int64_t firstBudget(const CostedModel &model)
{
    const std::int64_t peak = model.keepAllPeakBytes, floor = model.floor.bytes;
    const std::int64_t wanted = peak / 5 * 3 + peak % 5 * 3 / 5;
    return std::max<std::int64_t>(wanted > floor ? wanted : floor + std::max<std::int64_t>(0, peak - floor) / 4, 1);
}

} // namespace

Document::Document(QObject *parent) : QObject(parent), m_time(new TimeWindow(this)) {}

void Document::setModel(std::shared_ptr<const CostedModel> model)
{
    const bool sameGraph = m_model && model &&
                           (m_model->open == model->open || m_model->graph().fingerprint == model->graph().fingerprint);
    if (m_model != model) m_bounds.clear();
    m_model = std::move(model);
    const bool hadSelection = m_selection != Selection{} || m_module, hadHover = m_hover != Selection{};
    if (!sameGraph) {
        m_current = nullptr;
        m_plans.clear();
        m_selection = m_hover = {};
        m_module = nullptr;
        m_pins = {};
        m_compared.clear();
        m_budgetBytes = m_model ? firstBudget(*m_model) : 0;
    }
    m_cursorUs = -1;
    m_time->follow(m_model, m_current, true);

    Q_EMIT modelChanged();
    Q_EMIT budgetChanged();
    Q_EMIT plansChanged();
    Q_EMIT currentPlanChanged();
    if (hadSelection && !sameGraph) Q_EMIT selectionChanged();
    if (hadHover && !sameGraph) Q_EMIT hoverChanged();
    if (!sameGraph) {
        Q_EMIT pinsChanged();
        Q_EMIT comparedChanged();
    }
    Q_EMIT cursorChanged();
}

std::shared_ptr<const MemoryTimeline> Document::timeline() const
{
    if (!m_model) return nullptr;
    return m_current ? m_current->timeline : m_model->keepAll;
}

double Document::boundTimeUs(const PlanEntry &entry) const
{
    const std::int64_t own = entry.plan->budgetBytes;
    const bool shown = m_current && m_current->id == entry.id && entry.timeline->peakBytes <= m_budgetBytes;
    const std::int64_t budget = shown && own > 0 ? m_budgetBytes : own;
    double boundUs = own >= budget ? entry.plan->predicted.lowerBoundTimeUs : 0;
    if (!entry.plan->parametersPlanned) boundUs = std::max(boundUs, m_bounds.timeUs(entry, budget));
    return std::min(boundUs, entry.timeline->timeUs);
}

void Document::tellBound(const PlanEntry &entry)
{
    m_bounds.tell(entry);
    Q_EMIT boundsChanged();
}

void Document::tellBound(HoldsFor plans, int planId, std::int64_t budgetBytes, double timeUs)
{
    if (planId > 0)
        m_bounds.tellOf(planId, budgetBytes, timeUs);
    else
        m_bounds.tell(plans, budgetBytes, timeUs);
    Q_EMIT boundsChanged();
}

void Document::setBudget(std::int64_t bytes)
{
    bytes = std::max<std::int64_t>(bytes, 1);
    if (bytes == m_budgetBytes) return;
    m_budgetBytes = bytes;
    Q_EMIT budgetChanged();
}

void Document::moveBudget(std::int64_t bytes)
{
    const std::int64_t before = m_budgetBytes;
    if (!m_model) return;
    setBudget(bytes);
    if (m_budgetBytes != before) Q_EMIT budgetMoved();
}

void Document::beginBudgetDrag()
{
    if (m_draggingBudget) return;
    m_draggingBudget = true;
    m_time->setHeld(true);
    Q_EMIT budgetDragChanged();
}

void Document::endBudgetDrag()
{
    if (!m_draggingBudget) return;
    m_draggingBudget = false;
    m_time->setHeld(false);
    Q_EMIT budgetDragChanged();
}

void Document::addPlan(std::shared_ptr<const PlanEntry> entry)
{
    std::erase_if(m_plans, [](const auto &plan) { return plan->quick; });
    m_current = entry;
    m_plans.push_back(std::move(entry));
    const bool dropped = dropFromCompared();
    m_time->follow(m_model, m_current, false);
    Q_EMIT plansChanged();
    Q_EMIT currentPlanChanged();
    if (dropped) Q_EMIT comparedChanged();
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
    if (isCurrent) {
        m_current = std::move(entry);
        m_time->follow(m_model, m_current, false);
    }
    Q_EMIT plansChanged();
    if (isCurrent) Q_EMIT currentPlanChanged();
}

void Document::setCurrentPlan(int id)
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == id; });
    if (place == m_plans.end() || m_current == *place) return;
    m_current = *place;
    m_time->follow(m_model, m_current, false);
    Q_EMIT currentPlanChanged();
}

void Document::loadPlan(int id)
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == id; });
    if (place == m_plans.end()) return;
    const std::int64_t own = (*place)->plan->budgetBytes;
    const std::int64_t budget = own > 0 ? own : m_budgetBytes;
    if (m_current == *place && budget == m_budgetBytes) return;
    const bool moved = budget != m_budgetBytes, other = m_current != *place;
    // Both before anyone is told, so that it is one change to whoever keeps track.
    m_budgetBytes = budget;
    m_current = *place;
    if (other) m_time->follow(m_model, m_current, false);
    if (moved) Q_EMIT budgetChanged();
    if (other) Q_EMIT currentPlanChanged();
}

void Document::removePlan(int id)
{
    const auto place = std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &p) { return p->id == id; });
    if (place == m_plans.end()) return;
    const bool wasCurrent = m_current == *place;
    m_plans.erase(place);
    const bool dropped = dropFromCompared();
    if (wasCurrent) {
        m_current = m_plans.empty() ? nullptr : m_plans.back();
        m_time->follow(m_model, m_current, false);
    }
    Q_EMIT plansChanged();
    if (wasCurrent) Q_EMIT currentPlanChanged();
    if (dropped) Q_EMIT comparedChanged();
}

void Document::restorePlans(std::vector<std::shared_ptr<const PlanEntry>> plans, int currentId)
{
    m_plans = std::move(plans);
    const auto place =
        std::find_if(m_plans.begin(), m_plans.end(), [&](const auto &plan) { return plan->id == currentId; });
    const std::shared_ptr<const PlanEntry> before = m_current;
    m_current = place == m_plans.end() ? nullptr : *place;
    for (const auto &plan : m_plans)
        m_nextPlanId = std::max(m_nextPlanId, plan->id + 1);
    const bool dropped = dropFromCompared();
    if (m_current != before) m_time->follow(m_model, m_current, false);
    Q_EMIT plansChanged();
    if (m_current != before) Q_EMIT currentPlanChanged();
    if (dropped) Q_EMIT comparedChanged();
}

bool Document::dropFromCompared()
{
    return std::erase_if(m_compared, [this](int id) {
               return std::none_of(m_plans.begin(), m_plans.end(), [id](const auto &plan) { return plan->id == id; });
           }) > 0;
}

void Document::selectOp(OpId op)
{
    Selection selection;
    if (m_model && op && op.index() < m_model->graph().ops.size()) {
        selection.op = op;
        const auto &outputs = m_model->graph().op(op).outputs;
        if (!outputs.empty()) selection.storage = outputs.front();
    }
    select(selection, nullptr);
}

void Document::selectStorage(StorageId storage)
{
    Selection selection;
    if (m_model && storage && storage.index() < m_model->graph().storages.size()) {
        selection.storage = storage;
        selection.op = m_model->graph().storage(storage).producer;
    }
    select(selection, nullptr);
}

void Document::selectModule(const std::string &path, std::vector<OpId> ops)
{
    if (!m_model || (m_module && m_module->path == path && m_module->ops == ops)) return;
    select({}, std::make_shared<const SelectedModule>(remat::selectedModule(m_model->graph(), path, std::move(ops))));
}

void Document::clearSelection()
{
    select({}, nullptr);
}

void Document::select(Selection selection, std::shared_ptr<const SelectedModule> module)
{
    if (selection == m_selection && !m_module && !module) return;
    m_selection = selection;
    m_module = std::move(module);
    Q_EMIT selectionChanged();
}

void Document::setHover(Selection hover)
{
    if (hover == m_hover) return;
    m_hover = hover;
    Q_EMIT hoverChanged();
}

void Document::setPins(Pins pins)
{
    if (m_model) dropUnknown(pins, m_model->graph());
    if (pins == m_pins) return;
    m_pins = std::move(pins);
    Q_EMIT pinsChanged();
}

void Document::setCompared(std::vector<int> planIds)
{
    constexpr std::size_t kMost = 4;
    std::erase_if(planIds, [this](int id) {
        return std::none_of(m_plans.begin(), m_plans.end(), [id](const auto &plan) { return plan->id == id; });
    });
    if (planIds.size() > kMost) planIds.resize(kMost);
    if (planIds == m_compared) return;
    m_compared = std::move(planIds);
    Q_EMIT comparedChanged();
}

void Document::setCursor(double timeUs)
{
    if (timeUs < 0) timeUs = -1;
    if (timeUs == m_cursorUs) return;
    m_cursorUs = timeUs;
    Q_EMIT cursorChanged();
}

void Document::trade(Document &other)
{
    const bool tells = m_model || other.m_model;
    std::swap(m_model, other.m_model);
    std::swap(m_current, other.m_current);
    std::swap(m_plans, other.m_plans);
    std::swap(m_budgetBytes, other.m_budgetBytes);
    std::swap(m_bounds, other.m_bounds);
    std::swap(m_selection, other.m_selection);
    std::swap(m_module, other.m_module);
    std::swap(m_pins, other.m_pins);
    std::swap(m_compared, other.m_compared);
    std::swap(m_cursorUs, other.m_cursorUs);
    std::swap(m_nextPlanId, other.m_nextPlanId);
    m_hover = other.m_hover = {};
    m_time->trade(*other.m_time);
    if (!tells) return;
    Q_EMIT modelChanged();
    Q_EMIT budgetChanged();
    Q_EMIT plansChanged();
    Q_EMIT currentPlanChanged();
    Q_EMIT selectionChanged();
    Q_EMIT hoverChanged();
    Q_EMIT pinsChanged();
    Q_EMIT comparedChanged();
    Q_EMIT cursorChanged();
    m_time->tellAll();
}

} // namespace remat::studio
