// SPDX-License-Identifier: Apache-2.0
// The moves of the annealing.
#pragma once

#include "solvers/search/drop.h"
#include "solvers/search/lookalikes.h"

#include <vector>

namespace remat::search {

/// Changes the state at random in ways that lead somewhere; the caller rolls back what it does not like. A move may
/// change nothing.
class Moves
{
public:
    Moves(State &state, Random &random);

    /// µs per byte and slot over the budget: decides closures, repairs and which undos are kept.
    void setPrice(double priceUs) { m_drop.setPrice(priceUs); }
    double energy() const { return m_state.extraUs() + m_drop.price() * static_cast<double>(m_state.overflow()); }

    void make();

private:
    /// Drops a storage that crosses `slot`, at its next read or a little earlier.
    void dropAcross(int slot);
    void dropOverBudget();
    void dropNearBudget();
    void undoOne();
    void shiftOne();
    void undoAndRepair();
    /// Does in one layer what another does: its recomputations go, those of the other come.
    void copyLayer();

    int slotToRelieve();
    int slotNearBudget();
    bool crossing(int storage, int slot, Gap &gap) const;
    bool pickCrossing(int slot, Gap &gap);
    int slotOfDrop(const Gap &gap);
    Key anyStep() { return m_state.steps()[m_random.below(m_state.steps().size())]; }
    void undo(Key step);

    State &m_state;
    Random &m_random;
    Drop m_drop;
    const Lookalikes m_lookalikes;
    std::vector<int> m_storages; ///< worth dropping
    std::vector<int> m_near;     ///< storages around what a repair undid
    std::vector<Key> m_undone, m_copied;
};

} // namespace remat::search
