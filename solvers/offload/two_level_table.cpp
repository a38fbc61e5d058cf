// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/two_level_table.h"

#include "solvers/chain/table_sums.h"
#include "solvers/tools/translate.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace remat::offload {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

} // namespace

TwoLevelTable::TwoLevelTable(const chain::ChainModel &model, const chain::ChainTable &inner, InputCopies copies,
                             const std::function<bool()> &stop)
    : m_model(model), m_inner(inner), m_copies(std::move(copies))
{
    const auto stages = static_cast<std::size_t>(model.size());
    m_cost.resize(3 * (stages * (stages + 1) / 2));
    for (int t = 0; t < model.size(); ++t)
        for (int s = t; s >= 0; --s) {
            if (stop()) return;
            for (const Input input : {Input::Freed, Input::Kept, Input::Host})
                fill(input, s, t);
        }
    m_complete = true;
}

/// Three triangles, one after the other.
std::size_t TwoLevelTable::cell(Input input, int s, int t) const
{
    const auto row = static_cast<std::size_t>(t);
    return static_cast<std::size_t>(input) * (m_cost.size() / 3) + row * (row + 1) / 2 + static_cast<std::size_t>(s);
}

/// As `ChainTable` rounds.
int TwoLevelTable::toSlots(std::int64_t bytes) const
{
    const std::int64_t slot = m_inner.memorySlotBytes();
    return static_cast<int>((std::max<std::int64_t>(bytes, 0) + slot / 2) / slot);
}

template <class Visit>
void TwoLevelTable::forEachTerm(Input input, int s, int t, const Visit &visit) const
{
    if (input == Input::Host)
        forEachOnHost(s, t, visit);
    else
        forEachInMemory(input, s, t, visit);
}

/// Rotor's terms, and those whose next input goes to the host.
template <class Visit>
void TwoLevelTable::forEachInMemory(Input input, int s, int t, const Visit &visit) const
{
    using RotorInput = chain::ChainTable::Input;
    const bool kept = input == Input::Kept;
    for (const chain::ChainTable::Term &rotor : m_inner.terms(kept ? RotorInput::Kept : RotorInput::Freed, s, t)) {
        const bool saves = rotor.checkpoint < 0;
        Term term{rotor.us, rotor.least, rotor.less, s == t ? -1 : saves ? s + 1 : rotor.checkpoint};
        term.checkpoint = rotor.checkpoint;
        term.option = rotor.option;
        term.nextInput = rotor.next == RotorInput::Kept ? Input::Kept : Input::Freed;
        visit(term);
        if (term.next < 0) continue;
        term.us += m_copies.writeUs[static_cast<std::size_t>(term.next)];
        term.nextInput = Input::Host;
        term.less = 0;
        if (saves) {
            const auto stage = static_cast<std::size_t>(s), saving = static_cast<std::size_t>(rotor.option);
            const chain::StageOption &option = m_model.stages[stage].options[saving];
            term.less = toSlots(option.keptBytes - (kept ? 0 : option.freedBytes));
        }
        visit(term);
    }
}

/// Peaks count the stage's own input, which is among the slots here.
template <class Visit>
void TwoLevelTable::forEachOnHost(int s, int t, const Visit &visit) const
{
    const auto first = static_cast<std::size_t>(s), last = static_cast<std::size_t>(t);
    const std::vector<std::int64_t> &inputBytes = m_model.inputBytes[0];
    const bool forwardPass = t + 1 == m_model.size();
    const auto constantOf = [&](const chain::Stage &stage) {
        return forwardPass ? stage.forwardConstantBytes : m_model.stages[last].constantBytes;
    };
    const int own = toSlots(inputBytes[first]);
    visit(Term{0, own, own, s, Input::Kept});
    const auto eitherNext = [&](Term term, int keptSlots) {
        const auto next = static_cast<std::size_t>(term.next);
        term.us += m_copies.readUs[first];
        term.less = keptSlots + toSlots(inputBytes[next]);
        visit(term);
        term.us += m_copies.writeUs[next];
        term.less = keptSlots;
        term.nextInput = Input::Host;
        visit(term);
    };
    Term advanced;
    std::int64_t peak = 0;
    for (int j = s + 1; j <= t; ++j) {
        const auto at = static_cast<std::size_t>(j) - 1;
        const chain::Stage &passed = m_model.stages[at];
        if (!forwardPass) advanced.us += passed.advanceUs;
        peak = std::max(peak, constantOf(passed) + inputBytes[at] + passed.advancePeakBytes);
        advanced.checkpoint = advanced.next = j;
        advanced.least = toSlots(peak);
        eitherNext(advanced, 0);
    }
    const chain::Stage &stage = m_model.stages[first];
    for (std::size_t k = 0; s < t && k < stage.options.size(); ++k) {
        const chain::StageOption &option = stage.options[k];
        Term saved;
        saved.option = static_cast<int>(k);
        saved.next = s + 1;
        saved.nextInput = option.keepsFreed ? Input::Kept : Input::Freed;
        saved.us = option.extraUs + (forwardPass ? 0 : option.remakeNextUs);
        saved.least = toSlots(inputBytes[first] +
                              std::max(option.forwardPeakBytes + constantOf(stage), option.backwardPeakBytes));
        eitherNext(saved, toSlots(option.keptBytes));
    }
}

double TwoLevelTable::timeOf(const Term &term, Input input, int s, int t, int memory) const
{
    if (memory < std::max(term.least, term.less)) return kNever;
    double us = term.us;
    if (term.next >= 0) {
        const int left = std::min(memory - term.less, m_inner.memorySlots());
        us += m_cost[cell(term.nextInput, term.next, t)][static_cast<std::size_t>(left)];
    }
    if (term.checkpoint >= 0) us += m_cost[cell(input, s, term.checkpoint - 1)][static_cast<std::size_t>(memory)];
    return us;
}

void TwoLevelTable::fill(Input input, int s, int t)
{
    std::vector<double> best(static_cast<std::size_t>(m_inner.memorySlots()) + 1, kNever);
    const std::vector<double> nothing(best.size(), 0);
    // As in `ChainTable`: what saves the stage, or leaves its input where it is, is cheap to look at and often best.
    for (const bool checkpoints : {false, true})
        forEachTerm(input, s, t, [&](const Term &term) {
            if ((term.checkpoint >= 0) != checkpoints || term.us == kNever) return;
            const std::vector<double> &after = term.next < 0 ? nothing : m_cost[cell(term.nextInput, term.next, t)];
            const std::vector<double> *before = checkpoints ? &m_cost[cell(input, s, term.checkpoint - 1)] : nullptr;
            chain::takeSums({term.us, std::max({term.least, term.less, 0}), term.less, after, before}, best);
        });
    m_cost[cell(input, s, t)] = std::move(best);
}

TwoLevelTable::Term TwoLevelTable::choose(Input input, int s, int t, int memory) const
{
    return chain::leastTerm<Term>([&](const auto &visit) { forEachTerm(input, s, t, visit); },
                                  [&](const Term &term) { return timeOf(term, input, s, t, memory); });
}

double TwoLevelTable::extraUs(int memory) const
{
    if (!m_complete || memory < 0 || memory > m_inner.memorySlots()) return kNever;
    return m_cost[cell(Input::Freed, 0, m_model.size() - 1)][static_cast<std::size_t>(memory)];
}

PagedSchedule TwoLevelTable::schedule(int memory) const
{
    struct Part {
        int memory, first, last;
        Input input;
    };
    PagedSchedule paged;
    paged.schedule.option.assign(static_cast<std::size_t>(m_model.size()), 0);
    std::vector<Part> open{{memory, 0, m_model.size() - 1, Input::Freed}};
    while (!open.empty()) {
        const auto [m, s, t, input] = open.back();
        open.pop_back();
        const Term term = choose(input, s, t, m);
        const int at = t + 1 == m_model.size() ? kForwardPass : t;
        if (term.checkpoint >= 0) open.push_back({m, s, term.checkpoint - 1, input});
        if (term.option >= 0) {
            paged.schedule.option[static_cast<std::size_t>(s)] = term.option;
            paged.add(at, s, term.option, false);
        }
        if (term.next < 0) continue;
        paged.add(at, term.next, -1, term.nextInput == Input::Host);
        open.push_back({std::min(m - term.less, m_inner.memorySlots()), term.next, t, term.nextInput});
    }
    return paged;
}

} // namespace remat::offload
