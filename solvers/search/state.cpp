// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/state.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace remat::search {

// A copy of a storage lives from the step that makes it to its last read before the step that makes it next, or for
// one step when nobody reads it. Memory between two steps is that of the later one without what that one makes and
// works with, since copies only end at steps; so a new step starts from there, and every range below reaches from one
// step to another.

namespace {

/// Bytes held by the plan that computes nothing again.
std::vector<std::int64_t> keepAllBytes(const FlatGraph &flat)
{
    std::vector<std::int64_t> more(flat.ops + 1, 0); // than in the slot before
    for (int s = 0; s < flat.storages(); ++s) {
        if (flat.producer[s] < 0) continue;
        more[flat.producer[s]] += flat.bytes[s];
        more[std::min(flat.lastUse[s], flat.ops - 1) + 1] -= flat.bytes[s];
    }
    std::partial_sum(more.begin(), more.end(), more.begin());
    more.pop_back();
    for (int i = 0; i < flat.ops; ++i)
        more[i] += flat.workspaceBytes[i];
    return more;
}

} // namespace

State::State(const FlatGraph &flat, std::int64_t budgetBytes)
    : m_flat(&flat),
      m_memory(keepAllBytes(flat), budgetBytes),
      m_events(flat.bytes.size()),
      m_recomputed(flat.timeUs.size(), 0)
{
    m_slots.resize(flat.ops);
    for (int i = 0; i < flat.ops; ++i)
        m_slots[i].push_back({i, -1, 0});
    for (std::size_t s = 0; s < flat.bytes.size(); ++s) {
        if (flat.producer[s] < 0) continue;
        m_events[s].push_back(keyOf(flat.producer[s], flat.producer[s]));
        for (const int reader : flat.readers[s])
            m_events[s].push_back(keyOf(reader, reader));
        if (flat.output[s]) m_events[s].push_back(endKey());
    }
}

std::size_t State::positionOf(int slot, int op) const
{
    const std::vector<Step> &steps = m_slots[slot];
    const auto found =
        std::lower_bound(steps.begin(), steps.end(), op, [](const Step &step, int wanted) { return step.op < wanted; });
    return static_cast<std::size_t>(found - steps.begin());
}

bool State::has(Key step) const
{
    const int slot = slotOf(step), op = opOf(step);
    if (slot == op) return false;
    const std::size_t position = positionOf(slot, op);
    return m_slots[slot][position].op == op;
}

std::size_t State::eventAt(int storage, Key step) const
{
    const std::vector<Key> &events = m_events[storage];
    return static_cast<std::size_t>(std::lower_bound(events.begin(), events.end(), step) - events.begin());
}

std::int64_t State::ownBytes(int op) const
{
    std::int64_t bytes = m_flat->workspaceBytes[op];
    for (const int s : m_flat->outputs[op])
        bytes += m_flat->bytes[s];
    return bytes;
}

void State::addInSlot(int slot, int firstOp, int endOp, std::int64_t bytes)
{
    std::vector<Step> &steps = m_slots[slot];
    std::int64_t highest = std::numeric_limits<std::int64_t>::min();
    for (Step &step : steps) {
        if (step.op >= firstOp && step.op < endOp) step.below += bytes;
        highest = std::max(highest, step.below);
    }
    if (highest == 0) return;
    for (Step &step : steps)
        step.below -= highest;
    m_memory.add(slot, slot + 1, highest);
}

void State::addOver(Key after, Key upTo, bool including, std::int64_t bytes)
{
    if (bytes == 0) return;
    const int first = slotOf(after), last = slotOf(upTo);
    const int afterOp = opOf(after) + 1, endOp = opOf(upTo) + (including ? 1 : 0);
    if (first == last) {
        addInSlot(first, afterOp, endOp, bytes);
        return;
    }
    if (opOf(after) < first) addInSlot(first, afterOp, first + 1, bytes);
    int end = last;
    if (last < m_flat->ops) {
        // A first computation stands at the end of its slot: up to it means all of the slot.
        if (including && opOf(upTo) == last)
            ++end;
        else
            addInSlot(last, 0, endOp, bytes);
    }
    m_memory.add(first + 1, end, bytes);
}

void State::insertStep(Key step)
{
    const int slot = slotOf(step), op = opOf(step);
    std::vector<Step> &steps = m_slots[slot];
    const std::size_t position = positionOf(slot, op);
    const Step made{op, static_cast<int>(m_active.size()),
                    steps[position].below - ownBytes(steps[position].op) + m_flat->workspaceBytes[op]};
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(position), made);
    if (made.below > 0) addInSlot(slot, 0, 0, 0);
    m_active.push_back(step);
    m_extraUs += m_flat->timeUs[op];
    ++m_recomputed[op];
}

void State::eraseStep(Key step)
{
    const int slot = slotOf(step), op = opOf(step);
    std::vector<Step> &steps = m_slots[slot];
    const std::size_t position = positionOf(slot, op);
    const auto place = static_cast<std::size_t>(steps[position].place);
    const Key moved = m_active.back();
    m_active[place] = moved;
    m_active.pop_back();
    if (moved != step) m_slots[slotOf(moved)][positionOf(slotOf(moved), opOf(moved))].place = static_cast<int>(place);
    const bool highest = steps[position].below == 0;
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(position));
    if (highest) addInSlot(slot, 0, 0, 0);
    m_extraUs -= m_flat->timeUs[op];
    --m_recomputed[op];
}

void State::add(Key step)
{
    const int slot = slotOf(step), op = opOf(step);
    m_journal.push_back(step);
    m_suspects.push_back(step);
    insertStep(step);
    for (const int s : m_flat->outputs[op]) {
        std::vector<Key> &events = m_events[s];
        const std::size_t e = eventAt(s, step);
        const std::int64_t bytes = m_flat->bytes[s];
        const Key before = events[e - 1];
        if (e < events.size() && !makes(events[e], s)) {
            addOver(before, step, false, -bytes);
            if (makes(before, s)) m_suspects.push_back(before);
        } else {
            addInSlot(slot, op, op + 1, bytes);
        }
        events.insert(events.begin() + static_cast<std::ptrdiff_t>(e), step);
    }
    for (const int s : m_flat->inputs[op]) {
        std::vector<Key> &events = m_events[s];
        if (events.empty()) continue;
        const std::size_t e = eventAt(s, step);
        if (e == events.size() || makes(events[e], s)) addOver(events[e - 1], step, true, m_flat->bytes[s]);
        events.insert(events.begin() + static_cast<std::ptrdiff_t>(e), step);
    }
}

void State::remove(Key step)
{
    const int slot = slotOf(step), op = opOf(step);
    m_journal.push_back(step);
    for (const int s : m_flat->inputs[op]) {
        std::vector<Key> &events = m_events[s];
        if (events.empty()) continue;
        const std::size_t e = eventAt(s, step);
        events.erase(events.begin() + static_cast<std::ptrdiff_t>(e));
        if (e < events.size() && !makes(events[e], s)) continue;
        addOver(events[e - 1], step, true, -m_flat->bytes[s]);
        if (makes(events[e - 1], s)) m_suspects.push_back(events[e - 1]);
    }
    for (const int s : m_flat->outputs[op]) {
        std::vector<Key> &events = m_events[s];
        const std::size_t e = eventAt(s, step);
        events.erase(events.begin() + static_cast<std::ptrdiff_t>(e));
        const std::int64_t bytes = m_flat->bytes[s];
        if (e < events.size() && !makes(events[e], s))
            addOver(events[e - 1], step, false, bytes);
        else
            addInSlot(slot, op, op + 1, -bytes);
    }
    eraseStep(step);
}

bool State::unread(Key step) const
{
    const std::vector<int> &outputs = m_flat->outputs[opOf(step)];
    return std::all_of(outputs.begin(), outputs.end(), [&](int s) {
        const std::vector<Key> &events = m_events[s];
        const std::size_t next = eventAt(s, step) + 1;
        return next >= events.size() || makes(events[next], s);
    });
}

void State::collect()
{
    while (!m_suspects.empty()) {
        const Key step = m_suspects.back();
        m_suspects.pop_back();
        if (has(step) && unread(step)) remove(step);
    }
}

void State::rollback(std::size_t mark)
{
    const std::size_t end = m_journal.size();
    for (std::size_t j = end; j-- > mark;) {
        const Key step = m_journal[j];
        if (has(step))
            remove(step);
        else
            add(step);
    }
    m_journal.resize(mark);
    m_suspects.clear();
}

void State::commit()
{
    m_journal.clear();
    m_suspects.clear();
}

std::vector<Key> State::stepsOf(int slot) const
{
    std::vector<Key> keys;
    for (const Step &step : m_slots[slot])
        if (step.op != slot) keys.push_back(keyOf(slot, step.op));
    return keys;
}

std::vector<Recompute> State::recomputes() const
{
    std::vector<Recompute> set;
    set.reserve(m_active.size());
    for (const Key step : m_active)
        set.push_back({slotOf(step), opOf(step)});
    std::sort(set.begin(), set.end());
    return set;
}

void State::assign(const std::vector<Recompute> &set)
{
    while (!m_active.empty())
        remove(m_active.back());
    m_extraUs = 0;
    for (const Recompute &r : set)
        if (canAdd(r.slot, r.op)) add(keyOf(r.slot, r.op));
    commit();
}

} // namespace remat::search
