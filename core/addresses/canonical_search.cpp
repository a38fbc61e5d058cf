// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/canonical_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

namespace remat {

namespace {

constexpr std::int64_t kUnplaced = -1;
constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();
/// A branch is as deep as there are instances, and lives on the stack.
constexpr std::size_t kMostInstances = 20'000;
/// Between two looks at the stop.
constexpr std::int64_t kNodesPerLook = 64;

/// Time is cut where instances begin and end: sections, in which the same ones are alive throughout.
struct Item {
    std::size_t first = 0, end = 0; ///< sections
    std::int64_t bytes = 0;
    std::vector<std::size_t> together; ///< items that are alive at the same time
};

struct Problem {
    std::vector<Item> items;
    std::vector<std::vector<std::size_t>> alive; ///< per section
    std::int64_t capacity = 0;
};

Problem makeProblem(const std::vector<MemoryInstance> &instances, std::int64_t capacity)
{
    Problem problem;
    problem.capacity = capacity;
    std::vector<std::int32_t> times;
    for (const MemoryInstance &instance : instances) {
        times.push_back(instance.firstStep);
        times.push_back(instance.endStep);
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const auto section = [&](std::int32_t time) {
        return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
    };
    problem.alive.resize(times.empty() ? 0 : times.size() - 1);
    for (const MemoryInstance &instance : instances) {
        Item item{section(instance.firstStep), section(instance.endStep), instance.bytes, {}};
        for (std::size_t s = item.first; s < item.end; ++s)
            problem.alive[s].push_back(problem.items.size());
        problem.items.push_back(std::move(item));
    }
    // Each pair once: in the section where the later of the two begins.
    for (std::size_t s = 0; s < problem.alive.size(); ++s)
        for (const std::size_t item : problem.alive[s]) {
            if (problem.items[item].first != s) continue;
            for (const std::size_t other : problem.alive[s]) {
                if (problem.items[other].first == s && other >= item) continue;
                problem.items[item].together.push_back(other);
                problem.items[other].together.push_back(item);
            }
        }
    return problem;
}

/// Orders of items that are tried in turn; the names are MiniMalloc's: width, area, total.
enum class Preorder : std::uint8_t { WidthAreaTotal, TotalAreaWidth, TotalWidthArea };
constexpr std::array<Preorder, 3> kPreorders = {Preorder::WidthAreaTotal, Preorder::TotalAreaWidth,
                                                Preorder::TotalWidthArea};

std::vector<std::size_t> ranks(const Problem &problem, Preorder preorder)
{
    std::vector<std::int64_t> load(problem.alive.size(), 0);
    for (std::size_t s = 0; s < load.size(); ++s)
        for (const std::size_t item : problem.alive[s])
            load[s] += problem.items[item].bytes;
    using Key = std::tuple<double, double, double>;
    std::vector<Key> keys;
    for (const Item &item : problem.items) {
        const auto width = static_cast<double>(item.end - item.first);
        const double area = width * static_cast<double>(item.bytes);
        const auto total = static_cast<double>(*std::max_element(load.begin() + static_cast<std::ptrdiff_t>(item.first),
                                                                 load.begin() + static_cast<std::ptrdiff_t>(item.end)));
        keys.push_back(preorder == Preorder::WidthAreaTotal   ? Key{width, area, total}
                       : preorder == Preorder::TotalAreaWidth ? Key{total, area, width}
                                                              : Key{total, width, area});
    }
    std::vector<std::size_t> order(problem.items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] > keys[b]; });
    std::vector<std::size_t> rank(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        rank[order[i]] = i;
    return rank;
}

/// The same order with some exchanged at random: a search that went wrong at its beginning starts elsewhere.
std::vector<std::size_t> disturbed(std::vector<std::size_t> rank, std::mt19937_64 &random)
{
    for (std::size_t i = 0; i < rank.size() / 4; ++i) {
        const std::size_t one = random() % rank.size();
        std::swap(rank[one], rank[random() % rank.size()]);
    }
    return rank;
}

class Search
{
public:
    Search(const Problem &problem, std::vector<std::size_t> rank, std::int64_t mostNodes, const StopCheck &stop)
        : m_problem(problem),
          m_rank(std::move(rank)),
          m_nodesLeft(mostNodes),
          m_stop(stop),
          m_offset(problem.items.size(), kUnplaced),
          m_lowest(problem.items.size(), 0),
          m_floor(problem.alive.size(), 0),
          m_toCome(problem.alive.size(), 0),
          m_across(problem.alive.size() + 1, 0),
          m_touched(problem.alive.size(), 0)
    {
        for (const Item &item : problem.items) {
            for (std::size_t s = item.first; s < item.end; ++s)
                m_toCome[s] += item.bytes;
            for (std::size_t s = item.first + 1; s < item.end; ++s)
                ++m_across[s];
        }
    }

    SearchEnd run()
    {
        std::vector<std::size_t> all(m_problem.items.size());
        std::iota(all.begin(), all.end(), 0U);
        m_found.assign(all.size(), 0);
        for (std::size_t s = 0; s < m_floor.size(); ++s)
            if (slack(s) < 0) return SearchEnd::Impossible;
        return apart(all, 0, m_floor.size());
    }
    const std::vector<std::int64_t> &offsets() const { return m_found; }
    std::int64_t nodesLeft() const { return m_nodesLeft; }

private:
    struct Change {
        std::size_t index = 0;
        std::int64_t before = 0;
    };
    struct Undo {
        std::vector<Change> floors, lowest;
    };

    /// Takes the sections apart where nothing that is to be placed goes across, and searches each part.
    SearchEnd apart(const std::vector<std::size_t> &items, std::size_t first, std::size_t end)
    {
        if (items.empty()) return SearchEnd::Found;
        std::vector<std::size_t> borders = {first};
        for (std::size_t s = first + 1; s < end; ++s)
            if (m_across[s] == 0) borders.push_back(s);
        if (borders.size() == 1) return choose(items, first, end);
        borders.push_back(end);
        std::vector<std::vector<std::size_t>> parts(borders.size() - 1);
        for (const std::size_t item : items) {
            const auto after = std::upper_bound(borders.begin(), borders.end(), m_problem.items[item].first);
            parts[static_cast<std::size_t>(after - borders.begin()) - 1].push_back(item);
        }
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if (parts[p].empty()) continue;
            const SearchEnd result = choose(parts[p], borders[p], borders[p + 1]);
            if (result != SearchEnd::Found) return result;
        }
        return SearchEnd::Found;
    }

    std::int64_t slack(std::size_t section) const { return m_problem.capacity - m_floor[section] - m_toCome[section]; }

    /// Sections of one floor with higher ones, or nothing, at both sides: what lies on that floor lies between them.
    struct Valley {
        std::size_t first = 0, end = 0;
    };

    bool mayLieOn(std::size_t item, std::int64_t floor) const
    {
        return m_offset[item] == kUnplaced && m_lowest[item] == floor;
    }

    struct Place {
        Valley valley;
        std::size_t section = 0;
    };

    /// On a valley's floor, in each section, lies one of those that may, or nothing. The section without room to spare,
    /// where there is one, that leaves the fewest choices.
    Place tightestPlace(std::size_t first, std::size_t end) const
    {
        Place best;
        std::tuple<bool, std::int64_t, std::int64_t> bestKey{true, kEndless, kEndless};
        for (std::size_t begin = first; begin < end;) {
            const std::int64_t floor = m_floor[begin];
            std::size_t stop = begin + 1;
            while (stop < end && m_floor[stop] == floor)
                ++stop;
            const bool low = (begin == first || m_floor[begin - 1] > floor) && (stop == end || m_floor[stop] > floor);
            for (std::size_t s = begin; low && s < stop; ++s) {
                const std::int64_t choices = std::count_if(m_problem.alive[s].begin(), m_problem.alive[s].end(),
                                                           [&](std::size_t item) { return mayLieOn(item, floor); });
                const std::tuple key{slack(s) > 0, choices, slack(s)};
                if (key >= bestKey) continue;
                bestKey = key;
                best = {{begin, stop}, s};
            }
            begin = stop;
        }
        return best;
    }

    /// Places all items, which lie in these sections. What is found stays in `m_found`; the state is as before.
    SearchEnd choose(const std::vector<std::size_t> &items, std::size_t first, std::size_t end)
    {
        if (m_nodesLeft <= 0) return SearchEnd::Unknown;
        if (--m_nodesLeft % kNodesPerLook == 0 && m_stop && m_stop()) {
            m_nodesLeft = 0;
            return SearchEnd::Unknown;
        }
        const auto [valley, section] = tightestPlace(first, end);
        const std::int64_t floor = m_floor[section];
        std::vector<std::size_t> order;
        std::copy_if(m_problem.alive[section].begin(), m_problem.alive[section].end(), std::back_inserter(order),
                     [&](std::size_t item) { return mayLieOn(item, floor); });
        // What ends level with its neighbours leaves no new valley.
        const auto level = [&](std::size_t item) {
            const Item &at = m_problem.items[item];
            const std::int64_t top = floor + at.bytes;
            return (at.first > first && m_floor[at.first - 1] == top ? 1 : 0) +
                   (at.end < end && m_floor[at.end] == top ? 1 : 0);
        };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const int levelA = level(a), levelB = level(b);
            return levelA != levelB ? levelA > levelB : m_rank[a] < m_rank[b];
        });
        for (const std::size_t item : order) {
            const Undo undo = place(item);
            SearchEnd result = SearchEnd::Impossible;
            if (fits(undo)) {
                std::vector<std::size_t> rest;
                rest.reserve(items.size());
                std::copy_if(items.begin(), items.end(), std::back_inserter(rest),
                             [&](std::size_t other) { return m_offset[other] == kUnplaced; });
                result = apart(rest, first, end);
            }
            if (result == SearchEnd::Found) m_found[item] = floor;
            takeBack(undo, item);
            if (result != SearchEnd::Impossible) return result;
        }
        return leaveEmpty(items, first, end, valley, section);
    }

    /// Nothing lies on the floor of this section.
    SearchEnd leaveEmpty(const std::vector<std::size_t> &items, std::size_t first, std::size_t end,
                         const Valley &valley, std::size_t section)
    {
        const std::int64_t floor = m_floor[section];
        // What might have lain there lies on something beside the section then.
        std::int64_t beside = kEndless;
        for (std::size_t s = valley.first; s < valley.end; ++s)
            for (const std::size_t item : m_problem.alive[s])
                if (m_offset[item] == kUnplaced &&
                    (m_problem.items[item].first > section || m_problem.items[item].end <= section))
                    beside = std::min(beside, m_lowest[item] + m_problem.items[item].bytes);
        std::int64_t next = kEndless;
        for (const std::size_t item : m_problem.alive[section])
            if (m_offset[item] == kUnplaced) next = std::min(next, mayLieOn(item, floor) ? beside : m_lowest[item]);
        if (next == kEndless || next + m_toCome[section] > m_problem.capacity) return SearchEnd::Impossible;
        Undo undo;
        undo.floors.push_back({section, floor});
        m_floor[section] = next;
        std::vector<std::size_t> raised;
        for (const std::size_t item : m_problem.alive[section])
            if (m_offset[item] == kUnplaced && m_lowest[item] < next) raised.push_back(item);
        raise(raised, next, undo);
        const SearchEnd result = fits(undo) ? choose(items, first, end) : SearchEnd::Impossible;
        takeBack(undo, kNobody);
        return result;
    }

    Undo place(std::size_t item)
    {
        const Item &placed = m_problem.items[item];
        const std::int64_t top = m_lowest[item] + placed.bytes;
        m_offset[item] = m_lowest[item];
        Undo undo;
        for (std::size_t s = placed.first; s < placed.end; ++s) {
            undo.floors.push_back({s, m_floor[s]});
            m_floor[s] = top;
            m_toCome[s] -= placed.bytes;
        }
        for (std::size_t s = placed.first + 1; s < placed.end; ++s)
            --m_across[s];
        std::vector<std::size_t> raised;
        for (const std::size_t other : placed.together)
            if (m_offset[other] == kUnplaced && m_lowest[other] < top) raised.push_back(other);
        raise(raised, top, undo);
        return undo;
    }

    /// These lie at `least` or above; so the floor of a section is no lower than the lowest that may still come there.
    void raise(const std::vector<std::size_t> &items, std::int64_t least, Undo &undo)
    {
        ++m_stamp;
        std::vector<std::size_t> touched;
        for (const std::size_t item : items) {
            undo.lowest.push_back({item, m_lowest[item]});
            m_lowest[item] = least;
            for (std::size_t s = m_problem.items[item].first; s < m_problem.items[item].end; ++s)
                if (std::exchange(m_touched[s], m_stamp) != m_stamp) touched.push_back(s);
        }
        for (const std::size_t s : touched) {
            std::int64_t lowest = kEndless;
            for (const std::size_t other : m_problem.alive[s])
                if (m_offset[other] == kUnplaced) lowest = std::min(lowest, m_lowest[other]);
            if (lowest == kEndless || lowest <= m_floor[s]) continue;
            undo.floors.push_back({s, m_floor[s]});
            m_floor[s] = lowest;
        }
    }

    void takeBack(const Undo &undo, std::size_t item)
    {
        for (auto change = undo.floors.rbegin(); change != undo.floors.rend(); ++change)
            m_floor[change->index] = change->before;
        for (auto change = undo.lowest.rbegin(); change != undo.lowest.rend(); ++change)
            m_lowest[change->index] = change->before;
        if (item == kNobody) return;
        const Item &placed = m_problem.items[item];
        for (std::size_t s = placed.first; s < placed.end; ++s)
            m_toCome[s] += placed.bytes;
        for (std::size_t s = placed.first + 1; s < placed.end; ++s)
            ++m_across[s];
        m_offset[item] = kUnplaced;
    }

    /// What is to come fits over the floors that changed.
    bool fits(const Undo &undo) const
    {
        return std::all_of(undo.floors.begin(), undo.floors.end(), [&](const Change &change) {
            return m_toCome[change.index] == 0 || slack(change.index) >= 0;
        });
    }

    const Problem &m_problem;
    std::vector<std::size_t> m_rank;
    std::int64_t m_nodesLeft;
    const StopCheck &m_stop;
    std::vector<std::int64_t> m_offset, m_lowest, m_found; ///< per item
    std::vector<std::int64_t> m_floor, m_toCome;           ///< per section
    std::vector<int> m_across; ///< per section, items to be placed that are alive before it too
    std::vector<std::int64_t> m_touched;
    std::int64_t m_stamp = 0;
};

} // namespace

SearchResult searchLayout(const std::vector<MemoryInstance> &instances, std::int64_t capacityBytes,
                          std::int64_t mostNodes, const StopCheck &stop)
{
    SearchResult result;
    if (instances.size() > kMostInstances) return result;
    const Problem problem = makeProblem(instances, capacityBytes);
    // The first share is for a dive to the bottom.
    std::int64_t share = 2 * static_cast<std::int64_t>(instances.size()) + 1;
    std::mt19937_64 random(problem.items.size());
    std::array<std::vector<std::size_t>, 2 * kPreorders.size()> orders;
    for (std::size_t i = 0; i < kPreorders.size(); ++i)
        orders[i] = ranks(problem, kPreorders[i]);
    while (result.nodes < mostNodes && !(stop && stop())) {
        for (std::size_t i = 0; i < orders.size(); ++i) {
            if (i >= kPreorders.size()) orders[i] = disturbed(orders[i - kPreorders.size()], random);
            const std::int64_t most = std::min(share, mostNodes - result.nodes);
            Search search(problem, orders[i], most, stop);
            const SearchEnd end = search.run();
            result.nodes += most - std::max<std::int64_t>(0, search.nodesLeft());
            if (end == SearchEnd::Unknown) continue;
            result.end = end;
            if (end == SearchEnd::Found) result.offsets = search.offsets();
            return result;
        }
        share += share / 4;
    }
    return result;
}

} // namespace remat
