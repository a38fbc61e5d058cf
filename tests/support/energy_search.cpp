// SPDX-License-Identifier: Apache-2.0
#include "tests/support/energy_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

namespace remat::test {

namespace {

using Set = std::uint64_t;

constexpr std::size_t kMostPlanned = 64;
constexpr double kTiny = 1e-9; ///< share of what is compared

Set bitOf(std::size_t s)
{
    return Set(1) << s;
}

template <class Visit>
void forEachIn(Set set, const Visit &visit)
{
    for (; set != 0; set &= set - 1)
        visit(static_cast<std::size_t>(std::countr_zero(set)));
}

/// Time spent per lane, in µs; energy follows from it.
struct Spent {
    double compute = 0, out = 0, in = 0;
};

struct Key {
    Set held = 0, copied = 0;
    std::size_t done = 0;
    bool operator==(const Key &) const = default;
};

struct KeyHash {
    std::size_t operator()(const Key &key) const
    {
        std::uint64_t hash = key.held * 0x9E3779B97F4A7C15ULL;
        hash = (hash ^ (hash >> 29U) ^ key.copied) * 0xBF58476D1CE4E5B9ULL;
        return static_cast<std::size_t>((hash ^ (hash >> 32U) ^ key.done) * 0x94D049BB133111EBULL);
    }
};

struct Node {
    double joules = 0; ///< spent
    Key key;
    Spent spent;
    bool operator>(const Node &other) const { return joules > other.joules; }
};

class Search
{
public:
    Search(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, double joulesToBeat, double mostTimeUs,
           std::int64_t mostStates)
        : m_costs(costs), m_budget(budgetBytes), m_beat(joulesToBeat), m_mostUs(mostTimeUs), m_mostStates(mostStates)
    {
        std::vector<int> bit(graph.storages.size(), -1);
        for (std::size_t s = 0; s < graph.storages.size(); ++s) {
            if (!graph.planned(StorageId(s))) continue;
            bit[s] = static_cast<int>(m_bytes.size());
            m_bytes.push_back(graph.storages[s].bytes);
            m_copyUs.push_back(costs.linkLatencyUs +
                               1e6 * static_cast<double>(graph.storages[s].bytes) / costs.linkBytesPerSecond);
            if (graph.storages[s].isOutput) m_outputs |= bitOf(m_bytes.size() - 1);
        }
        REMAT_ASSERT(m_bytes.size() <= kMostPlanned, "a set of storages is a word");
        m_maker.assign(m_bytes.size(), 0);
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            Set reads = 0, makes = 0;
            for (const StorageId input : graph.ops[i].inputs)
                if (bit[input.index()] >= 0) reads |= bitOf(static_cast<std::size_t>(bit[input.index()]));
            for (const StorageId output : graph.ops[i].outputs) {
                makes |= bitOf(static_cast<std::size_t>(bit[output.index()]));
                m_maker[static_cast<std::size_t>(bit[output.index()])] = i;
            }
            addOp(reads, makes, costs.timeUs[i], costs.workspaceBytes[i], graph.ops[i].computeOnce);
        }
        addOp(m_outputs, 0, 0, 0, true); // the end, at which outputs are held
        findUses();
        findTightPlaces();
    }

    EnergySearch run()
    {
        EnergySearch found{true, m_beat, 0};
        reach({}, {});
        while (!m_open.empty()) {
            const Node node = m_open.top();
            m_open.pop();
            if (stale(node)) continue;
            if (++found.states > m_mostStates) {
                found.ended = false;
                return found;
            }
            if (node.key.done == ops()) {
                found.joules = joules(node.spent);
                return found;
            }
            expand(node);
        }
        return found;
    }

private:
    std::size_t ops() const { return m_reads.size(); }

    void addOp(Set reads, Set makes, double us, std::int64_t workspaceBytes, bool once)
    {
        m_reads.push_back(reads);
        m_makes.push_back(makes);
        m_us.push_back(us);
        m_workspaceBytes.push_back(workspaceBytes);
        m_once.push_back(once ? 1 : 0);
    }

    std::int64_t total(Set set) const
    {
        std::int64_t sum = 0;
        forEachIn(set, [&](std::size_t s) { sum += m_bytes[s]; });
        return sum;
    }

    double joules(const Spent &spent) const
    {
        return (m_costs.watts * spent.compute + m_costs.linkWatts * (spent.out + spent.in)) * 1e-6;
    }
    double computeJoules(std::size_t op) const { return m_costs.watts * m_us[op] * 1e-6; }
    double copyJoules(std::size_t s) const { return m_costs.linkWatts * m_copyUs[s] * 1e-6; }

    /// By first computations done: what a later first computation reads; what may be of use for one.
    void findUses()
    {
        m_needed.assign(ops() + 1, 0);
        m_useful.assign(ops() + 1, 0);
        m_made.assign(ops() + 1, 0);
        for (std::size_t i = ops(); i-- > 0;)
            m_needed[i] = m_needed[i + 1] | m_reads[i];
        for (std::size_t i = 0; i < ops(); ++i)
            m_made[i + 1] = m_made[i] | m_makes[i];
        for (std::size_t done = 0; done <= ops(); ++done) {
            m_useful[done] = m_needed[done];
            for (std::size_t i = done; i-- > 0;)
                if (m_once[i] == 0 && (m_makes[i] & m_useful[done]) != 0) m_useful[done] |= m_reads[i];
        }
        m_shares.assign(ops() + 1, std::vector<double>(m_bytes.size(), 0));
        for (std::size_t done = 0; done <= ops(); ++done)
            for (std::size_t i = 0; i < done; ++i)
                if (m_once[i] == 0 && (m_makes[i] & m_useful[done]) != 0)
                    forEachIn(m_reads[i], [&](std::size_t s) { m_shares[done][s] += 1; });
        m_leastLeft.assign(ops() + 1, 0);
        for (std::size_t i = ops(); i-- > 0;)
            m_leastLeft[i] = m_leastLeft[i + 1] + computeJoules(i);
    }

    /// First computations during which not all of what is made before and needed after has room.
    struct Tight {
        std::size_t op = 0;
        Set across = 0;
        std::int64_t room = 0;
    };

    void findTightPlaces()
    {
        for (std::size_t t = 0; t < ops(); ++t) {
            const Tight place{t, m_made[t] & m_needed[t + 1] & ~m_reads[t], roomAcross(t)};
            if (total(place.across) > place.room) m_tight.push_back(place);
        }
    }

    /// What the first computation of `t` leaves for storages that it does not touch.
    std::int64_t roomAcross(std::size_t t) const
    {
        return m_budget - m_workspaceBytes[t] - total(m_reads[t] | m_makes[t]);
    }

    using Prices = std::array<double, kMostPlanned>;

    /// The least that bringing each storage back takes, alone or with what its maker makes beside it: a fetch, or its
    /// maker, and what that reads, is not held and is not needed for itself, shared by all that could be made of it.
    Prices returnJoules(const Key &key) const
    {
        Prices joules{};
        const Set gone = ~key.held & ~m_needed[key.done];
        forEachIn(m_useful[key.done], [&](std::size_t s) { // what is made first comes first
            joules[s] = (key.copied & bitOf(s)) != 0 ? copyJoules(s) : 2 * copyJoules(s);
            const std::size_t maker = m_maker[s];
            if (m_once[maker] != 0) return;
            double again = computeJoules(maker);
            forEachIn(m_reads[maker] & gone, [&](std::size_t i) { again += joules[i] / m_shares[key.done][i]; });
            joules[s] = std::min(joules[s], again / std::popcount(m_makes[maker]));
        });
        return joules;
    }

    double leastLeft(const Key &key) const
    {
        const Set missing = m_made[key.done] & m_needed[key.done] & ~key.held;
        Prices prices = returnJoules(key);
        double back = 0;
        forEachIn(missing, [&](std::size_t s) { back += prices[s]; });
        return m_leastLeft[key.done] + back + leastAcross(key, missing, prices);
    }

    /// What is not missing yet and has to be at the tight places that are left: a bound on the linear program that
    /// brings back fractions of storages, so that at each place as much is missing as has to be. Its dual is raised for
    /// one place after the other, from the one that asks for most on; what a place has paid for is cheaper for the
    /// others.
    double leastAcross(const Key &key, Set missing, Prices &prices) const
    {
        const Tight *first = nullptr;
        double most = 0;
        for (const Tight &place : m_tight) {
            if (place.op < key.done) continue;
            const double alone = raise(place, missing, prices, nullptr);
            if (alone <= most) continue;
            most = alone;
            first = &place;
        }
        if (!first || std::isinf(most)) return most;
        double sum = raise(*first, missing, prices, &prices);
        for (const Tight &place : m_tight)
            if (&place != first && place.op >= key.done) sum += raise(place, missing, prices, &prices);
        return sum;
    }

    /// The cheapest fractions of what has to be missing at a place; `paid` are the prices without what that pays.
    double raise(const Tight &place, Set missing, const Prices &prices, Prices *paid) const
    {
        std::int64_t excess = total(place.across & ~missing) - place.room;
        if (excess <= 0) return 0;
        std::array<std::pair<double, std::size_t>, kMostPlanned> by{};
        std::size_t count = 0;
        forEachIn(place.across & ~missing, [&](std::size_t s) {
            if (m_bytes[s] > 0) by[count++] = {prices[s] / static_cast<double>(m_bytes[s]), s};
        });
        std::sort(by.begin(), by.begin() + static_cast<std::ptrdiff_t>(count));
        double sum = 0, level = 0;
        for (std::size_t k = 0; k < count && excess > 0; ++k) {
            level = by[k].first;
            sum += level * static_cast<double>(std::min(excess, m_bytes[by[k].second]));
            excess -= m_bytes[by[k].second];
        }
        if (excess > 0) return std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; paid && k < count; ++k)
            (*paid)[by[k].second] = std::max(by[k].first - level, 0.0) * static_cast<double>(m_bytes[by[k].second]);
        return sum;
    }

    static bool noWorse(const Spent &a, const Spent &b)
    {
        return a.compute <= b.compute * (1 + kTiny) && a.out <= b.out * (1 + kTiny) && a.in <= b.in * (1 + kTiny);
    }

    /// Something as good came to the state since.
    bool stale(const Node &node) const
    {
        const std::vector<Spent> &known = m_known.at(node.key);
        return std::none_of(known.begin(), known.end(), [&](const Spent &spent) {
            return spent.compute == node.spent.compute && spent.out == node.spent.out && spent.in == node.spent.in;
        });
    }

    void reach(Key key, const Spent &spent)
    {
        if (std::max({spent.compute, spent.out, spent.in}) > m_mostUs * (1 + kTiny)) return;
        key.held &= m_useful[key.done];
        key.copied &= m_useful[key.done];
        if (!(joules(spent) + leastLeft(key) < m_beat * (1 - kTiny))) return;
        std::vector<Spent> &known = m_known[key];
        const bool timed = std::isfinite(m_mostUs);
        const auto covers = [&](const Spent &a, const Spent &b) {
            return timed ? noWorse(a, b) : joules(a) <= joules(b) * (1 + kTiny);
        };
        if (std::any_of(known.begin(), known.end(), [&](const Spent &each) { return covers(each, spent); })) return;
        std::erase_if(known, [&](const Spent &each) { return covers(spent, each); });
        known.push_back(spent);
        m_open.push({joules(spent), key, spent});
    }

    void expand(const Node &node)
    {
        const std::size_t done = node.key.done;
        compute(node, done);
        for (std::size_t i = 0; i < done; ++i)
            if (m_once[i] == 0 && (m_makes[i] & m_useful[done] & ~node.key.held) != 0) compute(node, i);
    }

    /// Fetches what `op` reads and is missing, lets go what has to, and computes.
    void compute(const Node &from, std::size_t op)
    {
        const Set missing = m_reads[op] & ~from.key.held;
        if ((missing & ~m_made[from.key.done]) != 0) return;
        Node to = from;
        forEachIn(missing, [&](std::size_t s) { fetch(to, s); });
        const std::int64_t takes = m_workspaceBytes[op] + total(m_makes[op]) + total(to.key.held);
        to.spent.compute += m_us[op];
        if (op == from.key.done) ++to.key.done;
        const Set mayGo = to.key.held & ~m_reads[op];
        to.key.held |= m_makes[op];
        makeRoom(to, m_makes[op], mayGo, takes - m_budget, 0);
    }

    void fetch(Node &node, std::size_t s) const
    {
        if ((node.key.copied & bitOf(s)) == 0) node.spent.out += m_copyUs[s];
        node.spent.in += m_copyUs[s];
        node.key.copied |= bitOf(s);
        node.key.held |= bitOf(s);
    }

    /// Reaches the state for each choice of `mayGo` that is just large enough. `smallest`: bytes, of what goes already.
    /// What more goes never makes a state cheaper, so a choice that costs too much is not made larger.
    void makeRoom(const Node &node, Set makes, Set mayGo, std::int64_t excess, std::int64_t smallest)
    {
        if (excess <= 0) {
            if (smallest == 0 || excess + smallest > 0) reach(node.key, node.spent);
            return;
        }
        if (!(joules(node.spent) + leastLeft(node.key) < m_beat * (1 - kTiny))) return;
        while (mayGo != 0) {
            const auto s = static_cast<std::size_t>(std::countr_zero(mayGo));
            mayGo &= mayGo - 1;
            if (m_bytes[s] == 0) continue;
            Node next = node;
            next.key.held &= ~bitOf(s) | makes; // an older copy of what is made goes, the new one stays
            makeRoom(next, makes, mayGo, excess - m_bytes[s],
                     smallest == 0 ? m_bytes[s] : std::min(smallest, m_bytes[s]));
        }
    }

    const CostTable &m_costs;
    const std::int64_t m_budget;
    const double m_beat, m_mostUs;
    const std::int64_t m_mostStates;
    std::vector<std::int64_t> m_bytes; ///< per planned storage, as the next two
    std::vector<double> m_copyUs;
    std::vector<std::size_t> m_maker;
    std::vector<Set> m_reads, m_makes; ///< per op, as the next three; the last one is the end
    std::vector<double> m_us;
    std::vector<std::int64_t> m_workspaceBytes;
    std::vector<char> m_once;
    std::vector<Set> m_needed, m_useful, m_made; ///< per number of first computations done
    std::vector<double> m_leastLeft;             ///< joules of the first computations that are left
    std::vector<std::vector<double>> m_shares;   ///< likewise, by storage: ops that could make something of it again
    std::vector<Tight> m_tight;
    Set m_outputs = 0;
    std::unordered_map<Key, std::vector<Spent>, KeyHash> m_known;
    std::priority_queue<Node, std::vector<Node>, std::greater<>> m_open;
};

} // namespace

EnergySearch searchLessEnergy(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes, double joulesToBeat,
                              double mostTimeUs, std::int64_t mostStates)
{
    return Search(graph, costs, budgetBytes, joulesToBeat, mostTimeUs, mostStates).run();
}

} // namespace remat::test
