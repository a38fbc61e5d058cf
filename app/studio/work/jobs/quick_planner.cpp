// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/quick_planner.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/lasting_plans.h"
#include "core/bounds/plan_bound.h"
#include "core/model/plan_entry.h"
#include "solvers/interface/solver.h"

#include <algorithm>

namespace remat::studio {

namespace {

/// The search without its annealing: a greedy that takes milliseconds.
constexpr const char *kQuickPlanner = "search";
/// Where the greedy finds nothing it looks for a smaller peak, which takes a minute on 10,000 ops; by then nobody waits
/// for a quick plan.
constexpr double kMostSeconds = 20;
/// Without another budget, until the plan is proven.
constexpr int kRestMs = 150;
/// Quick plans of other budgets, which fit again when the budget comes back: as many as take some tens of megabytes.
constexpr std::size_t kRememberedOps = 200'000, kFewRemembered = 16, kMostRemembered = 256;
/// On larger graphs a drag goes on from plans that it has passed. Where it ends the plan is made anew.
constexpr std::size_t kMostMadeAnew = 20'000;
const std::map<std::string, std::string> kQuickOptions = {{"moves", "0"}};

/// From `near`, a plan for a budget nearby that need not be there, a quick plan takes a part of the time. It may be a
/// little slower than one made anew.
QuickPlan quickPlanFrom(std::shared_ptr<const Plan> near, const CostedModel &model, std::int64_t budgetBytes,
                        const Pins &pins, double knownBoundOverhead, int id, const StopToken &stop)
{
    if (budgetBytes < model.floor.bytes) return {};
    // What is to be computed again may take more memory at that moment than keep-all does.
    const bool everythingFits = budgetBytes >= model.keepAll->peakBytes && pins.recompute.empty();
    const auto planner = findPlanner(everythingFits ? "keep-all" : kQuickPlanner);
    if (!planner) return {};
    auto options =
        makeOptions((*planner)->info.options, everythingFits ? std::map<std::string, std::string>() : kQuickOptions);
    if (!options) return {};
    SolveRequest request;
    request.graph = &model.graph();
    request.costs = model.costs.get();
    request.budgetBytes = budgetBytes;
    request.options = std::move(*options);
    request.pins = pins;
    request.start = std::move(near);
    TimeBound known;
    known.timeUs = model.keepAllTimeUs * (1 + knownBoundOverhead);
    request.bound = known;
    SolveContext context;
    context.stop = &stop;
    context.deadline = Deadline(kMostSeconds);
    auto outcome = solve(**planner, request, context);
    if (!outcome || !outcome->plan) {
        if (pins.empty() || stop.stopRequested()) return {};
        return {nullptr, toQString(outcome ? outcome->message : outcome.error().message)};
    }
    auto entry =
        makePlanEntry(model, std::make_shared<const Plan>(std::move(*outcome->plan)), id, (*planner)->info.title, true);
    if (!entry) return {};
    return {std::move(*entry), {}};
}

} // namespace

QuickPlan makeQuickPlan(const CostedModel &model, std::int64_t budgetBytes, const Pins &pins, double knownBoundOverhead,
                        int id, const StopToken &stop)
{
    return quickPlanFrom(nullptr, model, budgetBytes, pins, knownBoundOverhead, id, stop);
}

QuickPlanner::QuickPlanner(Document &document, BoundRunner &bound, QThreadPool &pool, QObject *parent)
    : QObject(parent), m_document(document), m_bound(bound), m_tracker(pool), m_proof(pool)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &QuickPlanner::prove);
    connect(&m_tracker, &JobTracker::runningChanged, this, &QuickPlanner::runningChanged);
    connect(&m_document, &Document::budgetMoved, this, &QuickPlanner::refresh);
    connect(&m_document, &Document::budgetDragChanged, this, [this] {
        if (!m_document.draggingBudget()) refresh();
    });
}

void QuickPlanner::refresh()
{
    const auto model = m_document.model();
    if (!model) return;
    if (m_tracker.running()) {
        m_again = true;
        return;
    }
    m_again = false;
    const std::int64_t wanted = m_document.budgetBytes();
    // The remembered plan that needs least more: few drops bring it into the budget.
    std::shared_ptr<const Plan> near;
    std::int64_t nearBytes = 0;
    if (m_document.draggingBudget() && m_document.pins().empty() && model->graph().ops.size() > kMostMadeAnew &&
        m_quickModel.lock() == model)
        for (const auto &[pins, known] : m_quick) {
            const std::int64_t peak = known->timeline->peakBytes;
            if (!pins.empty() || peak <= wanted || (near && peak >= nearBytes)) continue;
            near = known->plan;
            nearBytes = peak;
        }
    m_tracker.start([model, wanted, pins = m_document.pins(), proven = m_bound.knownOverhead(wanted),
                     id = m_document.nextPlanId(), near = std::move(near)](
                        const Job &job) { return quickPlanFrom(near, *model, wanted, pins, proven, id, job.stop()); },
                    [this](QuickPlan quick) {
                        take(std::move(quick));
                        if (m_again) return refresh();
                        Q_EMIT followed();
                    });
}

bool QuickPlanner::followsPins(const PlanEntry &entry)
{
    const Pins &pins = m_document.pins();
    if (pins.empty()) return true;
    if (pins != m_judged) {
        m_judged = pins;
        m_follows.clear();
    }
    const auto [place, isNew] = m_follows.try_emplace(entry.id, false);
    if (isNew) place->second = !pinsViolated(m_document.model()->graph(), entry.plan->steps, pins);
    return place->second;
}

void QuickPlanner::remember(const std::shared_ptr<const PlanEntry> &entry)
{
    const auto model = m_document.model();
    if (m_quickModel.lock() != model) m_quick.clear();
    m_quickModel = model;
    const auto beats = [](const PlanEntry &a, const PlanEntry &b) {
        return a.timeline->peakBytes <= b.timeline->peakBytes && a.timeline->timeUs <= b.timeline->timeUs;
    };
    const Pins &pins = m_document.pins();
    if (std::any_of(m_quick.begin(), m_quick.end(),
                    [&](const Remembered &known) { return beats(*known.entry, *entry) && followsPins(*known.entry); }))
        return;
    std::erase_if(m_quick, [&](const Remembered &known) { return known.pins == pins && beats(*entry, *known.entry); });
    const std::size_t most = std::clamp(kRememberedOps / model->graph().ops.size(), kFewRemembered, kMostRemembered);
    if (m_quick.size() >= most) m_quick.erase(m_quick.begin());
    m_quick.push_back({pins, entry});
}

std::shared_ptr<const PlanEntry> QuickPlanner::remembered(std::int64_t budgetBytes)
{
    if (m_quickModel.lock() != m_document.model()) return nullptr;
    std::shared_ptr<const PlanEntry> best;
    for (const auto &[pins, known] : m_quick)
        if (known->timeline->peakBytes <= budgetBytes && followsPins(*known) &&
            (!best || known->timeline->timeUs < best->timeline->timeUs))
            best = known;
    if (!best || best->plan->budgetBytes == budgetBytes) return best;
    auto plan = std::make_shared<Plan>(*best->plan);
    plan->budgetBytes = budgetBytes;
    // What is proven for another budget may not hold for this one.
    plan->predicted.lowerBoundTimeUs = plan->predicted.anyOrderBoundTimeUs = 0;
    plan->predicted.lowerBoundCut = {};
    auto entry = std::make_shared<PlanEntry>(*best);
    entry->id = m_document.nextPlanId();
    entry->plan = std::move(plan);
    return entry;
}

void QuickPlanner::take(QuickPlan quick)
{
    const std::int64_t budget = m_document.budgetBytes();
    if (quick.entry && followsPins(*quick.entry)) remember(quick.entry);
    std::shared_ptr<const PlanEntry> best = remembered(budget);
    bool fromList = false;
    for (const auto &plan : lastingPlans(m_document.plans())) {
        if (verdictOf(*plan, 0).level == VerdictLevel::Failed || plan->timeline->peakBytes > budget) continue;
        if (best && best->timeline->timeUs < plan->timeline->timeUs) continue;
        if (!followsPins(*plan)) continue;
        best = plan;
        fromList = true;
    }
    const QString whyNone = best ? QString() : quick.whyNone;
    if (whyNone != m_whyNone) {
        m_whyNone = whyNone;
        Q_EMIT whyNoneChanged();
    }
    if (!best) return;
    m_rest.start();
    if (fromList || best == m_document.currentPlan()) {
        m_document.setCurrentPlan(best->id);
        return;
    }
    m_document.tellBound(*best);
    m_document.addPlan(std::move(best));
}

void QuickPlanner::prove()
{
    const auto model = m_document.model();
    const std::shared_ptr<const PlanEntry> entry = m_document.currentPlan();
    if (!model || !entry || model->graph().ops.size() > kMostProvenOps || entry->plan->parametersPlanned) return;
    const std::int64_t budget = m_document.budgetBytes();
    if (entry->timeline->peakBytes > budget) return;
    if (entry->plan->budgetBytes != budget) {
        m_proof.start(
            [model, entry, budget](const Job &job) {
                Plan plan = *entry->plan;
                plan.budgetBytes = budget;
                return boundForPlan(model->graph(), *model->costs, plan, [&job] { return job.stop().stopRequested(); })
                    .timeUs;
            },
            [this, entry, budget](double timeUs) {
                const int own = entry->kind == HoldsFor::AnyOrder ? entry->id : 0;
                m_document.tellBound(entry->kind, own, budget, timeUs);
            });
        return;
    }
    if (!entry->quick) return; // its solve has proven what it could
    m_proof.start([model, entry](const Job &) { return provenPlanEntry(*model, *entry); },
                  [this, entry](const std::shared_ptr<const PlanEntry> &proven) {
                      if (proven) m_document.tellBound(*proven);
                      if (proven && m_document.currentPlan() == entry) m_document.replacePlan(proven);
                  });
}

void QuickPlanner::cancel()
{
    m_again = false;
    m_judged = {}; // ids may mean other plans afterwards
    m_follows.clear();
    m_rest.stop();
    m_proof.cancel();
    m_tracker.cancel();
}

} // namespace remat::studio
