// SPDX-License-Identifier: Apache-2.0
#include "solvers/puzzles/search.h"

#include "solvers/puzzles/arena.h"
#include "solvers/puzzles/sets.h"

#include <algorithm>
#include <queue>

namespace remat {

namespace {

using Set = PuzzleSet;

/// A position in full; the arena keeps it packed. Times are picoseconds from now.
struct Live {
    Set held, host;
    std::uint64_t spent = 0; ///< ops that were computed and may not be again
    std::int64_t toHost = 0, toDevice = 0;
    std::vector<std::int64_t> flying; ///< per storage, with copies: until one out ends; negative: one that comes in
    std::vector<std::int64_t> offset; ///< per storage, for puzzles with addresses
};

struct Cost {
    std::int64_t timePs = 0, copied = 0;
    auto operator<=>(const Cost &) const = default;
};

/// How a position was reached.
struct Edge {
    std::int32_t from = -1;
    StepKind kind = StepKind::Compute;
    bool top = false;
    std::int16_t id = -1;
};

class Search
{
public:
    Search(const Puzzle &puzzle, std::int64_t budgetBytes, const PuzzleEffort &effort)
        : m_puzzle(puzzle), m_sets(puzzle), m_budget(budgetBytes), m_effort(effort), m_arena(words())
    {
        for (const Storage &storage : puzzle.graph.storages)
            m_copyPs.push_back(
                PuzzleSets::picoseconds(puzzle.costs.linkLatencyUs +
                                        static_cast<double>(storage.bytes) / puzzle.costs.linkBytesPerSecond * 1e6));
    }

    PuzzleWay run(const PuzzlePosition &from, std::int64_t most, int weight)
    {
        m_weight = weight;
        m_most = most;
        const Live start = liveOf(from);
        reach(start, {}, {});
        PuzzleWay way;
        while (!m_open.empty()) {
            const Entry entry = m_open.top();
            m_open.pop();
            const auto node = static_cast<std::size_t>(entry.node);
            if (m_cost[node] != entry.cost) continue; // reached more cheaply since
            if (entry.last) {
                way.end = weight == 1 ? PuzzleEnd::Proven : PuzzleEnd::Found;
                way.moves = movesTo(entry.node, start.held);
                break;
            }
            expand(entry);
            if (!inRoom() || (m_effort.stop && m_effort.stop())) {
                way.positions = m_arena.size();
                way.tried = m_tried;
                return way;
            }
        }
        if (way.end == PuzzleEnd::Unknown) way.end = PuzzleEnd::NoWay;
        way.positions = m_arena.size();
        way.tried = m_tried;
        return way;
    }

private:
    struct Entry {
        Cost whole; ///< with what must follow
        Cost cost;  ///< so far
        std::int32_t node = -1;
        bool last = false;                       ///< a finished position, with its last copies ended
        bool operator<(const Entry &other) const // the top of the queue is the largest
        {
            if (whole != other.whole) return whole > other.whole;
            return cost < other.cost; // among equals the one that is nearer to its end
        }
    };

    bool copies() const { return m_puzzle.rules.copies; }
    bool addresses() const { return m_puzzle.rules.addresses; }

    std::size_t words() const
    {
        const std::size_t storages = m_puzzle.graph.storages.size();
        return 3 + (copies() ? 4 + storages : 0) + (addresses() ? storages : 0);
    }

    void pack(const Live &live, std::vector<std::uint64_t> &into) const
    {
        into.assign({live.held.low, live.held.high, live.spent});
        const auto add = [&into](std::int64_t value) { into.push_back(static_cast<std::uint64_t>(value)); };
        if (copies()) {
            into.insert(into.end(), {live.host.low, live.host.high});
            add(live.toHost);
            add(live.toDevice);
            for (const std::int64_t each : live.flying)
                add(each);
        }
        if (addresses())
            for (const std::int64_t each : live.offset)
                add(each);
    }

    Live unpack(std::int32_t node) const
    {
        const std::uint64_t *word = m_arena.at(static_cast<std::size_t>(node));
        const std::size_t storages = m_puzzle.graph.storages.size();
        Live live;
        live.held = {word[0], word[1]};
        live.spent = word[2];
        word += 3;
        if (copies()) {
            live.host = {word[0], word[1]};
            live.toHost = static_cast<std::int64_t>(word[2]);
            live.toDevice = static_cast<std::int64_t>(word[3]);
            live.flying.assign(word + 4, word + 4 + storages);
            word += 4 + storages;
        }
        if (addresses()) live.offset.assign(word, word + storages);
        return live;
    }

    Live liveOf(const PuzzlePosition &from) const
    {
        const std::size_t storages = m_puzzle.graph.storages.size();
        const auto left = [&from](double untilUs) {
            return untilUs > from.nowUs ? PuzzleSets::picoseconds(untilUs - from.nowUs) : 0;
        };
        Live live;
        if (copies()) live.flying.resize(storages);
        if (addresses()) live.offset.resize(storages);
        for (std::size_t s = 0; s < storages; ++s) {
            if (!m_puzzle.graph.planned(StorageId(s))) continue;
            const PuzzleStorage &storage = from.storages[s];
            if (storage.held) live.held.add(s);
            if (storage.hostReadyUs >= 0) live.host.add(s);
            if (copies() && storage.held)
                live.flying[s] = storage.readyUs > from.nowUs ? -left(storage.readyUs) : left(storage.busyUntilUs);
            if (addresses() && storage.held) live.offset[s] = storage.offsetBytes;
        }
        for (std::size_t op = 0; op < from.computed.size(); ++op)
            if (from.computed[op] > 0 && m_sets.once(op)) live.spent |= std::uint64_t(1) << op;
        live.toHost = left(from.toHostFreeUs);
        live.toDevice = left(from.toDeviceFreeUs);
        return live;
    }

    void reach(Live live, const Cost &cost, const Edge &edge)
    {
        ++m_tried;
        if (m_effort.dominance && !copies() && !addresses()) m_sets.dropDominated(live.held, live.spent);
        const Set missing = m_sets.results() - live.held;
        const std::int64_t rest = m_sets.restPs(live.held | live.host, live.spent);
        if (rest < 0) return; // something is gone for good
        pack(live, m_packed);
        const auto [node, isNew] = m_arena.put(m_packed);
        if (isNew) {
            m_cost.push_back(cost);
            m_edge.push_back(edge);
        } else {
            if (cost >= m_cost[node]) return;
            m_cost[node] = cost;
            m_edge[node] = edge;
        }
        const bool done = missing.empty() && m_sets.onceDone(live.spent);
        Cost whole = cost;
        whole.timePs += m_weight * rest + (done ? std::max(live.toHost, live.toDevice) : 0);
        m_open.push({whole, cost, static_cast<std::int32_t>(node), done});
    }

    void expand(const Entry &entry)
    {
        const Live live = unpack(entry.node);
        const std::uint64_t ops = m_sets.useful(live.held, live.spent);
        if (addresses()) {
            expandPlaced(entry, live, ops);
            return;
        }
        for (std::size_t op = 0; op < m_sets.ops(); ++op)
            if ((ops >> op & 1U) != 0 && (m_sets.reads(op) - live.held).empty()) compute(entry, live, op);
        if (copies()) expandCopies(entry, live);
    }

    /// Time goes on: what was under way is nearer to its end.
    static void pass(Live &live, std::int64_t ps)
    {
        if (ps <= 0) return;
        live.toHost = std::max<std::int64_t>(0, live.toHost - ps);
        live.toDevice = std::max<std::int64_t>(0, live.toDevice - ps);
        for (std::int64_t &each : live.flying)
            each = each > 0 ? std::max<std::int64_t>(0, each - ps) : std::min<std::int64_t>(0, each + ps);
    }

    /// Frees, and waits for what is copied from or to it. Returns how long.
    std::int64_t drop(Live &live, const Set &storages) const
    {
        live.held = live.held - storages;
        if (!copies()) return 0;
        std::int64_t waited = 0;
        storages.each([&](std::size_t s) { waited = std::max(waited, std::abs(live.flying[s])); });
        pass(live, waited);
        return waited;
    }

    bool inRoom() const { return m_tried <= m_most; }

    void compute(const Entry &entry, const Live &live, std::size_t op)
    {
        // A copy that is still there would count twice: it goes first, unless it is a result.
        const Set again = (m_sets.makes(op) & live.held) - m_sets.results();
        const Set may = live.held - m_sets.reads(op) - m_sets.makes(op) - m_sets.results();
        const std::int64_t needed = m_sets.bytes(live.held - again) + m_sets.making(op) - m_budget;
        m_sets.eachRoom(may, needed, [&](const Set &dropped) {
            Live next = live;
            std::int64_t ps = drop(next, dropped | again);
            std::int64_t took = m_sets.timePs(op);
            if (copies()) {
                std::int64_t wait = 0;
                m_sets.reads(op).each([&](std::size_t s) { wait = std::max(wait, -next.flying[s]); });
                took += wait;
            }
            pass(next, took);
            next.held = next.held | m_sets.makes(op);
            if (m_sets.once(op)) next.spent |= std::uint64_t(1) << op;
            reach(std::move(next), {entry.cost.timePs + ps + took, entry.cost.copied},
                  edge(entry, StepKind::Compute, op));
            return inRoom();
        });
    }

    static Edge edge(const Entry &entry, StepKind kind, std::size_t id, bool top = false)
    {
        return {entry.node, kind, top, static_cast<std::int16_t>(id)};
    }

    /// Copies out of what is held and may be of use, and back of what is not.
    void expandCopies(const Entry &entry, const Live &live)
    {
        const Set useful = m_sets.usefulStorages(live.held, live.spent);
        ((live.held & useful) - live.host - m_sets.results()).each([&](std::size_t s) {
            Live next = live;
            next.toHost = std::max(next.toHost, -next.flying[s]) + m_copyPs[s];
            next.flying[s] = next.toHost;
            next.host.add(s);
            reach(std::move(next), {entry.cost.timePs, entry.cost.copied + m_sets.bytes(s)},
                  edge(entry, StepKind::Offload, s));
        });
        ((live.host & useful) - live.held).each([&](std::size_t s) {
            const std::int64_t needed = m_sets.bytes(live.held) + m_sets.bytes(s) - m_budget;
            m_sets.eachRoom(live.held - m_sets.results(), needed, [&](const Set &dropped) {
                Live next = live;
                const std::int64_t ps = drop(next, dropped);
                next.toDevice += m_copyPs[s];
                next.flying[s] = -next.toDevice;
                next.held.add(s);
                reach(std::move(next), {entry.cost.timePs + ps, entry.cost.copied + m_sets.bytes(s)},
                      edge(entry, StepKind::Prefetch, s));
                return inRoom();
            });
        });
    }

    /// Where addresses matter, computing takes room at one end, and anything may be freed at any time.
    void expandPlaced(const Entry &entry, const Live &live, std::uint64_t ops)
    {
        const AddressSpace space = spaceOf(live);
        for (std::size_t op = 0; op < m_sets.ops(); ++op) {
            const Set &makes = m_sets.makes(op);
            if ((ops >> op & 1U) == 0 || !(m_sets.reads(op) - live.held).empty() || !(makes & live.held).empty())
                continue;
            makes.each([&](std::size_t s) {
                for (const bool top : {false, true}) {
                    AddressSpace with = space;
                    const std::int64_t offset =
                        with.allocate(m_sets.bytes(s), static_cast<int>(s), top ? AddressEnd::Right : AddressEnd::Left);
                    if (offset < 0 || m_sets.bytes(live.held) + m_sets.making(op) > m_budget) continue;
                    Live next = live;
                    next.held.add(s);
                    next.offset[s] = offset;
                    if (m_sets.once(op)) next.spent |= std::uint64_t(1) << op;
                    reach(std::move(next), {entry.cost.timePs + m_sets.timePs(op), entry.cost.copied},
                          edge(entry, StepKind::Compute, op, top));
                }
            });
        }
        (live.held - m_sets.results()).each([&](std::size_t s) {
            Live next = live;
            Set one;
            one.add(s);
            next.held = next.held - one;
            next.offset[s] = 0;
            reach(std::move(next), entry.cost, edge(entry, StepKind::Free, s));
        });
    }

    /// The memory as the player's: of the puzzle's size, not that of a smaller budget that is asked about.
    AddressSpace spaceOf(const Live &live) const
    {
        AddressSpace space(m_puzzle.budgetBytes);
        std::vector<std::pair<std::int64_t, std::size_t>> placed;
        live.held.each([&](std::size_t s) { placed.emplace_back(live.offset[s], s); });
        std::sort(placed.begin(), placed.end());
        std::vector<std::int64_t> gaps;
        std::int64_t end = 0;
        for (const auto &[offset, s] : placed) {
            if (offset > end) { // a filler, so that the next one lands where it lies
                space.allocate(offset - end, MemoryPiece::kPinned, AddressEnd::Left);
                gaps.push_back(end);
            }
            if (m_sets.bytes(s) > 0) space.allocate(m_sets.bytes(s), static_cast<int>(s), AddressEnd::Left);
            end = std::max(end, offset + m_sets.bytes(s));
        }
        for (const std::int64_t gap : gaps)
            space.free(gap);
        return space;
    }

    std::vector<PuzzleMove> movesTo(std::int32_t last, const Set &heldAtFirst) const
    {
        std::vector<std::int32_t> path;
        for (std::int32_t node = last; node >= 0; node = m_edge[static_cast<std::size_t>(node)].from)
            path.push_back(node);
        std::reverse(path.begin(), path.end());
        std::vector<PuzzleMove> moves;
        const auto free = [&moves](const Set &storages) {
            storages.each([&](std::size_t s) { moves.push_back({Step::free(StorageId(s)), false}); });
        };
        Set held = unpack(path.front()).held;
        free(heldAtFirst - held);
        for (std::size_t i = 1; i < path.size(); ++i) {
            const Edge &edge = m_edge[static_cast<std::size_t>(path[i])];
            const Set next = unpack(path[i]).held;
            const auto id = static_cast<std::size_t>(edge.id);
            if (edge.kind == StepKind::Compute) {
                const Set &reads = m_sets.reads(id), &makes = m_sets.makes(id);
                const Set before = ((held - next - reads) | (held & makes)) - m_sets.results();
                free(before);
                moves.push_back({Step::compute(OpId(id)), edge.top});
                free(((held - before) | makes) - next);
            } else {
                if (edge.kind == StepKind::Prefetch) free(held - next);
                const StorageId storage(id);
                moves.push_back({edge.kind == StepKind::Free      ? Step::free(storage)
                                 : edge.kind == StepKind::Offload ? Step::offload(storage)
                                                                  : Step::prefetch(storage),
                                 false});
            }
            held = next;
        }
        while (!moves.empty() && moves.back().step.kind == StepKind::Free)
            moves.pop_back(); // everything is there by then
        return moves;
    }

    const Puzzle &m_puzzle;
    PuzzleSets m_sets;
    std::int64_t m_budget;
    const PuzzleEffort &m_effort;
    PuzzleArena m_arena;
    std::vector<Cost> m_cost; ///< per position
    std::vector<Edge> m_edge;
    std::vector<std::int64_t> m_copyPs; ///< per storage
    std::priority_queue<Entry> m_open;
    std::vector<std::uint64_t> m_packed;
    std::int64_t m_most = 0, m_tried = 0;
    int m_weight = 1;
};

} // namespace

PuzzleWay bestWay(const Puzzle &puzzle, const PuzzlePosition &from, std::int64_t budgetBytes,
                  const PuzzleEffort &effort)
{
    PuzzleWay way = Search(puzzle, budgetBytes, effort).run(from, effort.mostMoves, 1);
    if (way.end != PuzzleEnd::Unknown || (effort.stop && effort.stop())) return way;
    constexpr int kHurry = 4; // what must follow weighs so much more than what was spent
    const PuzzleWay proof = way;
    way = Search(puzzle, budgetBytes, effort).run(from, std::max<std::int64_t>(effort.mostMoves / 10, 1), kHurry);
    way.positions += proof.positions;
    way.tried += proof.tried;
    return way;
}

} // namespace remat
