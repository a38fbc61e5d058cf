// SPDX-License-Identifier: Apache-2.0
#include "core/plan/eager_frees.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace remat {

namespace {

/// Where the steps of some kind stand, in order, per op or storage.
using Places = std::unordered_map<std::size_t, std::vector<std::size_t>>;

/// The first of these places behind one, or `none`.
std::size_t firstBehind(const std::vector<std::size_t> &places, std::size_t place, std::size_t none)
{
    const auto found = std::upper_bound(places.begin(), places.end(), place);
    return found == places.end() ? none : *found;
}

/// Moves frees of storages that are held behind the computation of the op that each is held for.
std::vector<Step> withLaterFrees(const Graph &graph, std::vector<Step> steps, const std::vector<EagerHold> &holds)
{
    if (holds.empty()) return steps;
    Places computed, made, freed;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].kind == StepKind::Free) freed[steps[i].storage.index()].push_back(i);
        if (steps[i].kind != StepKind::Compute) continue;
        computed[steps[i].op.index()].push_back(i);
        for (const StorageId output : graph.op(steps[i].op).outputs)
            made[output.index()].push_back(i);
    }
    std::vector<std::size_t> target(steps.size(), 0); // per free the step that it is to follow, 0: none
    for (const EagerHold &hold : holds) {
        const std::vector<std::size_t> &births = made[hold.storage.index()];
        for (const std::size_t free : freed[hold.storage.index()]) {
            const auto next = std::upper_bound(births.begin(), births.end(), free);
            if (next == births.begin()) continue;
            const std::size_t until = firstBehind(computed[hold.until.index()], *std::prev(next), 0);
            if (until > free && (next == births.end() || until < *next)) target[free] = std::max(target[free], until);
        }
    }
    std::unordered_map<std::size_t, std::vector<Step>> behind; // step -> frees that are to follow it
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (target[i] > 0) behind[target[i]].push_back(steps[i]);
    std::vector<Step> ordered;
    ordered.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (target[i] > 0) continue;
        ordered.push_back(steps[i]);
        if (const auto frees = behind.find(i); frees != behind.end())
            ordered.insert(ordered.end(), frees->second.begin(), frees->second.end());
    }
    return ordered;
}

/// What the ops of one function compute together: a formula has one for each gradient, which share nothing they make.
class Statements
{
public:
    Statements(const Graph &graph, const std::vector<OpId> &sequence, const std::vector<std::int64_t> &formulas)
        : m_of(graph.ops.size()), m_makers(graph.storages.size())
    {
        std::iota(m_of.begin(), m_of.end(), std::size_t(0));
        for (const OpId op : sequence) {
            for (const StorageId input : graph.op(op).inputs) {
                const OpId maker = m_makers[input.index()];
                if (maker && formulas[op.index()] >= 0 && formulas[maker.index()] == formulas[op.index()])
                    m_of[of(op)] = of(maker);
            }
            for (const StorageId made : graph.op(op).outputs)
                m_makers[made.index()] = op;
        }
    }

    /// The statement of an op, as a number of its own.
    std::size_t of(OpId op) const
    {
        std::size_t at = op.index();
        while (m_of[at] != at)
            at = m_of[at];
        return at;
    }

    /// Whether an op of this statement made the storage.
    bool made(std::size_t statement, StorageId storage) const
    {
        const OpId maker = m_makers[storage.index()];
        return maker && of(maker) == statement;
    }

private:
    std::vector<std::size_t> m_of; ///< per op another of its statement, or itself
    std::vector<OpId> m_makers;    ///< per storage
};

} // namespace

std::vector<Step> withEagerFrees(const Graph &graph, const std::vector<OpId> &sequence,
                                 const std::vector<std::int64_t> &formulas, const std::vector<EagerHold> &holds)
{
    const Statements statements(graph, sequence, formulas);
    std::vector<Step> steps, held;
    std::int64_t running = -1;
    std::size_t statement = graph.ops.size();
    const auto endFunction = [&] {
        steps.insert(steps.end(), held.begin(), held.end());
        held.clear();
    };
    const auto endStatement = [&] {
        const auto ended = std::stable_partition(
            held.begin(), held.end(), [&](const Step &step) { return !statements.made(statement, step.storage); });
        steps.insert(steps.end(), ended, held.end());
        held.erase(ended, held.end());
    };
    for (const Step &step : withLaterFrees(graph, withEarliestFrees(graph, sequence), holds)) {
        if (step.kind == StepKind::Compute) {
            const std::int64_t function = formulas[step.op.index()];
            if (function != std::exchange(running, function))
                endFunction();
            else if (statement != statements.of(step.op))
                endStatement();
            statement = statements.of(step.op);
        }
        (step.kind == StepKind::Free && running >= 0 ? held : steps).push_back(step);
    }
    endFunction();
    return steps;
}

} // namespace remat
