// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/moves.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace remat::search {

namespace {

/// A slot this close to the budget counts as near it.
constexpr double kNearShare = 0.97;
constexpr int kTries = 30;    ///< to find a storage that crosses a slot
constexpr int kRepairs = 6;   ///< drops of a repair at most
constexpr int kSamples = 6;   ///< a repair drop is the best of
constexpr int kEjections = 6; ///< undos tried after a drop near the budget

/// How often each move is made, of a hundred draws: in a plan over the budget, and in one that fits. Without
/// recomputations there is nothing to undo, shift or copy: then the drops are made instead.
enum class Move : std::uint8_t { DropOverBudget, DropNearBudget, UndoOne, ShiftOne, CopyLayer, UndoAndRepair };
struct Chance {
    Move move;
    int over, within;
};
constexpr std::array<Chance, 6> kChances = {{
    {Move::DropOverBudget, 42, 0},
    {Move::DropNearBudget, 10, 24},
    {Move::UndoOne, 16, 24},
    {Move::ShiftOne, 15, 26},
    {Move::CopyLayer, 6, 6},
    {Move::UndoAndRepair, 11, 20},
}};
static_assert([] {
    int over = 0, within = 0;
    for (const Chance &each : kChances) {
        over += each.over;
        within += each.within;
    }
    return over == 100 && within == 100;
}());

/// Chances inside the moves, in percent.
constexpr int kHighestSlot = 40;  ///< relieves the highest slot, not just any over the budget
constexpr int kAnyStorage = 75;   ///< looks for what crosses a slot among all storages, not around a recomputation
constexpr int kAroundInputs = 50; ///< around a recomputation: what it reads, not what it makes
constexpr int kEarlier = 12;      ///< computes again earlier than at the next read
constexpr int kEject = 30;        ///< tries undos after a drop near the budget
constexpr int kUndoAlone = 50;    ///< a repair undoes one recomputation, not most of its slot
constexpr int kUndoInSlot = 70;   ///< each of the slot, otherwise
constexpr int kRepairNearby = 50; ///< a repair drop is one of a storage around what was undone
constexpr int kWholeLayer = 60;   ///< the whole layer is copied, not one slot of it

/// `over`: the plan is over the budget. `some`: there are steps to take back.
struct Situation {
    bool over = false, some = false;
};

Move drawn(Random &random, Situation now)
{
    const auto [over, some] = now;
    const int draw = random.below(100);
    if (!some) return over ? Move::DropOverBudget : Move::DropNearBudget;
    int sum = 0;
    for (const Chance &each : kChances) {
        sum += over ? each.over : each.within;
        if (draw < sum) return each.move;
    }
    return Move::UndoAndRepair;
}

} // namespace

Moves::Moves(State &state, Random &random)
    : m_state(state), m_random(random), m_drop(state, 0, &random), m_lookalikes(state.flat())
{
    const FlatGraph &flat = state.flat();
    const double tiny = kTinyShare * static_cast<double>(state.memory().peak());
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] >= 0 && !flat.once[flat.producer[s]] && flat.bytes[s] > 0 &&
            static_cast<double>(flat.bytes[s]) >= tiny)
            m_storages.push_back(s);
}

void Moves::make()
{
    if (m_storages.empty()) return;
    switch (drawn(m_random, {.over = !m_state.fits(), .some = !m_state.steps().empty()})) {
    case Move::DropOverBudget:
        return dropOverBudget();
    case Move::DropNearBudget:
        return dropNearBudget();
    case Move::UndoOne:
        return undoOne();
    case Move::ShiftOne:
        return shiftOne();
    case Move::CopyLayer:
        return copyLayer();
    case Move::UndoAndRepair:
        return undoAndRepair();
    }
}

int Moves::slotToRelieve()
{
    const SlotMemory &memory = m_state.memory();
    if (m_random.percent(kHighestSlot)) return memory.highest();
    return memory.nextAbove(m_random.below(memory.slots()), memory.budgetBytes());
}

int Moves::slotNearBudget()
{
    const SlotMemory &memory = m_state.memory();
    const auto near = static_cast<std::int64_t>(kNearShare * static_cast<double>(memory.budgetBytes()));
    const int slot = memory.nextAbove(m_random.below(memory.slots()), near);
    return slot >= 0 ? slot : memory.highest();
}

bool Moves::crossing(int storage, int slot, Gap &gap) const
{
    const std::vector<Key> &events = m_state.events(storage);
    const std::size_t e = m_state.eventAt(storage, keyOf(slot, 0));
    if (e == 0 || e == events.size() || slotOf(events[e]) == slot || m_state.makes(events[e], storage)) return false;
    gap = {storage, events[e - 1], events[e]};
    return true;
}

bool Moves::pickCrossing(int slot, Gap &gap)
{
    const FlatGraph &flat = m_state.flat();
    for (int tries = 0; tries < kTries; ++tries) {
        int storage = -1;
        if (m_state.steps().empty() || m_random.percent(kAnyStorage)) {
            storage = m_storages[m_random.below(m_storages.size())];
        } else {
            const int op = opOf(anyStep());
            const std::vector<int> &around = m_random.percent(kAroundInputs) ? flat.inputs[op] : flat.outputs[op];
            if (around.empty()) continue;
            storage = around[m_random.below(around.size())];
            if (flat.producer[storage] < 0 || flat.once[flat.producer[storage]]) continue;
        }
        if (crossing(storage, slot, gap)) return true;
    }
    return false;
}

int Moves::slotOfDrop(const Gap &gap)
{
    const int latest = dropSlot(m_state, gap);
    if (!m_random.percent(kEarlier)) return latest;
    // Earlier: where one of the inputs is read for the last time before.
    const int maker = m_state.flat().producer[gap.storage];
    const std::vector<int> &inputs = m_state.flat().inputs[maker];
    if (inputs.empty()) return latest;
    const int input = inputs[m_random.below(inputs.size())];
    const std::vector<Key> &events = m_state.events(input);
    const std::size_t e = m_state.eventAt(input, keyOf(latest, 0));
    if (e == 0 || events.empty()) return latest;
    const int slot = slotOf(events[e - 1]);
    return slot > slotOf(gap.from) + 1 ? slot : latest;
}

void Moves::dropAcross(int slot)
{
    Gap gap;
    if (slot < 0 || !pickCrossing(slot, gap)) return;
    m_drop(slotOfDrop(gap), m_state.flat().producer[gap.storage]);
}

void Moves::dropOverBudget()
{
    dropAcross(slotToRelieve());
}

void Moves::dropNearBudget()
{
    dropAcross(slotNearBudget());
    if (!m_random.percent(kEject)) return;
    for (int i = 0; i < kEjections && !m_state.steps().empty(); ++i) {
        const std::size_t mark = m_state.mark();
        const double before = energy();
        undo(anyStep());
        if (energy() >= before) m_state.rollback(mark);
    }
}

void Moves::undo(Key step)
{
    m_state.remove(step);
    m_state.collect();
}

void Moves::undoOne()
{
    undo(anyStep());
}

void Moves::shiftOne()
{
    const FlatGraph &flat = m_state.flat();
    const Key step = anyStep();
    const int op = opOf(step), slot = slotOf(step);
    int target = -1;
    const int draw = m_random.below(4);
    if (draw == 0 && !flat.outputs[op].empty()) {
        // The first or second read of one of its results.
        const int output = flat.outputs[op][m_random.below(flat.outputs[op].size())];
        const std::vector<Key> &events = m_state.events(output);
        const std::size_t e = m_state.eventAt(output, step) + 1 + m_random.below(std::size_t(2));
        if (e < events.size() && !m_state.makes(events[e], output)) target = slotOf(events[e]);
    } else if (draw == 1 && !flat.inputs[op].empty()) {
        const int input = flat.inputs[op][m_random.below(flat.inputs[op].size())];
        const std::vector<Key> &events = m_state.events(input);
        if (!events.empty()) {
            const std::size_t e = m_state.eventAt(input, step);
            if (e > 0) target = slotOf(events[e - 1]);
        }
    } else if (draw == 2) {
        target = slotOf(anyStep());
    } else {
        target = slot - 10 + m_random.below(21);
    }
    if (target == slot || target <= op || target >= flat.ops || m_state.has(keyOf(target, op))) return;
    m_state.remove(step);
    m_drop(target, op);
}

void Moves::undoAndRepair()
{
    const FlatGraph &flat = m_state.flat();
    const std::size_t mark = m_state.mark();
    const Key step = anyStep();
    m_undone.clear();
    if (m_random.percent(kUndoAlone)) {
        m_undone.push_back(step);
    } else {
        for (const Key other : m_state.stepsOf(slotOf(step)))
            if (m_random.percent(kUndoInSlot)) m_undone.push_back(other);
    }
    for (const Key undone : m_undone)
        if (m_state.has(undone)) undo(undone);

    m_near.clear();
    for (std::size_t j = mark; j < m_state.journal().size(); ++j) {
        const int op = opOf(m_state.journal()[j]);
        for (const std::vector<int> *list : {&flat.inputs[op], &flat.outputs[op]})
            for (const int s : *list) {
                if (flat.producer[s] < 0) continue;
                m_near.push_back(s);
                for (const int reader : flat.readers[s])
                    m_near.insert(m_near.end(), flat.outputs[reader].begin(), flat.outputs[reader].end());
            }
    }
    std::erase_if(m_near, [&](int s) { return flat.once[flat.producer[s]] || flat.bytes[s] == 0; });

    for (int repair = 0; repair < kRepairs && !m_state.fits(); ++repair) {
        double bestValue = 0;
        int bestSlot = 0, bestOp = 0;
        for (int sample = 0; sample < kSamples; ++sample) {
            const int slot = slotToRelieve();
            Gap gap;
            const bool near = !m_near.empty() && m_random.percent(kRepairNearby);
            const bool found =
                near ? crossing(m_near[m_random.below(m_near.size())], slot, gap) : pickCrossing(slot, gap);
            if (!found) continue;
            const int target = slotOfDrop(gap), op = flat.producer[gap.storage];
            if (!m_state.canAdd(target, op)) continue;
            const auto off = static_cast<double>(
                m_state.memory().overflowOfLess(slotOf(gap.from) + 1, target, flat.bytes[gap.storage]));
            const double value = off / std::max(m_drop.priceOf(target, op), kLeastUs);
            if (value <= bestValue) continue;
            bestValue = value;
            bestSlot = target;
            bestOp = op;
        }
        if (bestValue <= 0) return;
        m_drop(bestSlot, bestOp);
    }
}

void Moves::copyLayer()
{
    const Key step = anyStep();
    const int from = opOf(step);
    const std::vector<int> &alike = m_lookalikes.alike(from);
    if (alike.size() < 2) return;
    const int to = alike[m_random.below(alike.size())];
    if (to == from) return;
    const int layers = m_lookalikes.place(to) - m_lookalikes.place(from);
    const bool wholeLayer = m_random.percent(kWholeLayer);
    // Half a layer to each side makes one layer.
    const int reach = (alike.back() - alike.front()) / static_cast<int>(alike.size() - 1) / 2;
    const int slot = slotOf(step), otherSlot = m_lookalikes.shifted(slot, layers);
    if (!wholeLayer && otherSlot < 0) return;
    const auto near = [&](Key key, int op, int inSlot) {
        return std::abs(opOf(key) - op) <= reach && (wholeLayer || slotOf(key) == inSlot);
    };
    m_undone.clear();
    m_copied.clear();
    for (const Key key : m_state.steps()) {
        if (near(key, to, otherSlot)) m_undone.push_back(key);
        if (!near(key, from, slot)) continue;
        const int t = m_lookalikes.shifted(slotOf(key), layers), op = m_lookalikes.shifted(opOf(key), layers);
        if (t > op && op >= 0) m_copied.push_back(keyOf(t, op));
    }
    for (const Key key : m_undone)
        m_state.remove(key);
    for (const Key key : m_copied)
        if (m_state.canAdd(slotOf(key), opOf(key))) m_state.add(key);
    m_state.collect();
}

} // namespace remat::search
