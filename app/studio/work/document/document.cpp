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

auto placeOf(ModelWork &work, int planId)
{
    return std::find_if(work.plans.begin(), work.plans.end(),
                        [planId](const auto &plan) { return plan->id == planId; });
}

} // namespace

Document::Document(QObject *parent) : QObject(parent), m_time(new TimeWindow(*this, this)) {}

void Document::show(std::shared_ptr<ModelWork> work)
{
    if (work == m_work) return;
    const bool tells = m_work->model || work->model;
    m_work = std::move(work);
    m_hover = {};
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

void Document::setModel(std::shared_ptr<const CostedModel> model)
{
    ModelWork &work = *m_work;
    const bool sameGraph =
        work.model && model &&
        (work.model->open == model->open || work.model->graph().fingerprint == model->graph().fingerprint);
    const bool other = work.model != model;
    if (other) work.bounds.clear();
    work.model = std::move(model);
    const bool hadSelection = work.selection != Selection{} || work.module, hadHover = m_hover != Selection{};
    if (!sameGraph) {
        work.current = nullptr;
        work.plans.clear();
        work.selection = m_hover = {};
        work.module = nullptr;
        work.pins = {};
        work.compared.clear();
        work.budgetBytes = work.model ? firstBudget(*work.model) : 0;
    }
    work.cursorUs = -1;
    if (other) m_time->clearRange();
    m_time->follow(true);

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
    if (!m_work->model) return nullptr;
    return m_work->current ? m_work->current->timeline : m_work->model->keepAll;
}

double Document::boundTimeUs(const PlanEntry &entry) const
{
    const auto &current = m_work->current;
    const std::int64_t own = entry.plan->budgetBytes;
    const bool shown = current && current->id == entry.id && entry.timeline->peakBytes <= m_work->budgetBytes;
    const std::int64_t budget = shown && own > 0 ? m_work->budgetBytes : own;
    double boundUs = own >= budget ? entry.plan->predicted.lowerBoundTimeUs : 0;
    if (!entry.plan->parametersPlanned) boundUs = std::max(boundUs, m_work->bounds.timeUs(entry, budget));
    return std::min(boundUs, entry.timeline->timeUs);
}

void Document::tellBound(ModelWork &work, const PlanEntry &entry)
{
    work.bounds.tell(entry);
    if (&work == m_work.get()) Q_EMIT boundsChanged();
}

void Document::tellBound(HoldsFor plans, int planId, std::int64_t budgetBytes, double timeUs)
{
    if (planId > 0)
        m_work->bounds.tellOf(planId, budgetBytes, timeUs);
    else
        m_work->bounds.tell(plans, budgetBytes, timeUs);
    Q_EMIT boundsChanged();
}

void Document::setBudget(std::int64_t bytes)
{
    bytes = std::max<std::int64_t>(bytes, 1);
    if (bytes == m_work->budgetBytes) return;
    m_work->budgetBytes = bytes;
    Q_EMIT budgetChanged();
}

void Document::moveBudget(std::int64_t bytes)
{
    const std::int64_t before = m_work->budgetBytes;
    if (!m_work->model) return;
    setBudget(bytes);
    if (m_work->budgetBytes != before) Q_EMIT budgetMoved();
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

void Document::tell(const ModelWork &work, Change change)
{
    if (&work != m_work.get()) {
        Q_EMIT changedElsewhere(&work, change.plans);
        return;
    }
    if (change.current) m_time->follow(false);
    if (change.plans) Q_EMIT plansChanged();
    if (change.current) Q_EMIT currentPlanChanged();
    if (change.compared) Q_EMIT comparedChanged();
}

void Document::addPlan(ModelWork &work, std::shared_ptr<const PlanEntry> entry)
{
    std::erase_if(work.plans, [](const auto &plan) { return plan->quick; });
    work.current = entry;
    work.plans.push_back(std::move(entry));
    tell(work, {.plans = true, .current = true, .compared = dropFromCompared(work)});
}

void Document::addPlanBeside(ModelWork &work, std::shared_ptr<const PlanEntry> entry)
{
    if (!work.current) return addPlan(work, std::move(entry));
    work.plans.push_back(std::move(entry));
    tell(work, {.plans = true});
}

void Document::replacePlan(ModelWork &work, std::shared_ptr<const PlanEntry> entry)
{
    const auto place = placeOf(work, entry->id);
    if (place == work.plans.end()) return;
    const bool isCurrent = work.current == *place;
    *place = entry;
    if (isCurrent) work.current = std::move(entry);
    tell(work, {.plans = true, .current = isCurrent});
}

void Document::setCurrentPlan(ModelWork &work, int id)
{
    const auto place = placeOf(work, id);
    if (place == work.plans.end() || work.current == *place) return;
    work.current = *place;
    tell(work, {.current = true});
}

void Document::loadPlan(int id)
{
    ModelWork &work = *m_work;
    const auto place = placeOf(work, id);
    if (place == work.plans.end()) return;
    const std::int64_t own = (*place)->plan->budgetBytes;
    const std::int64_t budget = own > 0 ? own : work.budgetBytes;
    if (work.current == *place && budget == work.budgetBytes) return;
    const bool moved = budget != work.budgetBytes, other = work.current != *place;
    // Both before anyone is told, so that it is one change to whoever keeps track.
    work.budgetBytes = budget;
    work.current = *place;
    if (other) m_time->follow(false);
    if (moved) Q_EMIT budgetChanged();
    if (other) Q_EMIT currentPlanChanged();
}

void Document::removePlan(ModelWork &work, int id)
{
    const auto place = placeOf(work, id);
    if (place == work.plans.end()) return;
    const bool wasCurrent = work.current == *place;
    work.plans.erase(place);
    if (wasCurrent) work.current = work.plans.empty() ? nullptr : work.plans.back();
    tell(work, {.plans = true, .current = wasCurrent, .compared = dropFromCompared(work)});
}

void Document::restorePlans(std::vector<std::shared_ptr<const PlanEntry>> plans, int currentId)
{
    const std::shared_ptr<const PlanEntry> before = m_work->current;
    setPlans(*m_work, std::move(plans), currentId);
    tell(*m_work, {.plans = true, .current = m_work->current != before, .compared = dropFromCompared(*m_work)});
}

void Document::selectOp(OpId op)
{
    select(selectionOf(*m_work, op), nullptr);
}

void Document::selectStorage(StorageId storage)
{
    select(selectionOf(*m_work, storage), nullptr);
}

void Document::selectModule(const std::string &path, std::vector<OpId> ops)
{
    const auto &model = m_work->model;
    const auto &module = m_work->module;
    if (!model || (module && module->path == path && module->ops == ops)) return;
    select({}, std::make_shared<const SelectedModule>(remat::selectedModule(model->graph(), path, std::move(ops))));
}

void Document::clearSelection()
{
    select({}, nullptr);
}

void Document::select(Selection selection, std::shared_ptr<const SelectedModule> module)
{
    if (selection == m_work->selection && !m_work->module && !module) return;
    m_work->selection = selection;
    m_work->module = std::move(module);
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
    if (m_work->model) dropUnknown(pins, m_work->model->graph());
    if (pins == m_work->pins) return;
    m_work->pins = std::move(pins);
    Q_EMIT pinsChanged();
}

void Document::setCompared(std::vector<int> planIds)
{
    constexpr std::size_t kMost = 4;
    const std::vector<int> before = std::exchange(m_work->compared, std::move(planIds));
    dropFromCompared(*m_work);
    if (m_work->compared.size() > kMost) m_work->compared.resize(kMost);
    if (m_work->compared != before) Q_EMIT comparedChanged();
}

void Document::setCursor(double timeUs)
{
    if (timeUs < 0) timeUs = -1;
    if (timeUs == m_work->cursorUs) return;
    m_work->cursorUs = timeUs;
    Q_EMIT cursorChanged();
}

} // namespace remat::studio
