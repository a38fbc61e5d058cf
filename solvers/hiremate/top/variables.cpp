// SPDX-License-Identifier: Apache-2.0
// The columns of the program over the chain, and the rows that define them.
#include "solvers/hiremate/top/program.h"

#include <algorithm>

namespace remat::hiremate::top {

namespace {

/// Price of holding an interface for one more part: of two solutions as fast the one that holds less.
constexpr double kHoldingUs = 1e-4;

/// X[t,s]. The forward pass holds what it still reads.
void addInterfaces(const ProgramData &given, const Reads &reads, Program &program)
{
    program.lookAtLimits(given);
    TopModel &top = program.top;
    top.thereColumn.assign(given.count() + 1, std::vector<int>(given.interfaces(), -1));
    for (int t = 0; t < given.count(); ++t)
        for (int s = 0; s < given.interfaces(); ++s) {
            if (t <= given.homePart(s) || t > reads.lastPossible[s]) continue;
            const int column = top.model.addBinary(kHoldingUs);
            top.thereColumn[t][s] = column;
            if (t <= reads.lastForward[s]) top.model.fix(column, 1);
        }
}

/// L[t,s,a] of block j. What it starts from is kept under some options only.
void addLites(const ProgramData &given, const Reads &reads, int t, int j, Program &program)
{
    TopModel &top = program.top;
    for (std::size_t a = 0; a < given.choices[j].lites.size(); ++a) {
        const Lite &lite = given.choices[j].lites[a];
        const int s = given.number(lite.interface);
        if (!contains(reads.possible[t], s)) continue;
        const int column = top.model.addBinary(lite.rebuild.timeUs);
        top.liteColumns.push_back({t, j, static_cast<int>(a), column});
        program.made[t][s].push_back({column, 1});
        std::vector<ilp::Term> row{{column, 1}};
        for (const int o : lite.options)
            row.push_back({top.optionColumn[j][o], -1});
        top.model.addAtMost(std::move(row), 0);
    }
}

/// R[t,j] and L[t,s,a], where they make something that part t may read.
void addRecomputes(const ProgramData &given, const Reads &reads, Program &program)
{
    TopModel &top = program.top;
    top.forwardColumn.assign(given.count(), std::vector<int>(given.blocks(), -1));
    program.made.assign(given.count(), std::vector<std::vector<ilp::Term>>(given.interfaces()));
    for (int t = given.chain.turn; t < given.count(); ++t) {
        program.lookAtLimits(given);
        for (int j = 0; j < given.blocks(); ++j) {
            std::vector<int> here;
            for (int s = 0; s < given.interfaces(); ++s)
                if (given.home(s) == j && contains(reads.possible[t], s)) here.push_back(s);
            if (here.empty()) continue;
            if (given.fastForwardAt(t, j)) {
                const int column = top.model.addBinary(given.choices[j].fastForward.timeUs);
                top.forwardColumn[t][j] = column;
                for (const int s : here)
                    program.made[t][s].push_back({column, 1});
            }
            if (given.liteAt(t, j)) addLites(given, reads, t, j, program);
        }
    }
}

} // namespace

std::vector<ilp::Term> Program::presence(int t, int s) const
{
    std::vector<ilp::Term> terms = made[t][s];
    if (top.thereColumn[t][s] >= 0) terms.push_back({top.thereColumn[t][s], 1});
    return terms;
}

void Program::lookAtLimits(const ProgramData &given) const
{
    given.lookAtStop();
    if (top.model.terms.size() > given.settings.mostTerms) throw GaveUp();
}

void addVariables(const ProgramData &given, const Reads &reads, Program &program)
{
    addInterfaces(given, reads, program);
    addRecomputes(given, reads, program);
}

} // namespace remat::hiremate::top
