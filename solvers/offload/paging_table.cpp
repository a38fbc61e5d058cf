// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/paging_table.h"

#include "solvers/tools/translate.h"

#include <algorithm>
#include <limits>

namespace remat::offload {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

PagingTable::PagingTable(const chain::ChainModel &model, const chain::ChainTable &inner, Link link,
                         const std::function<bool()> &stop)
    : m_model(model), m_inner(inner), m_link(std::move(link))
{
    const auto memorySlotBytes = static_cast<double>(inner.memorySlotBytes());
    if (m_link.bytesPerUs > 0) m_memorySlotUs = memorySlotBytes / m_link.bytesPerUs;
    m_drain.push_back(0);
    for (const double us : m_link.forwardUs)
        m_drain.push_back(m_drain.back() + us * m_link.bytesPerUs / memorySlotBytes);
    const int slots = inner.memorySlots(), last = model.size() - 1;
    m_cost.assign(index(Input::Freed, model.size(), 0, 0), kInfinity);
    for (int s = 0; s <= last; ++s)
        for (const Input input : {Input::Freed, Input::Kept})
            m_terms.push_back(inner.terms(input, s, last));
    for (int s = last; s >= 0; --s) {
        if (stop()) return;
        for (const Input input : {Input::Freed, Input::Kept})
            for (int memory = 0; memory <= slots; ++memory)
                for (int way = 0; way <= memory; ++way) {
                    double best = kInfinity;
                    forEachTerm(input, s, memory, way,
                                [&](const Term &term) { best = std::min(best, term.us + after(term)); });
                    m_cost[index(input, s, memory, way)] = best;
                }
    }
    m_complete = true;
}

double PagingTable::after(const Term &term) const
{
    return term.nextStage < 0 ? 0 : m_cost[index(term.nextInput, term.nextStage, term.nextMemory, term.nextWay)];
}

template <class Visit>
void PagingTable::forEachTerm(Input input, int s, int memory, int way, const Visit &visit) const
{
    const int last = m_model.size() - 1;
    const int free = memory - way;
    for (const chain::ChainTable::Term &choice : m_terms[static_cast<std::size_t>(s) * 2 + (input == Input::Kept)]) {
        if (free < std::max(choice.least, choice.less)) continue;
        Term term;
        term.us = choice.us;
        term.checkpoint = choice.checkpoint;
        term.option = choice.option;
        term.nextInput = choice.next;
        if (choice.checkpoint >= 0) {
            term.us += m_inner.partUs(input, s, choice.checkpoint - 1, free);
            if (term.us >= kInfinity) continue;
        } else if (s == last) {
            visit(term);
            continue;
        }
        term.nextStage = choice.checkpoint >= 0 ? choice.checkpoint : s + 1;
        term.nextMemory = std::min(memory - choice.less, m_inner.memorySlots());
        const double copied = m_drain[term.nextStage] - m_drain[s];
        term.nextWay = copied >= way ? 0 : way - static_cast<int>(copied);
        if (term.nextWay <= term.nextMemory) visit(term);
        if (m_memorySlotUs <= 0 || choice.less <= 0) continue;
        term.leaves = true;
        term.nextMemory = memory;
        term.nextWay += choice.less;
        if (term.nextWay <= memory) visit(term);
    }
    if (way > 0 && m_memorySlotUs > 0) {
        Term wait;
        wait.us = m_memorySlotUs;
        wait.nextStage = s;
        wait.nextInput = input;
        wait.nextMemory = memory;
        wait.nextWay = way - 1;
        visit(wait);
    }
}

double PagingTable::extraUs(int memory) const
{
    if (!m_complete || memory < 0 || memory > m_inner.memorySlots()) return kInfinity;
    return m_cost[index(Input::Freed, 0, memory, 0)];
}

PagedSchedule PagingTable::schedule(int memory) const
{
    PagedSchedule paged;
    chain::ChainSchedule &schedule = paged.schedule;
    schedule.option.assign(m_model.size(), 0);
    int s = 0, way = 0;
    Input input = Input::Freed;
    while (s >= 0) {
        Term best;
        double bestUs = kInfinity;
        forEachTerm(input, s, memory, way, [&](const Term &term) {
            const double us = term.us + after(term);
            if (us >= bestUs) return;
            bestUs = us;
            best = term;
        });
        if (best.checkpoint >= 0) {
            m_inner.addPart(input, s, best.checkpoint - 1, memory - way, schedule);
            paged.add(kForwardPass, best.checkpoint, -1, best.leaves);
        } else if (best.option >= 0) {
            schedule.option[s] = best.option;
            paged.add(kForwardPass, s, best.option, best.leaves);
            if (best.nextStage >= 0) paged.add(kForwardPass, s + 1, -1, best.leaves);
        }
        s = best.nextStage;
        memory = best.nextMemory;
        way = best.nextWay;
        input = best.nextInput;
    }
    return paged;
}

} // namespace remat::offload
