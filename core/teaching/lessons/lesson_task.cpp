// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/lessons/lesson_task.h"

#include "core/base/budget.h"

#include <algorithm>

namespace remat {

namespace {

bool within(const std::string &limit, const LessonSituation &now, std::int64_t bytes, bool atMost)
{
    if (limit.empty()) return true;
    const auto parsed = parseBudget(limit, now.model->keepAll->peakBytes);
    return parsed && (atMost ? bytes <= *parsed : bytes >= *parsed);
}

bool selectedAtPeak(const LessonSituation &now)
{
    const Graph &graph = now.model->graph();
    const MemoryTimeline &line = now.plan ? *now.plan->timeline : *now.model->keepAll;
    const std::vector<LiveRange> alive = aliveAt(graph, line, line.peakSample);
    if (alive.empty()) return false;
    const std::int64_t largest = graph.storage(alive.front().storage).bytes;
    return std::any_of(alive.begin(), alive.end(), [&](const LiveRange &range) {
        const Storage &storage = graph.storage(range.storage);
        if (storage.bytes < largest) return false;
        return range.storage == now.selection.storage || (now.selection.op && storage.producer == now.selection.op);
    });
}

bool selects(const std::string &name, const LessonSituation &now)
{
    if (name.empty()) return true;
    const Graph &graph = now.model->graph();
    const OpId op = opNamed(graph, name);
    if (op && now.selection.op == op) return true;
    const StorageId storage = storageNamed(graph, name);
    if (op) { // what it makes is as good
        const auto &made = graph.op(op).outputs;
        return std::find(made.begin(), made.end(), now.selection.storage) != made.end() && now.selection.storage;
    }
    return storage && now.selection.storage == storage;
}

bool cursorAt(const std::string &name, const LessonSituation &now)
{
    if (name.empty()) return true;
    const MemoryTimeline &line = now.plan ? *now.plan->timeline : *now.model->keepAll;
    const OpId op = opNamed(now.model->graph(), name);
    for (std::size_t i = 0; i < line.op.size(); ++i) {
        if (now.cursorUs < line.startUs[i] || now.cursorUs > line.endUs[i]) continue;
        if (name == "peak" ? line.totalBytes[i] >= line.totalBytes[line.peakSample] : line.op[i] == op) return true;
    }
    return false;
}

template <class Id, class Find>
bool pinned(const std::vector<std::string> &names, const std::vector<Id> &pins, Find find)
{
    return std::all_of(names.begin(), names.end(), [&](const std::string &name) {
        return std::find(pins.begin(), pins.end(), find(name)) != pins.end();
    });
}

bool planIs(const LessonCondition &wanted, const LessonSituation &now)
{
    const bool asks = !wanted.peakAtMost.empty() || !wanted.peakAtLeast.empty() || !wanted.planner.empty() ||
                      wanted.overheadAtMost >= 0;
    if (!asks) return true;
    if (!now.plan || !now.plan->check || !now.plan->check->ok) return false;
    constexpr double kSame = 1e-6; // shares are written with some digits only
    const double overhead = now.plan->timeline->timeUs / now.model->keepAllTimeUs - 1;
    return within(wanted.peakAtMost, now, now.plan->timeline->peakBytes, true) &&
           within(wanted.peakAtLeast, now, now.plan->timeline->peakBytes, false) &&
           (wanted.overheadAtMost < 0 || overhead <= wanted.overheadAtMost + kSame) &&
           (wanted.planner.empty() || (!now.plan->quick && now.plan->plan->origin.solver == wanted.planner));
}

} // namespace

OpId opNamed(const Graph &graph, const std::string &name)
{
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].name == name) return OpId(i);
    return {};
}

StorageId storageNamed(const Graph &graph, const std::string &name)
{
    for (std::size_t i = 0; i < graph.storages.size(); ++i)
        if (graph.storages[i].name == name) return StorageId(i);
    return {};
}

bool isDone(const LessonCondition &wanted, const LessonSituation &now)
{
    if (!now.model) return false;
    const Graph &graph = now.model->graph();
    const auto op = [&graph](const std::string &name) { return opNamed(graph, name); };
    const auto storage = [&graph](const std::string &name) { return storageNamed(graph, name); };
    return within(wanted.budgetAtMost, now, now.budgetBytes, true) &&
           within(wanted.budgetAtLeast, now, now.budgetBytes, false) && planIs(wanted, now) &&
           selects(wanted.selected, now) && (!wanted.selectedAtPeak || selectedAtPeak(now)) &&
           cursorAt(wanted.cursorAt, now) && pinned(wanted.keep, now.pins.keep, storage) &&
           pinned(wanted.recompute, now.pins.recompute, op) && pinned(wanted.never, now.pins.never, op) &&
           (wanted.view.empty() || std::find(now.views.begin(), now.views.end(), wanted.view) != now.views.end());
}

} // namespace remat
