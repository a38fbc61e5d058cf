// SPDX-License-Identifier: Apache-2.0
// The dynamic program over a chain in which what is held from forward to backward may wait in host memory.
#pragma once

#include "solvers/chain/chain_table.h"
#include "solvers/offload/paged_schedule.h"

namespace remat::offload {

struct Link {
    double bytesPerUs = 0;
    std::vector<double> forwardUs; ///< per stage: during which copies run
};

/// POFO's program (Beaumont, Eyraud-Dubois, Shilova: Efficient Combination of Rematerialization and Offloading for
/// Training DNNs, NeurIPS 2021) over the stages of Rotor. With m free slots beside the input of stage s, of which x
/// hold data still on its way to host memory, W(m, x, s) runs the stages from s to the last, t:
///     W(m, x, t) = min over options that fit into m − x
///     W(m, x, s) = min of   h + W(m − h, x', s')     what is held stays: it takes its slots
///                           h + W(m, x' + h, s')     it leaves: it takes them until the link has copied it
///                           slot time + W(m, x − 1, s)     the computation waits for the link
/// for the choices of Rotor (hold the input of stage j and run s … j − 1 backward by Opt(m − x, s, j − 1); save stage s
/// by an option; there as here a stage's input may be freed or kept), h the slots of what is held, x' = max(x − what
/// the link copies meanwhile, 0). Copies back find at least the time that those out have, since the backward part of a
/// stage takes at least as long as its forward part; the room that they take early is that of x. Recomputed stages copy
/// nothing. With no link it is Rotor's program. O(slots² × stages × (stages + options)) time, O(slots² × stages)
/// memory.
class PagingTable
{
public:
    /// `inner` is the table of the same model and outlives this one. Asks `stop` for each stage; a table that was
    /// stopped has no schedules.
    PagingTable(const chain::ChainModel &model, const chain::ChainTable &inner, Link link,
                const std::function<bool()> &stop);

    /// Least extra time, waits included, with `memory` slots; infinite when nothing fits.
    double extraUs(int memory) const;
    /// A schedule that takes it; `extraUs(memory)` must be finite.
    PagedSchedule schedule(int memory) const;

private:
    /// One term of W.
    struct Term {
        double us = 0;
        int nextStage = -1, nextMemory = 0, nextWay = 0; ///< −1: nothing follows
        chain::ChainTable::Input nextInput = chain::ChainTable::Input::Freed;
        int checkpoint = -1, option = -1; ///< neither: it waits
        bool leaves = false;
    };

    using Input = chain::ChainTable::Input;

    template <class Visit>
    void forEachTerm(Input input, int s, int memory, int way, const Visit &visit) const;
    double after(const Term &term) const;
    std::size_t index(Input input, int s, int memory, int way) const
    {
        const std::size_t side = static_cast<std::size_t>(m_inner.memorySlots()) + 1;
        const auto stage = static_cast<std::size_t>(s) * 2 + (input == Input::Kept ? 1U : 0U);
        return (stage * side + static_cast<std::size_t>(memory)) * side + static_cast<std::size_t>(way);
    }

    const chain::ChainModel &m_model;
    const chain::ChainTable &m_inner;
    const Link m_link;
    double m_memorySlotUs = 0;   ///< time of a memory slot on the link; 0: there is none
    std::vector<double> m_drain; ///< slots that the link copies during the forward parts of the stages before each one
    bool m_complete = false;
    std::vector<std::vector<chain::ChainTable::Term>> m_terms; ///< by stage, freed inputs before kept ones
    std::vector<double> m_cost;
};

} // namespace remat::offload
