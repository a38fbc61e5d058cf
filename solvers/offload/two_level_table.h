// SPDX-License-Identifier: Apache-2.0
// The dynamic program over a chain whose checkpoints wait in device memory or, at the price of a copy each way, on the
// host.
#pragma once

#include "solvers/chain/chain_table.h"
#include "solvers/offload/paged_schedule.h"

namespace remat::offload {

/// Per stage what a copy of its whole input takes, in µs; at least 0, infinite where there is no link.
struct InputCopies {
    std::vector<double> writeUs, readUs;
};

/// Rotor's program (`ChainTable`, whose words these are) with a second level for checkpoints, as in Aupy, Herrmann,
/// Hovland, Robert: Optimal multistage algorithm for adjoint computation, SIAM SISC 2016 (Opt_1 and Opt_∞ of theorem
/// 3.15) and Herrmann, Pallez: H-Revolve, ACM TOMS 2020 for equal stages. A schedule holds inputs of stages until their
/// backward parts have ended, in device memory or on the host, which has room for any number; the computation waits
/// for each copy. An input goes to the host when it has just been computed, and what options keep never does. Opt has
/// Rotor's terms, and beside each of them the one whose part goes on with its input on the host (as `next`):
///     Opt(m, s, t) = min of   Σ_{s≤i<j} advance_i + write_j + Host(m, j, t) + Opt(m, s, j − 1)             s < j ≤ t
///                             remakeNext_k + extra_k + write_{s+1} + Host(m − kept_k + freed_k, s + 1, t)  options k
/// Host(m, s, t) runs stages s … t when the input of s is on the host and, to begin with, in the m slots, too:
///     Host(m, s, t) = min of   Opt(m − input_s, s, t)                                              it stays as well
///                              Σ_{s≤i<j} advance_i + next_j(m) + read_s + Host(m, s, j − 1)                s < j ≤ t
///                              remakeNext_k + extra_k + next_{s+1}(m − kept_k) + read_s             options k
///     next_j(m) = min of   Opt(m − input_j, j, t)
///                          write_j + Host(m, j, t)
/// where a term counts when its peaks fit into m, and what stays as well stays whole (nothing is freed). New here, as
/// in `ChainTable`: stages differ, and may save by options. Where copies are never worth their time this is Rotor's
/// program; with equal stages it is `MultistageTable`. O(slots × stages² × (stages + options)) time, O(slots ×
/// stages²) memory.
class TwoLevelTable
{
public:
    /// `inner` is the table of the same model, with checkpoints, and outlives this one. Asks `stop` for each pair of
    /// stages; a table that was stopped has no schedules.
    TwoLevelTable(const chain::ChainModel &model, const chain::ChainTable &inner, InputCopies copies,
                  const std::function<bool()> &stop);

    /// Least extra time, copies included, with `memory` slots; infinite when nothing fits.
    double extraUs(int memory) const;
    /// A schedule that takes it; `extraUs(memory)` must be finite. An input that stays as well has a second hold.
    PagedSchedule schedule(int memory) const;

private:
    /// Where the input of a part's first stage is: beside the part's slots (Opt, see `ChainTable::Input`), or on the
    /// host and among them.
    enum class Input { Freed, Kept, Host };

    /// What runs first goes to or past stage `next`; then come the stages from `next` on, and then, where there is a
    /// checkpoint, those before it.
    struct Term {
        double us = 0;
        int least = 0, less = 0; ///< slots: needed, and that the part from `next` on has less
        int next = -1;           ///< −1: nothing is left
        Input nextInput = Input::Freed;
        int checkpoint = -1, option = -1; ///< neither: the input stays as well
    };

    template <class Visit>
    void forEachTerm(Input input, int s, int t, const Visit &visit) const;
    template <class Visit>
    void forEachInMemory(Input input, int s, int t, const Visit &visit) const;
    template <class Visit>
    void forEachOnHost(int s, int t, const Visit &visit) const;
    void fill(Input input, int s, int t);
    double timeOf(const Term &term, Input input, int s, int t, int memory) const;
    Term choose(Input input, int s, int t, int memory) const;
    std::size_t cell(Input input, int s, int t) const;
    int toSlots(std::int64_t bytes) const;

    const chain::ChainModel &m_model;
    const chain::ChainTable &m_inner;
    const InputCopies m_copies;
    bool m_complete = false;
    std::vector<std::vector<double>> m_cost; ///< [cell][slots], falling
};

} // namespace remat::offload
