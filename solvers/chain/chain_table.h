// SPDX-License-Identifier: Apache-2.0
// The dynamic program over a chain with several ways to save a stage, and the schedules that it finds.
#pragma once

#include "solvers/chain/chain_model.h"

#include <functional>

namespace remat::chain {

class TableStory;

struct TableSettings {
    std::int64_t memoryBytes = 0; ///< the largest memory that is asked about
    int memorySlots = 500;        ///< slots of that memory; sizes are rounded to the nearest slot
    bool checkpoints = true;      ///< inputs of stages may be held alone; otherwise every stage saves by an option
    TableStory *story = nullptr;  ///< told of every cell as it is filled; may be none
};

/// Least extra time of memory-persistent schedules for every amount of memory up to `memoryBytes`, in slots. With m
/// free slots beside the input of stage s, Opt(m, s, t) runs stages s … t forward and backward:
///     Opt(m, s, s) = min over options k that fit of remake_k + extra_k
///     Opt(m, s, t) = min of   Σ_{s≤i<j} advance_i + Opt(m − input_j, j, t) + Opt(m, s, j − 1)      s < j ≤ t
///                             remakeNext_k + extra_k + Opt(m − kept_k − input_{s+1} + freed_k, s + 1, t)   options k
/// where what the forward pass itself computes (t the last stage) costs nothing extra and a term counts when its peaks
/// fit into m. (Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova: Optimal checkpointing for heterogeneous chains, 2019,
/// eq. 1; with several options as in Rockmate, ICML 2023.) New here: inputs of stages may share storages, and what only
/// a forward part reads is given back (freed_k) unless the stage before keeps it for itself, which makes a second
/// table. O(slots × stages² × (stages + options)) time, O(slots × stages²) memory; sums that cannot be the least are
/// left out, which is most of them (`sums`).
class ChainTable
{
public:
    /// Asks `stop` every few thousand sums; a table that was stopped has no schedules.
    ChainTable(const ChainModel &model, const TableSettings &settings, const std::function<bool()> &stop);

    int memorySlots() const { return m_memorySlots; }
    std::int64_t memorySlotBytes() const { return m_memorySlotBytes; }
    /// How many sums of two or three parts were compared to fill the table: the work that it took.
    std::int64_t sums() const { return m_sums; }
    /// Least extra time with `memory` slots; infinite when nothing fits.
    double extraUs(int memory) const;
    /// A schedule that takes it; `extraUs(memory)` must be finite.
    ChainSchedule schedule(int memory) const;

    /// What becomes of that part of a stage's input that only its forward part reads.
    enum class Input { Freed, Kept };

    /// One term of Opt(·, s, t): a checkpoint at stage `checkpoint`, or an option.
    struct Term {
        int checkpoint = -1; ///< −1: the stage saves by `option`
        int option = -1;
        double us = 0;
        int least = 0;             ///< slots
        int less = 0;              ///< slots that the part after it has less (more when negative)
        Input next = Input::Freed; ///< for the part after it
    };

    /// Terms of Opt(·, s, t).
    std::vector<Term> terms(Input input, int s, int t) const;
    /// Opt(memory, s, t), infinite when nothing fits.
    double partUs(Input input, int s, int t, int memory) const;
    /// Opt(·, s, t) for every amount of memory, in slots; empty before the cell is filled.
    const std::vector<double> &costsOf(Input input, int s, int t) const { return m_cost[cell(input, s, t)]; }
    /// The term that is taken there; one of `costsOf` that is finite.
    Term choose(Input input, int s, int t, int memory) const;
    /// Adds what a schedule of that part holds and runs; it must be finite.
    void addPart(Input input, int s, int t, int memory, ChainSchedule &schedule) const;

private:
    std::size_t cell(Input input, int s, int t) const;
    double timeOf(const Term &term, Input input, int s, int t, int memory) const;
    int toMemorySlots(std::int64_t bytes) const
    {
        return static_cast<int>((bytes + m_memorySlotBytes / 2) / m_memorySlotBytes);
    }
    template <class Visit>
    void forEachTerm(Input input, int s, int t, const Visit &visit) const;
    void fill(Input input, int s, int t);
    void fillTerm(const Term &term, Input input, int s, int t, std::vector<double> &best);

    const ChainModel &m_model;
    const bool m_checkpoints;
    int m_memorySlots = 0;
    std::int64_t m_memorySlotBytes = 1;
    std::int64_t m_sums = 0;
    bool m_complete = false;
    std::vector<char> m_frees;               ///< per stage: some option frees part of its input
    std::vector<std::vector<double>> m_cost; ///< [cell][slots], falling
    std::vector<int> m_fits;                 ///< [cell]: the first amount of memory, in slots, with a finite cost
};

} // namespace remat::chain
