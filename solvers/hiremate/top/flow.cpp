// SPDX-License-Identifier: Apache-2.0
// The rows of the program over the chain that say where interfaces can be, and that what is read is there.
#include "solvers/hiremate/top/program.h"

#include <map>

namespace remat::hiremate::top {

namespace {

/// X[t,s] ≤ X[t−1,s] + Q[t−1,s] and X[t,s] + Q[t,s] ≤ 1.
void addPresence(const ProgramData &given, Program &program)
{
    TopModel &top = program.top;
    for (int t = 0; t < given.count(); ++t) {
        program.lookAtLimits(given);
        for (int s = 0; s < given.interfaces(); ++s) {
            if (!program.made[t][s].empty()) top.model.addAtMost(program.presence(t, s), 1);
            const int there = top.thereColumn[t][s];
            if (there < 0 || t - 1 <= given.homePart(s)) continue;
            std::vector<ilp::Term> row{{there, 1}};
            for (const ilp::Term &term : program.presence(t - 1, s))
                row.push_back({term.column, -1});
            top.model.addAtMost(std::move(row), 0);
        }
    }
}

/// X[t,s] + Q[t,s] ≥ `always` + what of `users` is chosen.
void need(const ProgramData &given, int t, int s, const std::vector<ilp::Term> &users, double always, Program &program)
{
    if (given.homePart(s) == t) return;
    std::vector<ilp::Term> row = program.presence(t, s);
    for (const ilp::Term &user : users)
        row.push_back({user.column, -1});
    program.top.model.addAtLeast(always, std::move(row));
}

void addNeeds(const ProgramData &given, const Reads &reads, Program &program)
{
    const TopModel &top = program.top;
    for (int t = given.chain.turn; t < given.count(); ++t) {
        program.lookAtLimits(given);
        const int k = given.parts[t].block;
        for (const int s : reads.always[t])
            need(given, t, s, {}, 1, program);
        std::map<int, std::vector<ilp::Term>> readers;
        for (std::size_t o = 0; o < reads.ofOption[t].size(); ++o)
            for (const int s : reads.ofOption[t][o])
                if (!contains(reads.always[t], s)) readers[s].push_back({top.optionColumn[k][o], 1});
        for (const auto &[s, users] : readers)
            need(given, t, s, users, 0, program);
        for (int j = 0; j < given.blocks(); ++j)
            if (top.forwardColumn[t][j] >= 0)
                for (const int s : given.numbersOf(given.choices[j].fastForward.readsInterfaces))
                    need(given, t, s, {{top.forwardColumn[t][j], 1}}, 0, program);
    }
    for (const TopModel::LiteColumn &lite : top.liteColumns)
        for (const int s : given.numbersOf(given.choices[lite.block].lites[lite.lite].rebuild.readsInterfaces))
            need(given, lite.part, s, {{lite.column, 1}}, 0, program);
}

} // namespace

void addFlow(const ProgramData &given, const Reads &reads, Program &program)
{
    addPresence(given, program);
    addNeeds(given, reads, program);
}

} // namespace remat::hiremate::top
