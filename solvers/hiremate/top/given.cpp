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

Given::Given(const FlatGraph &graph, const Chain &blocks, const std::vector<BlockChoices> &each,
             std::int64_t budgetBytes, const TopSettings &how)
    : flat(graph),
      chain(blocks),
      choices(each),
      settings(how),
      parts{static_cast<int>(blocks.blocks.size())},
      unitBytes(std::max(1.0, static_cast<double>(blocks.keepAllPeakBytes) / 1e4)),
      budget(units(budgetBytes)),
      m_number(graph.storages(), -1)
{
    for (std::size_t i = 0; i < chain.interfaces.size(); ++i)
        m_number[chain.interfaces[i]] = static_cast<int>(i);
}

Set Given::numbersOf(const std::vector<int> &storages) const
{
    Set set;
    for (const int s : storages)
        insert(set, m_number[s]);
    return set;
}

namespace {

/// Adds what rebuilding interfaces of the set may read in turn.
void closeReads(const Given &given, int t, Set &possible)
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

Reads findReads(const Given &given)
{
    Reads reads;
    const int count = given.parts.count();
    reads.always.resize(count);
    reads.possible.resize(count);
    reads.ofOption.resize(given.parts.blocks);
    for (int t = 0; t < count; ++t) {
        given.lookAtStop();
        const int k = given.parts.block(t);
        const Block &b = given.block(k);
        const int begin = given.parts.backward(t) ? b.forwardOps() : 0;
        const int end = given.parts.backward(t) ? static_cast<int>(b.ops.size()) : b.forwardOps();
        for (int i = begin; i < end; ++i)
            for (const int s : b.ops[i].interfaces)
                insert(reads.always[t], given.number(s));
        reads.possible[t] = reads.always[t];
        if (!given.parts.backward(t)) continue;
        for (const Option &option : *given.choices[k].options) {
            Set again;
            for (const ProgramStep &step : option.program)
                if (step.recompute())
                    for (const int s : b.ops[step.op].interfaces)
                        insert(again, given.number(s));
            for (const int s : again)
                insert(reads.possible[t], s);
            reads.ofOption[k].push_back(std::move(again));
        }
        closeReads(given, t, reads.possible[t]);
    }
    reads.lastPossible.assign(given.interfaces(), -1);
    reads.lastForward.assign(given.interfaces(), -1);
    for (int t = 0; t < count; ++t) {
        for (const int s : reads.possible[t])
            reads.lastPossible[s] = t;
        if (!given.parts.backward(t))
            for (const int s : reads.always[t])
                reads.lastForward[s] = t;
    }
    return reads;
}

} // namespace remat::hiremate::top
