// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/history/snapshot.h"

#include "app/studio/work/session/session.h"

#include <set>

namespace remat::studio {

namespace {

void restorePlans(Session &session, const PlanBook &book, const Snapshot &to)
{
    std::vector<std::shared_ptr<const PlanEntry>> plans;
    for (const int id : to.planIds)
        if (auto entry = book.find(id, to.model.get())) plans.push_back(std::move(entry));
    session.document.restorePlans(std::move(plans), to.currentId);
}

} // namespace

bool operator==(const Snapshot &a, const Snapshot &b)
{
    return a.model == b.model && a.budgetBytes == b.budgetBytes && a.planIds == b.planIds &&
           a.currentId == b.currentId && a.compared == b.compared && a.pins == b.pins && a.settings == b.settings;
}

void PlanBook::learn(const Document &document)
{
    for (const auto &entry : document.plans())
        m_entries[{entry->id, document.model().get()}] = entry;
}

std::shared_ptr<const PlanEntry> PlanBook::find(int id, const CostedModel *model) const
{
    const auto place = m_entries.find({id, model});
    return place == m_entries.end() ? nullptr : place->second;
}

void PlanBook::keepOnly(const std::vector<const Snapshot *> &snapshots)
{
    std::set<std::pair<int, const CostedModel *>> used;
    for (const Snapshot *snapshot : snapshots)
        for (const int id : snapshot->planIds)
            used.insert({id, snapshot->model.get()});
    std::erase_if(m_entries, [&](const auto &entry) { return !used.contains(entry.first); });
}

Snapshot takeSnapshot(Session &session)
{
    Document &document = session.document;
    Snapshot snapshot;
    snapshot.model = document.model();
    snapshot.costs = session.loader.costChoice();
    snapshot.budgetBytes = document.budgetBytes();
    for (const auto &plan : document.plans())
        snapshot.planIds.push_back(plan->id);
    snapshot.currentId = document.currentPlan() ? document.currentPlan()->id : 0;
    snapshot.compared = document.compared();
    snapshot.pins = document.pins();
    return snapshot;
}

void restoreDifference(Session &session, const PlanBook &book, const Snapshot &from, const Snapshot &to)
{
    Document &document = session.document;
    if (from.model != to.model && to.model) session.loader.restore(to.model, to.costs);
    if (from.model != to.model || from.planIds != to.planIds || from.currentId != to.currentId)
        restorePlans(session, book, to);
    if (from.budgetBytes != to.budgetBytes) document.setBudget(to.budgetBytes);
    if (from.compared != to.compared) document.setCompared(to.compared);
    if (from.pins != to.pins) document.setPins(to.pins);
    if (from.settings != to.settings) session.viewStates.restore(to.settings);
}

} // namespace remat::studio
