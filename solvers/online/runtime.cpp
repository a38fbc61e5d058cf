// SPDX-License-Identifier: Apache-2.0
#include "solvers/online/runtime.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace remat::online {

namespace {

/// For each storage the op after whose first computation it may go for good: its last reader or, for what may be
/// computed only once, the last reader of anything that is made from it.
std::vector<int> lastReference(const FlatGraph &flat)
{
    std::vector<int> last = flat.lastUse;
    std::vector<int> neededUntil = flat.lastUse; // when the storage, or anything made from it, is needed last
    for (int i = flat.ops; i-- > 0;) {
        int until = 0;
        for (const int s : flat.outputs[i])
            until = std::max(until, neededUntil[s]);
        for (const int s : flat.inputs[i])
            neededUntil[s] = std::max(neededUntil[s], until);
    }
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] >= 0 && flat.once[flat.producer[s]]) last[s] = neededUntil[s];
    return last;
}

} // namespace

Runtime::Runtime(const FlatGraph &flat, MemoryPolicy &policy, double thrashLimit, Ancestor ancestor)
    : m_flat(flat),
      m_policy(policy),
      m_ancestor(ancestor),
      m_limitUs(thrashLimit * std::accumulate(flat.timeUs.begin(), flat.timeUs.end(), 0.0)),
      m_states(static_cast<std::size_t>(flat.storages())),
      m_computed(static_cast<std::size_t>(flat.ops)),
      m_lastReference(lastReference(flat)),
      m_diesAfter(static_cast<std::size_t>(flat.ops))
{
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] >= 0 && m_lastReference[s] < flat.ops) m_diesAfter[m_lastReference[s]].push_back(s);
}

RunEnd Runtime::run(const std::function<bool()> &shouldStop)
{
    for (int i = 0; i < m_flat.ops; ++i) {
        if (const RunEnd end = materialise(i, shouldStop); end != RunEnd::Done) return end;
        for (const int s : m_flat.outputs[i])
            m_states[s].lastAccessUs = m_clockUs;
        for (const int s : m_diesAfter[i])
            if (isThere(s)) evict(s);
    }
    for (int s = 0; s < m_flat.storages(); ++s) {
        if (!m_flat.output[s]) continue;
        if (!isThere(s))
            if (const RunEnd end = materialise(m_flat.producer[s], shouldStop); end != RunEnd::Done) return end;
        lock(s);
    }
    // What came back as an ancestor and was never evicted again.
    for (int s = 0; s < m_flat.storages(); ++s)
        if (isThere(s) && !m_flat.output[s]) leave(s);
    return RunEnd::Done;
}

Runtime::Frame Runtime::begin(int op)
{
    Frame frame{op, {}, 0};
    for (const int s : m_flat.inputs[op]) {
        m_states[s].lastAccessUs = m_clockUs;
        if (isThere(s))
            lock(s);
        else
            frame.missing.push_back(s);
    }
    return frame;
}

bool Runtime::isDead(int storage) const
{
    return m_lastReference[storage] < m_flat.ops && m_computed[m_lastReference[storage]];
}

/// Locks what the op and the ops that have to run before it read, once a reader; returns all of them in that order.
std::vector<int> Runtime::lockAllFor(int target)
{
    std::vector<int> order;
    std::vector<std::pair<int, std::size_t>> path{{target, 0}};
    std::set<int> seen{target};
    while (!path.empty()) {
        auto &[op, next] = path.back();
        if (next == m_flat.inputs[op].size()) {
            order.push_back(op);
            path.pop_back();
            continue;
        }
        const int s = m_flat.inputs[op][next++];
        lock(s);
        if (const int maker = m_flat.producer[s]; !isThere(s) && seen.insert(maker).second) path.emplace_back(maker, 0);
    }
    return order;
}

RunEnd Runtime::materialiseLocked(int target, const std::function<bool()> &shouldStop)
{
    for (const int op : lockAllFor(target)) {
        for (const int s : m_flat.inputs[op])
            m_states[s].lastAccessUs = m_clockUs;
        if (const RunEnd end = computeNext(op, shouldStop); end != RunEnd::Done) return end;
        for (const int s : m_flat.inputs[op])
            if (evictable(s) && isDead(s)) evict(s);
    }
    m_failedOp = -1;
    return RunEnd::Done;
}

RunEnd Runtime::materialise(int op, const std::function<bool()> &shouldStop)
{
    if (m_ancestor == Ancestor::GoesAtOnce) return materialiseLocked(op, shouldStop);
    std::vector<Frame> frames{begin(op)};
    while (!frames.empty()) {
        Frame &frame = frames.back();
        if (frame.next < frame.missing.size()) {
            const int s = frame.missing[frame.next];
            if (isThere(s)) {
                lock(s);
                ++frame.next;
            } else {
                frames.push_back(begin(m_flat.producer[s]));
            }
            continue;
        }
        if (const RunEnd end = computeNext(frame.op, shouldStop); end != RunEnd::Done) return end;
        frames.pop_back();
    }
    m_failedOp = -1;
    return RunEnd::Done;
}

/// Computes an op all of whose inputs are there, and unlocks them.
RunEnd Runtime::computeNext(int op, const std::function<bool()> &shouldStop)
{
    m_failedOp = op;
    if (shouldStop()) return RunEnd::Stopped;
    if (!compute(op)) return RunEnd::OutOfMemory;
    if (m_recomputedUs > m_limitUs) return RunEnd::Thrashing;
    for (const int s : m_flat.inputs[op])
        unlock(s);
    return RunEnd::Done;
}

bool Runtime::compute(int op)
{
    if (!m_policy.allocate(*this, op)) return false;
    m_steps.push_back(Step::compute(OpId(op)));
    m_clockUs += m_flat.timeUs[op];
    if (m_computed[op]) m_recomputedUs += m_flat.timeUs[op];
    m_computed[op] = 1;
    m_policy.endOp(*this, op);
    for (const int s : m_flat.outputs[op]) {
        State &state = m_states[s];
        if (state.there) continue;
        const bool back = state.made;
        state.made = state.there = true;
        makeEvictable(s);
        if (back && onBack) onBack(s);
    }
    return true;
}

void Runtime::makeEvictable(int storage)
{
    if (m_flat.once[m_flat.producer[storage]] || m_states[storage].locks > 0) return;
    m_states[storage].inPool = true;
    m_pool.push_back(storage);
}

void Runtime::lock(int storage)
{
    State &state = m_states[storage];
    if (state.locks++ > 0 || !state.inPool) return;
    state.inPool = false;
    m_pool.erase(std::find(m_pool.begin(), m_pool.end(), storage));
}

void Runtime::unlock(int storage)
{
    if (--m_states[storage].locks == 0) makeEvictable(storage);
}

void Runtime::leave(int storage)
{
    State &state = m_states[storage];
    if (state.inPool) m_pool.erase(std::find(m_pool.begin(), m_pool.end(), storage));
    state.inPool = state.there = false;
    m_steps.push_back(Step::free(StorageId(storage)));
    m_policy.release(*this, storage);
}

void Runtime::evict(int storage)
{
    leave(storage);
    if (onEvicted) onEvicted(storage);
}

} // namespace remat::online
