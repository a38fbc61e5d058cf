// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/layout.h"

#include "core/addresses/address_space.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace remat {

namespace {

/// Pairs of instances that all rounds together may look at.
constexpr std::int64_t kWork = 50'000'000;
/// Beyond so many pairs that are alive together, only the order of time is tried, which needs no list of them.
constexpr std::int64_t kMostPairs = 20'000'000;
constexpr int kMostRounds = 200;

std::int64_t pairsTogether(const std::vector<MemoryInstance> &instances)
{
    std::vector<std::int32_t> ends; // a heap of the ends of what is alive, the next one on top
    std::int64_t pairs = 0;
    for (const MemoryInstance &instance : instances) {
        while (!ends.empty() && ends.front() <= instance.firstStep) {
            std::pop_heap(ends.begin(), ends.end(), std::greater<>());
            ends.pop_back();
        }
        pairs += static_cast<std::int64_t>(ends.size());
        ends.push_back(instance.endStep);
        std::push_heap(ends.begin(), ends.end(), std::greater<>());
    }
    return pairs;
}

/// As an allocator would: in the order of time, each into the lowest gap there is at that moment.
MemoryLayout placeAsTimeGoes(const std::vector<MemoryInstance> &instances)
{
    const std::int64_t all = std::accumulate(instances.begin(), instances.end(), std::int64_t(0),
                                             [](std::int64_t sum, const MemoryInstance &i) { return sum + i.bytes; });
    AddressSpace space(all);
    std::vector<std::size_t> byEnd(instances.size());
    std::iota(byEnd.begin(), byEnd.end(), 0U);
    std::stable_sort(byEnd.begin(), byEnd.end(),
                     [&](std::size_t a, std::size_t b) { return instances[a].endStep < instances[b].endStep; });
    MemoryLayout layout;
    layout.offsets.reserve(instances.size());
    std::size_t ended = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        for (; instances[byEnd[ended]].endStep <= instances[i].firstStep; ++ended)
            space.free(layout.offsets[byEnd[ended]]);
        const std::int64_t offset = space.allocate(instances[i].bytes, static_cast<int>(i), AddressEnd::Left);
        layout.offsets.push_back(offset);
        layout.heightBytes = std::max(layout.heightBytes, offset + instances[i].bytes);
    }
    return layout;
}

/// Which instances are alive together, found once.
class Neighbours
{
public:
    explicit Neighbours(const std::vector<MemoryInstance> &instances) : m_of(instances.size())
    {
        // Instances come by first step: who is still alive when one begins is alive together with it.
        std::vector<int> alive;
        for (std::size_t i = 0; i < instances.size(); ++i) {
            std::erase_if(alive, [&](int other) { return instances[other].endStep <= instances[i].firstStep; });
            for (const int other : alive) {
                m_of[i].push_back(other);
                m_of[other].push_back(static_cast<int>(i));
            }
            alive.push_back(static_cast<int>(i));
        }
    }

    const std::vector<int> &of(int instance) const { return m_of[instance]; }

private:
    std::vector<std::vector<int>> m_of;
};

/// Lowest gaps in the order given.
MemoryLayout place(const std::vector<MemoryInstance> &instances, const Neighbours &neighbours,
                   const std::vector<int> &order)
{
    MemoryLayout layout;
    layout.offsets.assign(instances.size(), -1);
    std::vector<std::pair<std::int64_t, std::int64_t>> taken;
    for (const int i : order) {
        taken.clear();
        for (const int other : neighbours.of(i))
            if (layout.offsets[other] >= 0)
                taken.emplace_back(layout.offsets[other], layout.offsets[other] + instances[other].bytes);
        std::sort(taken.begin(), taken.end());
        std::int64_t offset = 0;
        for (const auto &[begin, end] : taken) {
            if (begin - offset >= instances[i].bytes) break;
            offset = std::max(offset, end);
        }
        layout.offsets[i] = offset;
        layout.heightBytes = std::max(layout.heightBytes, offset + instances[i].bytes);
    }
    return layout;
}

template <class Key>
std::vector<int> orderBy(const std::vector<MemoryInstance> &instances, const Key &key)
{
    std::vector<int> order(instances.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(instances[a]) > key(instances[b]); });
    return order;
}

double life(const MemoryInstance &instance)
{
    return instance.endStep - instance.firstStep;
}

/// Puts what ends at the top of the layout at the front of the order. What blocked it comes later then.
void raise(const std::vector<MemoryInstance> &instances, const MemoryLayout &layout, std::vector<int> &order)
{
    std::stable_partition(order.begin(), order.end(),
                          [&](int i) { return layout.offsets[i] + instances[i].bytes == layout.heightBytes; });
}

} // namespace

MemoryLayout layOut(const std::vector<MemoryInstance> &instances)
{
    const std::int64_t load = largestLoad(instances);
    const std::int64_t pairs = pairsTogether(instances);
    MemoryLayout best = placeAsTimeGoes(instances);
    best.loadBytes = load;
    if (best.heightBytes == load || pairs > kMostPairs) return best;

    const Neighbours neighbours(instances);
    const std::vector<std::vector<int>> starts = {
        orderBy(instances, [](const MemoryInstance &i) { return static_cast<double>(i.bytes); }),
        orderBy(instances, [](const MemoryInstance &i) { return static_cast<double>(i.bytes) * life(i); }),
        orderBy(instances, life),
        orderBy(instances, [](const MemoryInstance &i) { return -static_cast<double>(i.firstStep); }),
    };
    const std::int64_t affordable = kWork / std::max<std::int64_t>(1, 4 * pairs) + 1;
    const int rounds = static_cast<int>(std::min<std::int64_t>(kMostRounds, affordable));
    for (std::vector<int> order : starts)
        for (int round = 0; round < rounds && best.heightBytes > load; ++round) {
            MemoryLayout layout = place(instances, neighbours, order);
            raise(instances, layout, order);
            if (layout.heightBytes < best.heightBytes) best = std::move(layout);
        }
    best.loadBytes = load;
    return best;
}

} // namespace remat
