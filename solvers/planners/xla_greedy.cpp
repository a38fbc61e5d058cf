// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"
#include "core/plan/simulator.h"
#include "solvers/interface/solver.h"
#include "solvers/tools/flat.h"
#include "solvers/tools/parallel.h"

#include <algorithm>
#include <fmt/core.h>
#include <optional>
#include <set>

namespace remat::planner {

namespace {

/// Limits that the pass is run with: the budget, and lower ones by this share each.
constexpr int kLimits = 32;
constexpr double kLimitStep = 0.02;

/// A computation: first computations are (op, op), others stand in slot `slot`.
struct Position {
    int slot = 0, op = 0;
    auto operator<=>(const Position &) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0
};

/// The walk along the sequence with a tracker of what is held.
class Pass
{
public:
    Pass(const FlatGraph &flat, std::int64_t limitBytes, int blockSize, const StopCheck &stop)
        : m_flat(flat),
          m_stop(stop),
          m_limit(limitBytes),
          m_blockSize(blockSize),
          m_reads(flat.storages()),
          m_makes(flat.storages()),
          m_held(flat.storages(), 0),
          m_again(flat.ops)
    {
        for (int op = 0; op < flat.ops; ++op)
            addEvents({op, op});
    }

    std::vector<Recompute> run()
    {
        for (int slot = 0; slot < m_flat.ops && !m_stop(); ++slot) {
            // Slots grow only ahead of the walk, so this one is complete.
            for (const int op : m_again[slot])
                place({slot, op});
            place({slot, slot});
        }
        std::vector<Recompute> recomputes;
        for (int slot = 0; slot < m_flat.ops; ++slot)
            for (const int op : m_again[slot])
                recomputes.push_back({slot, op});
        tidyRecomputes(m_flat, recomputes);
        return recomputes;
    }

private:
    /// Ops `first` … `last`, to be computed again in slot `slot`.
    struct Block {
        int first = 0, last = -1;
        int slot = 0;
        std::int64_t reducedBytes = 0;
    };

    void addEvents(Position at)
    {
        for (const int s : m_flat.inputs[at.op])
            m_reads[s].insert(at);
        for (const int s : m_flat.outputs[at.op])
            m_makes[s].insert(at);
    }

    void setHeld(int s, bool held)
    {
        if ((m_held[s] != 0) == held) return;
        m_held[s] = held ? 1 : 0;
        m_heldBytes += held ? m_flat.bytes[s] : -m_flat.bytes[s];
    }

    /// The copy at hand is read after `at`, or is an output of the graph.
    bool neededAfter(int s, Position at) const
    {
        const auto make = m_makes[s].upper_bound(at);
        const auto read = m_reads[s].upper_bound(at);
        if (make == m_makes[s].end()) return read != m_reads[s].end() || m_flat.output[s];
        return read != m_reads[s].end() && *read <= *make;
    }

    void place(Position at)
    {
        for (const int s : m_flat.outputs[at.op])
            setHeld(s, true);
        while (m_heldBytes + m_flat.workspaceBytes[at.op] > m_limit && !m_stop()) {
            const std::optional<Block> best = choose(at);
            if (!best) break;
            recompute(*best, at);
        }
        for (const int s : m_flat.outputs[at.op])
            setHeld(s, neededAfter(s, at));
        for (const int s : m_flat.inputs[at.op])
            setHeld(s, neededAfter(s, at));
    }

    /// The block that costs least, limit / memory reduced in whole numbers, the first of several. Longer blocks are
    /// looked at only when no shorter one helps.
    std::optional<Block> choose(Position at) const
    {
        for (int size = 1; size <= m_blockSize; size *= 2) {
            std::optional<Block> best;
            std::int64_t bestCost = 0;
            for (int first = 0; first + size <= at.slot; ++first) {
                const std::optional<Block> block = examine(first, first + size - 1, at);
                if (!block || block->reducedBytes <= 0) continue;
                const std::int64_t cost = m_limit / block->reducedBytes;
                if (best && cost >= bestCost) continue;
                best = block;
                bestCost = cost;
            }
            if (best) return best;
        }
        return std::nullopt;
    }

    bool inUse(int s, Position at) const
    {
        const std::vector<int> &reads = m_flat.inputs[at.op];
        const std::vector<int> &makes = m_flat.outputs[at.op];
        return std::find(reads.begin(), reads.end(), s) != reads.end() ||
               std::find(makes.begin(), makes.end(), s) != makes.end();
    }

    /// None when the block may not be computed again, holds nothing now, or holds what is in use.
    std::optional<Block> examine(int first, int last, Position at) const
    {
        Block block{first, last, m_flat.ops, 0};
        for (int op = first; op <= last; ++op) {
            if (m_flat.once[op]) return std::nullopt;
            for (const int s : m_flat.outputs[op]) {
                if (!m_held[s]) continue;
                if (inUse(s, at) || m_flat.output[s]) return std::nullopt;
                block.reducedBytes += m_flat.bytes[s];
                block.slot = std::min(block.slot, m_reads[s].upper_bound(at)->slot);
            }
        }
        if (block.slot == m_flat.ops) return std::nullopt;
        // Not later than the next reading of what it needs, which then is not held for longer than without it.
        for (int op = first; op <= last; ++op) {
            for (const int s : m_flat.inputs[op]) {
                const auto next = m_reads[s].upper_bound(at);
                if (m_held[s] && m_flat.producer[s] < first && next != m_reads[s].end())
                    block.slot = std::min(block.slot, next->slot);
            }
        }
        if (block.slot <= at.slot) return std::nullopt;
        std::set<int> extended;
        for (int op = first; op <= last; ++op)
            for (const int s : m_flat.inputs[op])
                if (m_flat.producer[s] < first && mustExtend(s, {block.slot, op}, at) && extended.insert(s).second)
                    block.reducedBytes -= m_flat.bytes[s];
        return block;
    }

    /// Not held now, and not made again before `reader`: it has to be held from its last use on.
    bool mustExtend(int s, Position reader, Position at) const
    {
        if (m_held[s]) return false;
        const auto make = m_makes[s].upper_bound(at);
        return make == m_makes[s].end() || reader < *make;
    }

    void recompute(const Block &block, Position at)
    {
        for (int op = block.first; op <= block.last; ++op) {
            const Position copy{block.slot, op};
            std::vector<int> &again = m_again[block.slot];
            const auto before = std::lower_bound(again.begin(), again.end(), op);
            if (before != again.end() && *before == op) continue;
            again.insert(before, op);
            addEvents(copy);
        }
        for (int op = block.first; op <= block.last; ++op) {
            for (const int s : m_flat.outputs[op])
                setHeld(s, neededAfter(s, at));
            for (const int s : m_flat.inputs[op])
                setHeld(s, neededAfter(s, at) || inUse(s, at));
        }
    }

    const FlatGraph &m_flat;
    const StopCheck &m_stop;
    const std::int64_t m_limit;
    const int m_blockSize;
    std::vector<std::set<Position>> m_reads, m_makes; ///< per storage
    std::vector<char> m_held;
    std::int64_t m_heldBytes = 0;
    std::vector<std::vector<int>> m_again; ///< per slot: ops computed again in it, ascending
};

struct TriedLimit {
    std::vector<OpId> sequence;
    SequenceCost cost;
};

struct XlaGreedyOptions {
    int blockSize = 1;
};

OptionTable<XlaGreedyOptions> xlaGreedyOptions()
{
    return numberOption(&XlaGreedyOptions::blockSize, "block-size", "Longest block", 1, 64, "ops",
                        "Tries blocks of 1, 2, 4 … consecutive ops up to this many, longer ones where shorter ones do "
                        "not help; XLA's default is 1.");
}

Expected<SolveOutcome> planXlaGreedy(const SolveRequest &request, const SolveContext &context)
{
    const FlatGraph flat = flatten(*request.graph, *request.costs);
    const int blockSize = xlaGreedyOptions().read(request.options).blockSize;
    std::vector<std::optional<TriedLimit>> tried(kLimits);
    const StopCheck stop = [&] { return context.shouldStop(); };
    parallelFor(context.threads, tried.size(), [&](std::size_t i) {
        if (stop()) return;
        const double share = 1 - kLimitStep * static_cast<double>(i);
        const auto limit = static_cast<std::int64_t>(static_cast<double>(request.budgetBytes) * share);
        TriedLimit each;
        each.sequence = toSequence(flat, Pass(flat, limit, blockSize, stop).run());
        each.cost = sequenceCost(*request.graph, *request.costs, each.sequence);
        tried[i] = std::move(each);
    });

    SolveOutcome outcome;
    const TriedLimit *best = nullptr;
    for (const std::optional<TriedLimit> &each : tried) {
        if (!each) continue;
        const std::int64_t peak = each->cost.peakBytes;
        if (outcome.smallestPeakBytes == 0 || peak < outcome.smallestPeakBytes) outcome.smallestPeakBytes = peak;
        if (peak <= request.budgetBytes && (!best || each->cost.timeUs < best->cost.timeUs)) best = &*each;
    }
    const bool all = tried.back().has_value();
    if (!best && !all) throw TimeUp{};
    if (!best) {
        outcome.status = stop() ? SolveStatus::Stopped : SolveStatus::Infeasible;
        outcome.message = fmt::format(
            "The greedy pass gets down to {}, not to {}. Raise block-size, take another planner, or raise the budget.",
            formatMemory(outcome.smallestPeakBytes), formatMemory(request.budgetBytes, outcome.smallestPeakBytes));
        return outcome;
    }
    outcome.status = all ? SolveStatus::Feasible : SolveStatus::Stopped;
    Plan plan;
    plan.steps = withEarliestFrees(*request.graph, best->sequence);
    outcome.plan = std::move(plan);
    return outcome;
}

} // namespace

const Planner &xla_greedy()
{
    static const Planner planner = {
        .info =
            {
                .name = "xla-greedy",
                .title = "XLA greedy",
                .kind = "greedy",
                .text = "XLA's rematerialization pass: walks along the ops with a tracker of memory, and wherever it "
                        "is over the limit computes the op (or block of ops) again later that takes most bytes away "
                        "now, before the first op that reads its result or, if that is earlier, what it is made from. "
                        "The cost of computing is ignored. The pass does not see that what is held for longer raises "
                        "memory behind it, so lower limits are tried too. Ops are not moved, as XLA would where "
                        "nothing has read their results yet.",
                .source = "XLA, hlo_rematerialization.cc",
                .options = xlaGreedyOptions().records(),
            },
        .plan = planXlaGreedy,
    };
    return planner;
}

} // namespace remat::planner
