// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/drop.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace remat::search {

namespace {

constexpr int kMaxAdded = 80;   ///< steps of one drop
constexpr int kMaxVisits = 300; ///< ops looked at by one estimate
constexpr int kFlipPercent = 2;

} // namespace

bool Drop::operator()(int slot, int op)
{
    if (!m_state.canAdd(slot, op)) return false;
    m_added = 0;
    close(slot, op);
    m_state.collect();
    return true;
}

double Drop::priceOf(int slot, int op) const
{
    int visits = kMaxVisits;
    return estimate(slot, op, std::numeric_limits<double>::infinity(), visits);
}

bool Drop::mustBeHeldFor(int storage, Key step, Key &lastEvent) const
{
    const std::vector<Key> &events = m_state.events(storage);
    if (events.empty()) return false;
    std::size_t next = m_state.eventAt(storage, step);
    lastEvent = events[next - 1];
    if (next < events.size() && events[next] == step) ++next;
    return next == events.size() || m_state.makes(events[next], storage);
}

/// Bytes over the budget that cost at least `us`; there is no need to count further.
std::int64_t Drop::overflowFor(double us) const
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const double bytes = us / m_price;
    return bytes < 0.5 * static_cast<double>(most) ? static_cast<std::int64_t>(bytes) + 1 : most;
}

void Drop::close(int slot, int op)
{
    const FlatGraph &flat = m_state.flat();
    const Key step = keyOf(slot, op);
    m_state.add(step);
    ++m_added;
    for (const int s : flat.inputs[op]) {
        Key last = 0;
        if (m_added >= kMaxAdded || !mustBeHeldFor(s, step, last)) continue;
        const int maker = flat.producer[s];
        if (!m_state.canAdd(slot, maker)) continue;
        double hold =
            m_price * static_cast<double>(m_state.memory().overflowOfLess(slotOf(last) + 1, slot, flat.bytes[s]));
        if (m_random) hold *= std::exp(m_random->uniform() - 0.5);
        if (hold <= 0) continue;
        int visits = kMaxVisits;
        bool again = estimate(slot, maker, hold, visits) < hold;
        if (m_random && m_random->percent(kFlipPercent)) again = !again;
        if (again) close(slot, maker);
    }
}

double Drop::estimate(int slot, int op, double limitUs, int &visits) const
{
    const FlatGraph &flat = m_state.flat();
    double us = flat.timeUs[op];
    for (const int s : flat.inputs[op]) {
        if (us >= limitUs || --visits < 0) return limitUs;
        Key last = 0;
        if (!mustBeHeldFor(s, keyOf(slot, op), last)) continue;
        const double hold = m_price * static_cast<double>(m_state.memory().overflowOfMore(
                                          slotOf(last) + 1, slot, flat.bytes[s], overflowFor(limitUs - us)));
        if (hold <= 0) continue;
        const int maker = flat.producer[s];
        const bool possible = m_state.canAdd(slot, maker);
        us += possible ? std::min(hold, estimate(slot, maker, std::min(hold, limitUs - us), visits)) : hold;
    }
    return us;
}

} // namespace remat::search
