// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/history/describe.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace remat::studio {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(History)
};

/// Those of `a` that are not in `b`.
template <class Id>
std::vector<Id> without(const std::vector<Id> &a, const std::vector<Id> &b)
{
    std::vector<Id> left;
    for (const Id &id : a)
        if (std::find(b.begin(), b.end(), id) == b.end()) left.push_back(id);
    return left;
}

QString titleOf(const PlanBook &book, int id, const CostedModel *model)
{
    const auto entry = book.find(id, model);
    return entry ? toQString(entry->title) : Words::tr("plan");
}

Change plansAdded(const std::vector<int> &added, const Snapshot &after, const PlanBook &book, bool sweeping,
                  const std::vector<int> &solves)
{
    if (sweeping) return {QStringLiteral("sweep"), Words::tr("Sweep over budgets"), true, true};
    std::shared_ptr<const PlanEntry> first;
    for (const int id : added)
        if (const auto entry = book.find(id, after.model.get()); entry && !entry->quick && !first) first = entry;
    if (!first) return {QStringLiteral("quick"), Words::tr("Quick plan"), false};
    if (std::find(solves.begin(), solves.end(), first->id) != solves.end())
        return {QStringLiteral("plans"),
                Words::tr("Solve at %1")
                    .arg(memoryText(first->plan->budgetBytes > 0 ? first->plan->budgetBytes : after.budgetBytes))};
    return {QStringLiteral("plans"), Words::tr("Add plan %1").arg(toQString(first->title))};
}

/// The one thing that was added to or taken out of a list of pins; empty when there is no difference.
template <class Id, class Name>
QString pinText(const std::vector<Id> &before, const std::vector<Id> &after, const char *on, const char *off, Name name)
{
    const std::vector<Id> added = without(after, before);
    const std::vector<Id> removed = without(before, after);
    if (!added.empty()) return Words::tr(on).arg(name(added.front()));
    if (!removed.empty()) return Words::tr(off).arg(name(removed.front()));
    return {};
}

QString pinsText(const Snapshot &before, const Snapshot &after)
{
    if (after.pins.empty()) return Words::tr("Remove all decisions by hand");
    const Graph &graph = after.model->graph();
    const auto storage = [&](StorageId id) { return toQString(graph.storage(id).name); };
    const auto op = [&](OpId id) { return toQString(graph.op(id).name); };
    QString text = pinText(before.pins.keep, after.pins.keep, QT_TRANSLATE_NOOP("History", "Keep %1"),
                           QT_TRANSLATE_NOOP("History", "No longer keep %1"), storage);
    if (text.isEmpty())
        text = pinText(before.pins.recompute, after.pins.recompute, QT_TRANSLATE_NOOP("History", "Recompute %1"),
                       QT_TRANSLATE_NOOP("History", "No longer force recomputing %1"), op);
    if (text.isEmpty())
        text = pinText(before.pins.never, after.pins.never, QT_TRANSLATE_NOOP("History", "Never recompute %1"),
                       QT_TRANSLATE_NOOP("History", "Allow recomputing %1"), op);
    return text.isEmpty() ? Words::tr("Decide by hand") : text;
}

QString comparedText(const Snapshot &after, const PlanBook &book)
{
    QStringList titles;
    for (const int id : after.compared)
        titles << titleOf(book, id, after.model.get());
    return titles.isEmpty() ? Words::tr("Compare nothing")
                            : Words::tr("Compare %1").arg(titles.join(QStringLiteral(", ")));
}

/// The budget came with the plan.
bool isOwnBudget(const PlanBook &book, const Snapshot &now)
{
    const auto entry = book.find(now.currentId, now.model.get());
    return entry && !entry->quick && entry->plan->budgetBytes == now.budgetBytes;
}

} // namespace

Change describeChange(const Snapshot &before, const Snapshot &after, const PlanBook &book, bool sweeping,
                      const std::vector<int> &solves)
{
    if (before.model != after.model)
        return {QStringLiteral("costs"),
                Words::tr("Costs of %1").arg(after.model ? toQString(after.model->costTitle) : QString())};
    const std::vector<int> added = without(after.planIds, before.planIds);
    const std::vector<int> removed = without(before.planIds, after.planIds);
    if (!added.empty()) return plansAdded(added, after, book, sweeping, solves);
    if (!removed.empty())
        return {QStringLiteral("plans"),
                removed.size() == 1
                    ? Words::tr("Remove plan %1").arg(titleOf(book, removed.front(), before.model.get()))
                    : Words::tr("Remove %1 plans").arg(removed.size())};
    const bool loaded = before.currentId != after.currentId;
    if (before.budgetBytes != after.budgetBytes && !(loaded && isOwnBudget(book, after)))
        return {QStringLiteral("budget"), Words::tr("Budget %1").arg(memoryText(after.budgetBytes))};
    if (before.pins != after.pins) return {QStringLiteral("pins"), pinsText(before, after)};
    if (before.compared != after.compared) return {QStringLiteral("compared"), comparedText(after, book)};
    return {QStringLiteral("current"),
            Words::tr("Show plan %1").arg(titleOf(book, after.currentId, after.model.get()))};
}

} // namespace remat::studio
