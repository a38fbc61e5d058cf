#include "solvers/search/moves.h"

#include <algorithm>
#include <cstdlib>

namespace remat::search {

namespace {

/// A stage this close to the budget counts as near it.
constexpr double kNearShare = 0.97;
constexpr int kTries = 30;    ///< to find a storage that crosses a stage
constexpr int kRepairs = 6;   ///< drops of a repair at most
constexpr int kSamples = 6;   ///< a repair drop is the best of
constexpr int kEjections = 6; ///< undos tried after a drop near the budget

} // namespace

Moves::Moves(State &state, Random &random)
    : m_state(state), m_random(random), m_drop(state, 0, &random), m_twins(state.flat())
{
    const FlatGraph &flat = state.flat();
    const double tiny = kTinyShare * static_cast<double>(state.memory().peak());
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] >= 0 && !flat.once[flat.producer[s]] && flat.bytes[s] > 0 &&
            static_cast<double>(flat.bytes[s]) >= tiny)
            m_storages.push_back(s);
}

void Moves::make()
{
    if (m_storages.empty()) return;
    const bool over = !m_state.fits(), some = !m_state.steps().empty();
    const int draw = m_random.below(100);
    if (over && (draw < 42 || !some))
        dropOverBudget();
    else if (draw < (over ? 52 : 24) || !some)
        dropNearBudget();
    else if (draw < (over ? 68 : 48))
        undoOne();
    else if (draw < (over ? 83 : 74))
        shiftOne();
    else if (draw < (over ? 89 : 80))
        copyLayer();
    else
        undoAndRepair();
}

int Moves::stageToRelieve()
{
    const StageMemory &memory = m_state.memory();
    if (m_random.percent(40)) return memory.highest();
    return memory.nextAbove(m_random.below(memory.stages()), memory.budgetBytes());
}

int Moves::stageNearBudget()
{
    const StageMemory &memory = m_state.memory();
    const auto near = static_cast<std::int64_t>(kNearShare * static_cast<double>(memory.budgetBytes()));
    const int stage = memory.nextAbove(m_random.below(memory.stages()), near);
    return stage >= 0 ? stage : memory.highest();
}

bool Moves::crossing(int storage, int stage, Gap &gap) const
{
    const std::vector<Key> &events = m_state.events(storage);
    const std::size_t e = m_state.eventAt(storage, keyOf(stage, 0));
    if (e == 0 || e == events.size() || stageOf(events[e]) == stage || m_state.makes(events[e], storage)) return false;
    gap = {storage, events[e - 1], events[e]};
    return true;
}

bool Moves::pickCrossing(int stage, Gap &gap)
{
    const FlatGraph &flat = m_state.flat();
    for (int tries = 0; tries < kTries; ++tries) {
        int storage = -1;
        if (m_state.steps().empty() || m_random.percent(75)) {
            storage = m_storages[m_random.below(m_storages.size())];
        } else {
            const int op = opOf(anyStep());
            const std::vector<int> &around = m_random.percent(50) ? flat.inputs[op] : flat.outputs[op];
            if (around.empty()) continue;
            storage = around[m_random.below(around.size())];
            if (flat.producer[storage] < 0 || flat.once[flat.producer[storage]]) continue;
        }
        if (crossing(storage, stage, gap)) return true;
    }
    return false;
}

int Moves::stageOfDrop(const Gap &gap)
{
    const int latest = dropStage(m_state, gap);
    if (!m_random.percent(12)) return latest;
    // Earlier: where one of the inputs is read for the last time before.
    const int maker = m_state.flat().producer[gap.storage];
    const std::vector<int> &inputs = m_state.flat().inputs[maker];
    if (inputs.empty()) return latest;
    const int input = inputs[m_random.below(inputs.size())];
    const std::vector<Key> &events = m_state.events(input);
    const std::size_t e = m_state.eventAt(input, keyOf(latest, 0));
    if (e == 0 || events.empty()) return latest;
    const int stage = stageOf(events[e - 1]);
    return stage > stageOf(gap.from) + 1 ? stage : latest;
}

void Moves::dropAcross(int stage)
{
    Gap gap;
    if (stage < 0 || !pickCrossing(stage, gap)) return;
    m_drop(stageOfDrop(gap), m_state.flat().producer[gap.storage]);
}

void Moves::dropOverBudget()
{
    dropAcross(stageToRelieve());
}

void Moves::dropNearBudget()
{
    dropAcross(stageNearBudget());
    if (!m_random.percent(30)) return;
    for (int i = 0; i < kEjections && !m_state.steps().empty(); ++i) {
        const std::size_t mark = m_state.mark();
        const double before = energy();
        undo(anyStep());
        if (energy() >= before) m_state.rollback(mark);
    }
}

void Moves::undo(Key step)
{
    m_state.remove(step);
    m_state.collect();
}

void Moves::undoOne()
{
    undo(anyStep());
}

void Moves::shiftOne()
{
    const FlatGraph &flat = m_state.flat();
    const Key step = anyStep();
    const int op = opOf(step), stage = stageOf(step);
    int target = -1;
    const int draw = m_random.below(4);
    if (draw == 0 && !flat.outputs[op].empty()) {
        // The first or second read of one of its results.
        const int output = flat.outputs[op][m_random.below(flat.outputs[op].size())];
        const std::vector<Key> &events = m_state.events(output);
        const std::size_t e = m_state.eventAt(output, step) + 1 + m_random.below(std::size_t(2));
        if (e < events.size() && !m_state.makes(events[e], output)) target = stageOf(events[e]);
    } else if (draw == 1 && !flat.inputs[op].empty()) {
        const int input = flat.inputs[op][m_random.below(flat.inputs[op].size())];
        const std::vector<Key> &events = m_state.events(input);
        if (!events.empty()) {
            const std::size_t e = m_state.eventAt(input, step);
            if (e > 0) target = stageOf(events[e - 1]);
        }
    } else if (draw == 2) {
        target = stageOf(anyStep());
    } else {
        target = stage - 10 + m_random.below(21);
    }
    if (target == stage || target <= op || target >= flat.ops || m_state.has(keyOf(target, op))) return;
    m_state.remove(step);
    m_drop(target, op);
}

void Moves::undoAndRepair()
{
    const FlatGraph &flat = m_state.flat();
    const std::size_t mark = m_state.mark();
    const Key step = anyStep();
    m_undone.clear();
    if (m_random.percent(50)) {
        m_undone.push_back(step);
    } else {
        for (const Key other : m_state.stepsOf(stageOf(step)))
            if (m_random.percent(70)) m_undone.push_back(other);
    }
    for (const Key undone : m_undone)
        if (m_state.has(undone)) undo(undone);

    m_near.clear();
    for (std::size_t j = mark; j < m_state.journal().size(); ++j) {
        const int op = opOf(m_state.journal()[j]);
        for (const std::vector<int> *list : {&flat.inputs[op], &flat.outputs[op]})
            for (const int s : *list) {
                if (flat.producer[s] < 0) continue;
                m_near.push_back(s);
                for (const int reader : flat.readers[s])
                    m_near.insert(m_near.end(), flat.outputs[reader].begin(), flat.outputs[reader].end());
            }
    }
    std::erase_if(m_near, [&](int s) { return flat.once[flat.producer[s]] || flat.bytes[s] == 0; });

    for (int repair = 0; repair < kRepairs && !m_state.fits(); ++repair) {
        double bestValue = 0;
        int bestStage = 0, bestOp = 0;
        for (int sample = 0; sample < kSamples; ++sample) {
            const int stage = stageToRelieve();
            Gap gap;
            const bool near = !m_near.empty() && m_random.percent(50);
            const bool found =
                near ? crossing(m_near[m_random.below(m_near.size())], stage, gap) : pickCrossing(stage, gap);
            if (!found) continue;
            const int target = stageOfDrop(gap), op = flat.producer[gap.storage];
            if (!m_state.canAdd(target, op)) continue;
            const auto off = static_cast<double>(
                m_state.memory().overflowOfLess(stageOf(gap.from) + 1, target, flat.bytes[gap.storage]));
            const double value = off / std::max(m_drop.priceOf(target, op), kLeastUs);
            if (value <= bestValue) continue;
            bestValue = value;
            bestStage = target;
            bestOp = op;
        }
        if (bestValue <= 0) return;
        m_drop(bestStage, bestOp);
    }
}

void Moves::copyLayer()
{
    const Key step = anyStep();
    const int from = opOf(step);
    const std::vector<int> &alike = m_twins.alike(from);
    if (alike.size() < 2) return;
    const int to = alike[m_random.below(alike.size())];
    if (to == from) return;
    const int layers = m_twins.place(to) - m_twins.place(from);
    const bool wholeLayer = m_random.percent(60);
    // Half a layer to each side makes one layer.
    const int reach = (alike.back() - alike.front()) / static_cast<int>(alike.size() - 1) / 2;
    const int stage = stageOf(step), otherStage = m_twins.shifted(stage, layers);
    if (!wholeLayer && otherStage < 0) return;
    const auto near = [&](Key key, int op, int inStage) {
        return std::abs(opOf(key) - op) <= reach && (wholeLayer || stageOf(key) == inStage);
    };
    m_undone.clear();
    m_copied.clear();
    for (const Key key : m_state.steps()) {
        if (near(key, to, otherStage)) m_undone.push_back(key);
        if (!near(key, from, stage)) continue;
        const int t = m_twins.shifted(stageOf(key), layers), op = m_twins.shifted(opOf(key), layers);
        if (t > op && op >= 0) m_copied.push_back(keyOf(t, op));
    }
    for (const Key key : m_undone)
        m_state.remove(key);
    for (const Key key : m_copied)
        if (m_state.canAdd(stageOf(key), opOf(key))) m_state.add(key);
    m_state.collect();
}

} // namespace remat::search
