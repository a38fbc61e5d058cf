// SPDX-License-Identifier: Apache-2.0
// A set of recomputations with its memory profile, kept up to date move by move.
#pragma once

#include "solvers/search/slot_memory.h"
#include "solvers/tools/flat.h"

#include <cstdint>
#include <vector>

namespace remat::search {

/// Where a step stands: its slot in the upper half, its op in the lower one, so that keys sort as steps run. First
/// computations are (i, i).
using Key = std::uint64_t;
constexpr Key keyOf(int slot, int op)
{
    return static_cast<Key>(static_cast<std::uint32_t>(slot)) << 32U | static_cast<std::uint32_t>(op);
}
constexpr int slotOf(Key key)
{
    return static_cast<int>(key >> 32U);
}
constexpr int opOf(Key key)
{
    return static_cast<int>(key & 0xFFFFFFFFU);
}

/// The plan that a set of recomputations stands for (solvers/tools/flat.h) and what it holds at every step, exactly as
/// SequenceEvaluator counts it. A toggle costs O(degree × log events + slots spanned / 64), about a microsecond. Every
/// change is written down until `commit`, and `rollback` undoes changes by toggling them back in reverse order. The
/// graph must outlive it. One object per thread.
class State
{
public:
    /// Starts with no recomputations. O(graph).
    State(const FlatGraph &flat, std::int64_t budgetBytes);

    const FlatGraph &flat() const { return *m_flat; }
    const SlotMemory &memory() const { return m_memory; }
    std::int64_t budgetBytes() const { return m_memory.budgetBytes(); }
    void setBudget(std::int64_t budgetBytes) { m_memory.setBudget(budgetBytes); }

    /// Σ over slots of the bytes over the budget; 0 when the plan fits.
    std::int64_t overflow() const { return m_memory.overflow(); }
    bool fits() const { return overflow() == 0; }
    /// Time of all recomputations.
    double extraUs() const { return m_extraUs; }

    bool has(Key step) const;
    /// Whether `op` can be computed again in `slot` and is not yet.
    bool canAdd(int slot, int op) const
    {
        return slot < m_flat->ops && op < slot && !m_flat->once[op] &&
               m_recomputed[op] + 1 < m_flat->mostComputations && !has(keyOf(slot, op));
    }
    /// Adds or removes a recomputation; `canAdd` or `has` holds for it.
    void add(Key step);
    void remove(Key step);
    /// Removes recomputations whose results nobody reads before they are made again, and what only they needed. Looks
    /// only at what changes since the last call may have made useless.
    void collect();

    /// For `rollback`; valid until `commit`.
    std::size_t mark() const { return m_journal.size(); }
    void rollback(std::size_t mark);
    void commit();
    /// Steps toggled since the last commit, in order; a step toggled twice is there twice.
    const std::vector<Key> &journal() const { return m_journal; }

    /// All recomputations in no particular, but reproducible, order.
    const std::vector<Key> &steps() const { return m_active; }
    /// Recomputations of one slot, ascending by op.
    std::vector<Key> stepsOf(int slot) const;
    std::vector<Recompute> recomputes() const;
    /// Replaces the set; steps that cannot be added are left out. Commits.
    void assign(const std::vector<Recompute> &set);

    /// Steps that make or read a storage, ascending; outputs of the graph end with `endKey()`.
    const std::vector<Key> &events(int storage) const { return m_events[storage]; }
    Key endKey() const { return keyOf(m_flat->ops, m_flat->ops); }
    bool makes(Key step, int storage) const { return opOf(step) == m_flat->producer[storage]; }
    /// The first event of the storage at or after `step`, as an index into `events`.
    std::size_t eventAt(int storage, Key step) const;

private:
    struct Step {
        int op = 0;
        int place = -1;         ///< in m_active; -1 for the slot's own op
        std::int64_t below = 0; ///< memory during the step less that of the slot's highest step: at most 0
    };

    std::size_t positionOf(int slot, int op) const;
    std::int64_t ownBytes(int op) const;
    void addOver(Key after, Key upTo, bool including, std::int64_t bytes);
    void addInSlot(int slot, int firstOp, int endOp, std::int64_t bytes);
    void insertStep(Key step);
    void eraseStep(Key step);
    bool unread(Key step) const;

    const FlatGraph *m_flat;
    SlotMemory m_memory;
    std::vector<std::vector<Step>> m_slots; ///< per slot its steps, ascending by op
    std::vector<std::vector<Key>> m_events; ///< per storage
    std::vector<Key> m_active, m_journal, m_suspects;
    std::vector<int> m_recomputed; ///< per op: how often
    double m_extraUs = 0;
};

} // namespace remat::search
