// SPDX-License-Identifier: Apache-2.0
// The columns of the program over the chain that choose options, and those of what options hold.
#include "solvers/hiremate/top/program.h"

#include <algorithm>

namespace remat::hiremate::top {

void addOptions(const ProgramData &given, Program &program)
{
    TopModel &top = program.top;
    top.optionColumn.resize(given.blocks());
    for (int k = 0; k < given.blocks(); ++k) {
        std::vector<ilp::Term> one;
        for (const Option &option : *given.choices[k].options) {
            top.optionColumn[k].push_back(top.model.addBinary(option.extraUs));
            one.push_back({top.optionColumn[k].back(), 1});
        }
        top.model.addRow(1, one, 1);
    }
}

void addHeld(const ProgramData &given, const TopModel &top, int j, int q, double factor, std::vector<ilp::Term> &terms)
{
    const std::vector<Option> &options = *given.choices[j].options;
    for (std::size_t o = 0; o < options.size(); ++o)
        if (options[o].heldAfter[q] > 0)
            terms.push_back({top.optionColumn[j][o], factor * given.units(options[o].heldAfter[q])});
}

namespace {

/// Blocks that hold something, and after which of their parts: sorted pairs.
using Holders = std::vector<std::pair<int, int>>;

class HeldColumns
{
public:
    HeldColumns(const ProgramData &given, TopModel &top) : m_given(given), m_top(top) {}

    /// The column of what they hold, and the most that can be.
    std::pair<int, double> of(const Holders &holders)
    {
        if (holders.empty()) return {-1, 0};
        const auto known =
            std::find_if(m_known.begin(), m_known.end(), [&](const Known &other) { return other.holders == holders; });
        if (known != m_known.end()) return {known->column, known->largest};
        Known made = {holders, 0, 0};
        for (const auto &[j, q] : holders)
            made.largest += largest(j, q);
        made.column = m_top.model.addColumn(0, 0, made.largest, false);
        addDefinition(made);
        m_known.push_back(made);
        return {made.column, made.largest};
    }

private:
    struct Known {
        Holders holders;
        int column = 0;
        double largest = 0;
    };

    double largest(int j, int q) const
    {
        double most = 0;
        for (const Option &option : *m_given.choices[j].options)
            most = std::max(most, m_given.units(option.heldAfter[q]));
        return most;
    }

    /// From the column that differs the least: what is held there no more goes, what is new comes.
    void addDefinition(const Known &made)
    {
        const Known *from = nullptr;
        std::size_t fewest = made.holders.size();
        Holders gone, come = made.holders;
        for (const Known &other : m_known) {
            Holders less, more;
            std::set_difference(other.holders.begin(), other.holders.end(), made.holders.begin(), made.holders.end(),
                                std::back_inserter(less));
            std::set_difference(made.holders.begin(), made.holders.end(), other.holders.begin(), other.holders.end(),
                                std::back_inserter(more));
            if (less.size() + more.size() >= fewest) continue;
            from = &other;
            fewest = less.size() + more.size();
            gone = std::move(less);
            come = std::move(more);
        }
        std::vector<ilp::Term> sum;
        for (const auto &[j, q] : come)
            addHeld(m_given, m_top, j, q, 1, sum);
        for (const auto &[j, q] : gone)
            addHeld(m_given, m_top, j, q, -1, sum);
        if (from != nullptr) sum.push_back({from->column, 1});
        std::vector<ilp::Term> row{{made.column, -1}};
        row.insert(row.end(), sum.begin(), sum.end());
        m_top.model.addRow(0, std::move(row), 0);
        m_top.heldColumns.push_back({made.column, std::move(sum)});
    }

    const ProgramData &m_given;
    TopModel &m_top;
    std::vector<Known> m_known;
};

} // namespace

void addHeld(const ProgramData &given, Program &program)
{
    HeldColumns columns(given, program.top);
    std::vector<int> after(given.blocks(), -1); // the part that each block has run last
    const auto holders = [&](int except) {
        Holders all;
        for (int j = 0; j < given.blocks(); ++j)
            if (j != except && after[j] >= 0 && after[j] + 1 < static_cast<int>(given.block(j).partEnds.size()))
                all.emplace_back(j, after[j]);
        return all;
    };
    for (int t = 0; t < given.count(); ++t) {
        given.lookAtStop();
        if (t == given.chain.turn) program.top.heldAtTurn = columns.of(holders(-1)).first;
        const auto [column, largest] = columns.of(holders(given.parts[t].block));
        program.top.heldBefore.push_back(column);
        program.largestHeld.push_back(largest);
        after[given.parts[t].block] = given.parts[t].ofBlock;
    }
}

} // namespace remat::hiremate::top
