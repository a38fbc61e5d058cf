// SPDX-License-Identifier: Apache-2.0
#include "solvers/chain/chain_table.h"

#include "solvers/chain/table_story.h"
#include "solvers/chain/table_sums.h"
#include "solvers/tools/translate.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace remat::chain {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

ChainTable::ChainTable(const ChainModel &model, const TableSettings &settings, const std::function<bool()> &stop)
    : m_model(model), m_checkpoints(settings.checkpoints)
{
    const std::int64_t slots = std::max(settings.memorySlots, 1);
    m_memorySlotBytes = std::max<std::int64_t>(1, (settings.memoryBytes + slots - 1) / slots);
    m_memorySlots = static_cast<int>(std::max<std::int64_t>(settings.memoryBytes, 0) / m_memorySlotBytes);
    const int stages = model.size();
    for (const Stage &stage : model.stages)
        m_frees.push_back(std::any_of(stage.options.begin(), stage.options.end(),
                                      [](const StageOption &option) {
                                          return option.freedBytes > 0 ||
                                                 option.backwardPeakFreedBytes < option.backwardPeakBytes ||
                                                 option.forwardPeakFreedBytes < option.forwardPeakBytes;
                                      })
                              ? 1
                              : 0);
    m_cost.resize(static_cast<std::size_t>(stages) * (stages + 1));
    m_fits.resize(m_cost.size(), m_memorySlots + 1);
    for (int t = 0; t < stages; ++t)
        for (int s = t; s >= 0; --s) {
            if (stop()) return;
            fill(Input::Freed, s, t);
            if (settings.story) settings.story->filled(*this, s, t);
            if (m_frees[s]) fill(Input::Kept, s, t);
        }
    m_complete = true;
}

/// Both tables are triangles, one after the other; where nothing can be freed they are one.
std::size_t ChainTable::cell(Input input, int s, int t) const
{
    const bool second = input == Input::Kept && m_frees[s];
    return (second ? m_cost.size() / 2 : 0) + static_cast<std::size_t>(t) * (t + 1) / 2 + s;
}

/// Calls `visit` for each term of Opt(·, s, t) whose parts are known.
template <class Visit>
void ChainTable::forEachTerm(Input input, int s, int t, const Visit &visit) const
{
    const bool first = t + 1 == m_model.size(), alone = s == t;
    const Stage &stage = m_model.stages[s];
    const std::int64_t constant = m_model.stages[t].constantBytes;
    const std::vector<std::int64_t> &inputBytes = m_model.inputBytes[s];
    Term term;
    std::int64_t peak = 0;
    for (int j = s + 1; m_checkpoints && j <= t; ++j) {
        const Stage &passed = m_model.stages[j - 1];
        if (!first) term.us += passed.advanceUs;
        const std::int64_t held = first ? passed.forwardConstantBytes : constant;
        peak = std::max(peak, held + inputBytes[j - 1] + passed.advancePeakBytes);
        term.checkpoint = j;
        term.least = toMemorySlots(peak);
        term.less = toMemorySlots(inputBytes[j]);
        visit(term);
    }
    for (int k = 0; k < static_cast<int>(stage.options.size()); ++k) {
        const StageOption &option = stage.options[k];
        const bool remade = alone && !first;
        const bool kept = input == Input::Kept || (remade && option.remakeUs > 0);
        const std::int64_t freed = kept ? 0 : option.freedBytes;
        const std::int64_t again = remade ? option.remakePeakBytes : option.forwardPeakBytes;
        const std::int64_t forward =
            (kept || remade ? again : option.forwardPeakFreedBytes) + (first ? stage.forwardConstantBytes : constant);
        const std::int64_t backward = kept ? option.backwardPeakBytes : option.backwardPeakFreedBytes;
        const std::int64_t after = alone ? 0 : option.keptBytes + inputBytes[s + 1] - freed;
        Term saved;
        saved.option = k;
        saved.us = option.extraUs + (first ? 0 : alone ? option.remakeUs : option.remakeNextUs);
        saved.least = toMemorySlots(std::max({forward, backward, std::int64_t(0)}));
        saved.less = after < 0 ? -toMemorySlots(-after) : toMemorySlots(after);
        saved.next = option.keepsFreed ? Input::Kept : Input::Freed;
        visit(saved);
    }
}

/// Takes the sums of a term into `best`.
void ChainTable::fillTerm(const Term &term, Input input, int s, int t, std::vector<double> &best)
{
    const int next = term.checkpoint < 0 ? s + 1 : term.checkpoint;
    const std::size_t after = cell(term.next, next, t), before = cell(input, s, next - 1);
    int from = std::max({term.least, term.less, 0, m_fits[after] + term.less});
    if (term.checkpoint >= 0) from = std::max(from, m_fits[before]);
    m_sums +=
        takeSums({term.us, from, term.less, m_cost[after], term.checkpoint >= 0 ? &m_cost[before] : nullptr}, best);
}

void ChainTable::fill(Input input, int s, int t)
{
    std::vector<double> best(m_memorySlots + 1, kInfinity);
    // What saves the stage is cheap to look at and often best: after it, few checkpoints are worth their sums.
    for (const bool checkpoints : {false, true})
        forEachTerm(input, s, t, [&](const Term &term) {
            if ((term.checkpoint >= 0) != checkpoints) return;
            if (s != t) {
                fillTerm(term, input, s, t, best);
                return;
            }
            for (int m = std::max({term.least, term.less, 0}); m <= m_memorySlots; ++m)
                best[m] = std::min(best[m], term.us);
        });
    const std::size_t filled = cell(input, s, t);
    m_fits[filled] = static_cast<int>(
        std::partition_point(best.begin(), best.end(), [](double us) { return us == kInfinity; }) - best.begin());
    m_cost[filled] = std::move(best);
}

/// Time of a term with `memory` slots.
double ChainTable::timeOf(const Term &term, Input input, int s, int t, int memory) const
{
    if (memory < std::max(term.least, term.less)) return kInfinity;
    if (s == t) return term.us;
    const int next = term.checkpoint < 0 ? s + 1 : term.checkpoint;
    const double us = term.us + m_cost[cell(term.next, next, t)][std::min(memory - term.less, m_memorySlots)];
    return term.checkpoint < 0 ? us : us + m_cost[cell(input, s, next - 1)][memory];
}

ChainTable::Term ChainTable::choose(Input input, int s, int t, int memory) const
{
    return leastTerm<Term>([&](const auto &visit) { forEachTerm(input, s, t, visit); },
                           [&](const Term &term) { return timeOf(term, input, s, t, memory); });
}

std::vector<ChainTable::Term> ChainTable::terms(Input input, int s, int t) const
{
    std::vector<Term> all;
    forEachTerm(input, s, t, [&](const Term &term) { all.push_back(term); });
    return all;
}

double ChainTable::extraUs(int memory) const
{
    return partUs(Input::Freed, 0, m_model.size() - 1, memory);
}

double ChainTable::partUs(Input input, int s, int t, int memory) const
{
    if (!m_complete || memory < 0 || memory > m_memorySlots) return kInfinity;
    return m_cost[cell(input, s, t)][memory];
}

ChainSchedule ChainTable::schedule(int memory) const
{
    ChainSchedule schedule;
    schedule.option.assign(m_model.size(), 0);
    addPart(Input::Freed, 0, m_model.size() - 1, memory, schedule);
    return schedule;
}

void ChainTable::addPart(Input partInput, int first, int last, int memory, ChainSchedule &schedule) const
{
    struct Part {
        int memory, first, last;
        Input input;
    };
    std::vector<Part> open{{memory, first, last, partInput}};
    while (!open.empty()) {
        const auto [m, s, t, input] = open.back();
        open.pop_back();
        const Term term = choose(input, s, t, m);
        const int time = t + 1 == m_model.size() ? kForwardPass : t;
        const int left = std::min(m - term.less, m_memorySlots);
        if (term.checkpoint >= 0) {
            schedule.holds.push_back({time, term.checkpoint, -1});
            open.push_back({m, s, term.checkpoint - 1, input});
            open.push_back({left, term.checkpoint, t, Input::Freed});
            continue;
        }
        schedule.option[s] = term.option;
        schedule.holds.push_back({time, s, term.option});
        if (s == t) continue;
        schedule.holds.push_back({time, s + 1, -1});
        open.push_back({left, s + 1, t, term.next});
    }
}

} // namespace remat::chain
