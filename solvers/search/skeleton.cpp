// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/skeleton.h"

#include <algorithm>

namespace remat::search {

namespace {

class Skeleton
{
public:
    Skeleton(State &state, int cut, const std::vector<int> &kept)
        : m_state(state), m_cut(cut), m_mayCross(state.flat().bytes.size(), 0)
    {
        const FlatGraph &flat = state.flat();
        for (const int s : kept)
            m_mayCross[s] = 1;
        for (const int s : flat.inputs[cut])
            m_mayCross[s] = 1;
        for (int s = 0; s < flat.storages(); ++s)
            if (flat.producer[s] < 0 || flat.producer[s] >= cut || flat.once[flat.producer[s]] || flat.bytes[s] == 0)
                m_mayCross[s] = 1;
    }

    void run()
    {
        m_state.assign({});
        // By the slot of the next read: what an earlier one brings back is there for the later ones.
        std::vector<Key> reads;
        for (int s = 0; s < m_state.flat().storages(); ++s)
            if (const Key read = readAfterCut(s); read != 0 && !m_mayCross[s]) reads.push_back(keyOf(slotOf(read), s));
        std::sort(reads.begin(), reads.end());
        for (const Key key : reads) {
            const int s = opOf(key), last = m_state.flat().ops - 1;
            // A read by the end of the graph is served by the last slot.
            if (readAfterCut(s) != 0) bringBack(std::min(slotOf(key), last), m_state.flat().producer[s]);
        }
        m_state.collect();
        m_state.commit();
    }

private:
    /// The first read behind the cut of a copy made before it; 0 when there is none.
    Key readAfterCut(int storage) const
    {
        const std::vector<Key> &events = m_state.events(storage);
        const std::size_t e = m_state.eventAt(storage, keyOf(m_cut + 1, 0));
        return e == 0 || e == events.size() || m_state.makes(events[e], storage) ? 0 : events[e];
    }

    void bringBack(int slot, int op)
    {
        m_open.assign(1, op);
        while (!m_open.empty()) {
            const int next = m_open.back();
            m_open.pop_back();
            if (!m_state.canAdd(slot, next)) continue;
            m_state.add(keyOf(slot, next));
            for (const int s : m_state.flat().inputs[next]) {
                if (m_mayCross[s]) continue;
                const std::size_t e = m_state.eventAt(s, keyOf(slot, next));
                if (slotOf(m_state.events(s)[e - 1]) <= m_cut) m_open.push_back(m_state.flat().producer[s]);
            }
        }
    }

    State &m_state;
    const int m_cut;
    std::vector<char> m_mayCross; ///< per storage: held at the cut, or not to be made again
    std::vector<int> m_open;
};

} // namespace

void keepAtCut(State &state, int cut, const std::vector<int> &kept)
{
    Skeleton(state, cut, kept).run();
}

} // namespace remat::search
