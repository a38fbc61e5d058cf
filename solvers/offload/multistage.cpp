// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/multistage.h"

#include "solvers/chain/revolve.h"
#include "solvers/tools/translate.h"

#include <limits>

namespace remat::offload {

namespace {

/// Opt_0: without a snapshot only a single stage can be reversed.
double inMemorySteps(int length, int snapshots)
{
    if (length <= 1) return 0;
    if (snapshots < 1) return std::numeric_limits<double>::infinity();
    return static_cast<double>(chain::revolveExtraSteps(length, snapshots));
}

} // namespace

MultistageTable::MultistageTable(int length, int snapshots, const HostCopies &copies) : m_snapshots(snapshots)
{
    std::vector<double> inMemory{0};
    m_onHost.emplace_back();
    m_any.emplace_back();
    for (int l = 1; l <= length; ++l) {
        inMemory.push_back(inMemorySteps(l, snapshots));
        MultistageChoice onHost{inMemory.back(), 0}, any = onHost;
        for (int j = 1; j < l; ++j) {
            const double restart = j + copies.readSteps + m_onHost[j].steps;
            const double held = restart + inMemory[l - j];
            const double written = copies.writeSteps + restart + m_any[l - j].steps;
            if (held < onHost.steps) onHost = {held, j};
            if (written < any.steps) any = {written, j};
        }
        m_onHost.push_back(onHost);
        m_any.push_back(any);
    }
}

PagedSchedule MultistageTable::schedule(const chain::ChainModel &model) const
{
    PagedSchedule paged{chain::inputsOnly(model), {}};
    const int last = model.size() - 1;
    int first = 0;
    while (const int advance = m_any[last - first + 1].advance) {
        paged.add(kForwardPass, first, -1, true);
        addOnHost(first, first + advance - 1, paged);
        first += advance;
    }
    addInMemory(kForwardPass, first, last, paged);
    return paged;
}

/// The input of `first` is on the host; `last` is not the last stage of the chain.
void MultistageTable::addOnHost(int first, int last, PagedSchedule &paged) const
{
    while (const int advance = m_onHost[last - first + 1].advance) {
        addInMemory(last, first + advance, last, paged);
        last = first + advance - 1;
    }
    addInMemory(last, first, last, paged);
}

/// Opt_0: all inputs of `first` … `last` that are held are in memory, from the backward part of stage `at` on.
void MultistageTable::addInMemory(int at, int first, int last, PagedSchedule &paged) const
{
    if (first == last) return;
    paged.add(at, first, -1, false);
    const int stages = static_cast<int>(paged.schedule.option.size());
    chain::addRevolve(stages, first, last, m_snapshots, paged.schedule);
    paged.leaves.resize(paged.schedule.holds.size(), 0);
}

} // namespace remat::offload
