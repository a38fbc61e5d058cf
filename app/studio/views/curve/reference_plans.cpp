// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/reference_plans.h"

#include "app/studio/base/text/text.h"
#include "core/model/plan_entry.h"
#include "solvers/interface/solver.h"
#include "solvers/uses/eager_plan.h"

#include <utility>

namespace remat::studio {

namespace {

using Entry = std::shared_ptr<const PlanEntry>;

/// What a planner makes within the keep-all peak; none when it fails or is stopped.
Entry planned(const CostedModel &model, const char *name, const Job &job)
{
    const auto planner = findPlanner(name);
    if (!planner) return nullptr;
    SolveRequest request;
    request.graph = &model.graph();
    request.costs = model.costs.get();
    request.budgetBytes = model.keepAllPeakBytes;
    auto options = makeOptions((*planner)->info.options, {});
    if (!options) return nullptr;
    request.options = *std::move(options);
    SolveContext context;
    context.stop = &job.stop();
    const auto outcome = solve(**planner, request, context);
    if (!outcome || !outcome->plan) return nullptr;
    auto entry = makePlanEntry(model, std::make_shared<const Plan>(*outcome->plan), 0, (*planner)->info.title, false);
    return entry ? *std::move(entry) : nullptr;
}

/// What the model does today; none where that is keep-all.
Entry doneToday(const CostedModel &model)
{
    const auto today = planOfEager(*model.open->model, *model.costs);
    if (!today || !*today) return nullptr;
    auto entry = makePlanEntry(model, (*today)->plan, 0, kEagerTitle, false);
    return entry ? *std::move(entry) : nullptr;
}

} // namespace

ReferencePlans::ReferencePlans(Document &document, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_tracker(pool)
{
    connect(&m_document, &Document::modelChanged, this, &ReferencePlans::forget);
}

void ReferencePlans::forget()
{
    m_tracker.cancel();
    m_plans.clear();
    const bool again = std::exchange(m_wanted, false);
    Q_EMIT plansChanged();
    if (again) want();
}

void ReferencePlans::want()
{
    const auto model = m_document.model();
    if (m_wanted || !model) return;
    m_wanted = true;
    m_tracker.start(
        [model](const Job &job) {
            std::vector<Entry> plans;
            if (Entry entry = planned(*model, "keep-all", job)) plans.push_back(std::move(entry));
            if (Entry entry = doneToday(*model)) plans.push_back(std::move(entry));
            if (Entry entry = planned(*model, "chen-sqrt", job)) plans.push_back(std::move(entry));
            return plans;
        },
        [this](const std::vector<Entry> &plans) {
            m_plans = plans;
            Q_EMIT plansChanged();
        });
}

void ReferencePlans::load(std::size_t index)
{
    if (index >= m_plans.size()) return;
    auto numbered = std::make_shared<PlanEntry>(*m_plans[index]);
    numbered->id = m_document.nextPlanId();
    const int id = numbered->id;
    m_document.addPlanBeside(std::move(numbered));
    m_document.loadPlan(id);
}

} // namespace remat::studio
