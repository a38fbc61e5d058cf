// SPDX-License-Identifier: Apache-2.0
// What the program over the chain is about: parts, blocks and the interfaces that they read.
#include "solvers/hiremate/top/program.h"

#include <algorithm>

namespace remat::hiremate::top {

void insert(Set &set, int value)
{
    const auto at = std::lower_bound(set.begin(), set.end(), value);
    if (at == set.end() || *at != value) set.insert(at, value);
}

bool contains(const Set &set, int value)
{
    return std::binary_search(set.begin(), set.end(), value);
}

ProgramData::ProgramData(const FlatGraph &graph, const Chain &blocks, const std::vector<BlockChoices> &each,
                         std::int64_t budgetBytes, const TopSettings &how)
    : flat(graph),
      chain(blocks),
      choices(each),
      settings(how),
      parts(blocks.parts),
      unitBytes(std::max(1.0, static_cast<double>(blocks.keepAllPeakBytes) / 1e4)),
      budget(units(budgetBytes)),
      m_number(graph.storages(), -1)
{
    for (std::size_t i = 0; i < chain.interfaces.size(); ++i)
        m_number[chain.interfaces[i]] = static_cast<int>(i);
    m_homePart.assign(chain.interfaces.size(), -1);
    m_firstBackward.assign(chain.blocks.size(), -1);
    std::vector<std::vector<int>> partsOfBlock(chain.blocks.size());
    for (int t = 0; t < count(); ++t) {
        partsOfBlock[parts[t].block].push_back(t);
        int &first = m_firstBackward[parts[t].block];
        if (parts[t].backward && first < 0) first = t;
    }
    for (int s = 0; s < interfaces(); ++s) {
        const Block &maker = block(home(s));
        const int local = maker.localOp(flat.producer[chain.interfaces[s]]);
        const auto at = std::upper_bound(maker.partEnds.begin(), maker.partEnds.end(), local);
        m_homePart[s] = partsOfBlock[home(s)][static_cast<std::size_t>(at - maker.partEnds.begin())];
    }
}

Set ProgramData::numbersOf(const std::vector<int> &storages) const
{
    Set set;
    for (const int s : storages)
        insert(set, m_number[s]);
    return set;
}

namespace {

/// Adds what rebuilding interfaces of the set may read in turn.
void closeReads(const ProgramData &given, int t, Set &possible)
{
    Set work = possible;
    while (!work.empty()) {
        const int s = work.back();
        work.pop_back();
        const auto reach = [&](const std::vector<int> &storages) {
            for (const int q : given.numbersOf(storages))
                if (!contains(possible, q)) {
                    insert(possible, q);
                    work.push_back(q);
                }
        };
        const BlockChoices &home = given.choices[given.home(s)];
        if (given.fastForwardAt(t, given.home(s))) reach(home.fastForward.readsInterfaces);
        if (given.liteAt(t, given.home(s)))
            for (const Lite &lite : home.lites)
                if (given.number(lite.interface) == s) reach(lite.rebuild.readsInterfaces);
    }
}

} // namespace

std::pair<std::size_t, std::size_t> stepsOf(const Part &part, const Option &option)
{
    const auto at = [&](int slot) {
        const auto first = std::lower_bound(option.program.begin(), option.program.end(), slot,
                                            [](const ProgramStep &step, int wanted) { return step.before < wanted; });
        return static_cast<std::size_t>(first - option.program.begin());
    };
    return {at(part.begin), at(part.end)};
}

Reads findReads(const ProgramData &given)
{
    Reads reads;
    const int count = given.count();
    reads.always.resize(count);
    reads.possible.resize(count);
    reads.ofOption.resize(count);
    for (int t = 0; t < count; ++t) {
        given.lookAtStop();
        const Part &part = given.parts[t];
        const Block &b = given.blockOf(part);
        for (int i = part.begin; i < part.end; ++i)
            for (const int s : b.ops[i].interfaces)
                insert(reads.always[t], given.number(s));
        reads.possible[t] = reads.always[t];
        if (!part.backward) continue;
        for (const Option &option : *given.choices[part.block].options) {
            Set again;
            const auto [begin, end] = stepsOf(part, option);
            for (std::size_t p = begin; p < end; ++p)
                if (option.program[p].recompute())
                    for (const int s : b.ops[option.program[p].op].interfaces)
                        insert(again, given.number(s));
            for (const int s : again)
                insert(reads.possible[t], s);
            reads.ofOption[t].push_back(std::move(again));
        }
        closeReads(given, t, reads.possible[t]);
    }
    reads.lastPossible.assign(given.interfaces(), -1);
    reads.lastForward.assign(given.interfaces(), -1);
    for (int t = 0; t < count; ++t) {
        for (const int s : reads.possible[t])
            reads.lastPossible[s] = t;
        if (!given.parts[t].backward)
            for (const int s : reads.always[t])
                reads.lastForward[s] = t;
    }
    return reads;
}

} // namespace remat::hiremate::top
