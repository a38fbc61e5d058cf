// SPDX-License-Identifier: Apache-2.0
// The rows of the program over the chain that hold memory within the budget: in a forward part, in a backward part, and
// while interfaces are made again before it.
#include "solvers/hiremate/top/program.h"

#include <algorithm>
#include <map>
#include <set>

namespace remat::hiremate::top {

namespace {

/// Below every memory.
constexpr double kNone = -1e300;

/// A stretch of an option's backward program in which the same interfaces are still to be read.
struct Piece {
    Set pinned;
    double memory = 0; ///< largest internal memory plus constants, relative to the start of the part
};

class MemoryRows
{
public:
    MemoryRows(const ProgramData &given, Program &program) : m_given(given), m_program(program), m_top(program.top) {}

    void add()
    {
        for (int t = 0; t < m_given.count(); ++t) {
            m_program.lookAtLimits(m_given);
            if (m_given.parts[t].backward) {
                addRecompute(t);
                addBackward(t);
            } else {
                addForward(t);
            }
        }
    }

private:
    /// Adds `terms` ≤ budget in part t − constant, unless it cannot be violated.
    void addRow(int t, std::vector<ilp::Term> terms, double constant, double largest)
    {
        const double budget = m_given.budgetIn(t);
        if (constant + largest > budget) m_top.model.addAtMost(std::move(terms), budget - constant);
    }

    /// What the other blocks hold while part t runs.
    std::vector<ilp::Term> heldByOthers(int t, double &largest) const
    {
        largest = m_program.largestHeld[t];
        if (m_top.heldBefore[t] < 0) return {};
        return {{m_top.heldBefore[t], 1}};
    }

    void addForward(int t)
    {
        const Part &part = m_given.parts[t];
        const Block &b = m_given.blockOf(part);
        const std::vector<Option> &options = *m_given.choices[part.block].options;
        // One row per distinct set of interfaces that are still to be read in this part.
        std::map<Set, std::vector<int>> groups;
        for (int z = part.begin; z < part.end; ++z)
            groups[pinnedInForward(b.globalOp(z), b.globalOp(part.end - 1))].push_back(z);
        double heldLargest = 0;
        const std::vector<ilp::Term> others = heldByOthers(t, heldLargest);
        for (const auto &[pinned, steps] : groups) {
            m_program.lookAtLimits(m_given);
            std::vector<ilp::Term> row = others;
            double constant = 0, largest = heldLargest, largestOption = 0;
            for (const int s : pinned)
                constant += m_given.size(s);
            for (std::size_t o = 0; o < options.size(); ++o) {
                double memory = 0;
                for (const int z : steps)
                    memory = std::max(
                        memory, m_given.units(options[o].forwardBytes[z] + m_given.chain.constantAt[b.globalOp(z)]));
                row.push_back({m_top.optionColumn[part.block][o], memory});
                largestOption = std::max(largestOption, memory);
            }
            addLivingOn(t, pinned, b.globalOp(steps.back()), row, largest);
            addRow(t, std::move(row), constant, largest + largestOption);
        }
    }

    /// Interfaces that are there at `op` and read from there on by a part that ends with `last`.
    Set pinnedInForward(int op, int last) const
    {
        Set pinned;
        for (int s = 0; s < m_given.interfaces(); ++s) {
            const int storage = m_given.chain.interfaces[s];
            const int made = m_given.flat.producer[storage];
            if (made > op) continue;
            bool readLater = made == op;
            for (const int reader : m_given.flat.readers[storage])
                readLater = readLater || (reader >= op && reader <= last);
            if (readLater) pinned.push_back(s);
        }
        return pinned;
    }

    /// Interfaces outside `pinned`, made before or by `lastStep`, while they live on to the next part.
    void addLivingOn(int t, const Set &pinned, int lastStep, std::vector<ilp::Term> &row, double &largest) const
    {
        for (int s = 0; s < m_given.interfaces(); ++s) {
            if (m_given.flat.producer[m_given.chain.interfaces[s]] > lastStep || contains(pinned, s)) continue;
            const int next = m_top.thereColumn[t + 1][s];
            if (next < 0) continue;
            row.push_back({next, m_given.size(s)});
            largest += m_given.size(s);
        }
    }

    std::vector<Piece> piecesOf(int t, const Option &option) const
    {
        const Part &part = m_given.parts[t];
        const Block &b = m_given.blockOf(part);
        const std::int64_t base = m_given.chain.constantBefore[part.slot];
        const auto [begin, end] = stepsOf(part, option);
        std::vector<Set> pins(end);
        Set pinned;
        for (std::size_t p = end; p-- > begin;) {
            for (const int s : b.ops[option.program[p].op].interfaces)
                insert(pinned, m_given.number(s));
            pins[p] = pinned;
        }
        std::vector<Piece> pieces;
        double highest = kNone;
        for (std::size_t p = begin; p < end; ++p) {
            const ProgramStep &step = option.program[p];
            const int slot = b.globalOp(step.before);
            const std::int64_t constants =
                (step.recompute() ? m_given.chain.constantBefore : m_given.chain.constantAt)[slot];
            const double memory = m_given.units(option.backwardBytes[p] + constants - base);
            // A later step with fewer pinned interfaces and no more memory adds nothing.
            if (memory <= highest) continue;
            highest = memory;
            if (!pieces.empty() && pieces.back().pinned == pins[p])
                pieces.back().memory = memory;
            else
                pieces.push_back({pins[p], memory});
        }
        return pieces;
    }

    /// One row for each set of interfaces that some option still has to read: what is pinned is in the coefficient of
    /// the option, the rest counts while it lives on.
    void addBackward(int t)
    {
        const Part &part = m_given.parts[t];
        if (part.begin == part.end) return;
        const int k = part.block;
        const double start = m_given.units(m_given.chain.constantBefore[part.slot]);
        std::vector<std::vector<Piece>> pieces;
        std::set<Set> pinSets;
        for (const Option &option : *m_given.choices[k].options) {
            pieces.push_back(piecesOf(t, option));
            for (const Piece &piece : pieces.back())
                pinSets.insert(piece.pinned);
        }
        double heldLargest = 0;
        const std::vector<ilp::Term> others = heldByOthers(t, heldLargest);
        for (const Set &pinned : pinSets) {
            m_program.lookAtLimits(m_given);
            std::vector<ilp::Term> row = others;
            double pinnedSize = 0, largest = heldLargest, largestOption = 0;
            for (const int s : pinned)
                pinnedSize += m_given.size(s);
            for (std::size_t o = 0; o < pieces.size(); ++o) {
                double memory = kNone;
                for (const Piece &piece : pieces[o])
                    if (std::includes(piece.pinned.begin(), piece.pinned.end(), pinned.begin(), pinned.end()))
                        memory = std::max(memory, piece.memory);
                if (memory == kNone) continue;
                row.push_back({m_top.optionColumn[k][o], memory + pinnedSize});
                largestOption = std::max(largestOption, memory + pinnedSize);
            }
            addLivingOn(t, pinned, m_given.flat.ops, row, largest);
            addRow(t, std::move(row), start, largest + largestOption);
        }
    }

    /// Recomputations at the start of a backward part, block by block: the fast forward, then the lites.
    void addRecompute(int t)
    {
        const Part &part = m_given.parts[t];
        if (part.begin == part.end) return;
        const int k = part.block;
        const double start = m_given.units(m_given.chain.constantBefore[part.slot]);
        double heldLargest = 0;
        std::vector<ilp::Term> held = heldByOthers(t, heldLargest);
        addHeld(m_given, m_top, k, part.ofBlock - 1, 1, held);
        double ownLargest = 0;
        for (const Option &option : *m_given.choices[k].options)
            ownLargest = std::max(ownLargest, m_given.units(option.heldAfter[part.ofBlock - 1]));
        heldLargest += ownLargest;

        std::vector<char> made(m_given.interfaces(), 0);
        const auto addWhile = [&](const std::vector<ilp::Term> &overhead, double largestOverhead) {
            m_program.lookAtLimits(m_given);
            std::vector<ilp::Term> row = held;
            double largest = heldLargest + largestOverhead;
            row.insert(row.end(), overhead.begin(), overhead.end());
            for (int s = 0; s < m_given.interfaces(); ++s)
                largest += addThere(t, s, made[s] != 0, row);
            addRow(t, std::move(row), start, largest);
        };
        for (int j = 0; j < m_given.blocks(); ++j) {
            if (m_top.forwardColumn[t][j] >= 0) {
                for (int s = 0; s < m_given.interfaces(); ++s)
                    if (m_given.home(s) == j) made[s] = 1;
                const double overhead = m_given.units(m_given.choices[j].fastForward.overheadBytes);
                addWhile({{m_top.forwardColumn[t][j], overhead}}, overhead);
            }
            std::map<int, std::vector<ilp::Term>> lites;
            double largest = 0;
            for (const TopModel::LiteColumn &lite : m_top.liteColumns) {
                if (lite.part != t || lite.block != j) continue;
                const Lite &way = m_given.choices[j].lites[lite.lite];
                const double overhead = m_given.units(way.rebuild.overheadBytes);
                lites[m_given.number(way.interface)].push_back({lite.column, overhead});
                largest = std::max(largest, overhead);
            }
            for (const auto &[s, overhead] : lites) {
                made[s] = 1;
                addWhile(overhead, largest);
            }
        }
    }

    /// Interface s as it was before part t, and, when it is `made` by now, as made there. Returns the most it can hold.
    double addThere(int t, int s, bool made, std::vector<ilp::Term> &row) const
    {
        const std::size_t before = row.size();
        if (m_top.thereColumn[t][s] >= 0) row.push_back({m_top.thereColumn[t][s], m_given.size(s)});
        if (made)
            for (const ilp::Term &term : m_program.made[t][s])
                row.push_back({term.column, m_given.size(s)});
        return row.size() > before ? m_given.size(s) : 0;
    }

    const ProgramData &m_given;
    Program &m_program;
    TopModel &m_top;
};

} // namespace

void addMemory(const ProgramData &given, Program &program)
{
    MemoryRows(given, program).add();
    if (!given.settings.mostKeptBytes) return;
    TopModel &top = program.top;
    std::vector<ilp::Term> held{{top.heldAtTurn, 1}};
    for (int s = 0; s < given.interfaces(); ++s)
        if (const int there = top.thereColumn[given.chain.turn][s]; there >= 0) held.push_back({there, given.size(s)});
    top.keptRow = top.model.rows();
    top.model.addAtMost(std::move(held), given.units(*given.settings.mostKeptBytes));
}

} // namespace remat::hiremate::top
