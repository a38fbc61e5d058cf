// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/explain/choices.h"

#include "core/plan/simulator.h"

#include <algorithm>
#include <utility>

namespace remat {

namespace {

/// A plan as its computations, with the step of each.
struct Run {
    explicit Run(const Plan &plan)
    {
        for (std::size_t step = 0; step < plan.steps.size(); ++step) {
            copies =
                copies || plan.steps[step].kind == StepKind::Offload || plan.steps[step].kind == StepKind::Prefetch;
            if (plan.steps[step].kind != StepKind::Compute) continue;
            sequence.push_back(plan.steps[step].op);
            stepOf.push_back(static_cast<std::int32_t>(step));
        }
    }

    std::vector<OpId> sequence;
    std::vector<std::int32_t> stepOf;
    bool copies = false; ///< to or from host memory
};

bool reads(const Graph &graph, OpId reader, StorageId storage)
{
    const std::vector<StorageId> &inputs = graph.op(reader).inputs;
    return std::find(inputs.begin(), inputs.end(), storage) != inputs.end();
}

WhatIf whatIf(const Graph &graph, const CostTable &costs, const Plan &plan, std::size_t before,
              const std::vector<OpId> &sequence)
{
    const SequenceCost cost = sequenceCost(graph, costs, sequence);
    const std::int64_t over = plan.budgetBytes > 0 ? std::max<std::int64_t>(cost.peakBytes - plan.budgetBytes, 0) : 0;
    const auto more = static_cast<std::int64_t>(sequence.size()) - static_cast<std::int64_t>(before);
    return {cost.peakBytes, cost.timeUs, over, static_cast<int>(std::abs(more))};
}

/// The last step from `from` on and before `to` that frees what an op makes.
std::int32_t freeBetween(const Graph &graph, const Plan &plan, OpId op, std::int32_t from, std::int32_t to)
{
    const std::vector<StorageId> &made = graph.op(op).outputs;
    for (std::int32_t step = to - 1; step > from; --step) {
        const Step &now = plan.steps[static_cast<std::size_t>(step)];
        if (now.kind == StepKind::Free && std::find(made.begin(), made.end(), now.storage) != made.end()) return step;
    }
    return from;
}

/// The first computation after `at` that reads something the op makes, before the op is computed once more.
std::optional<std::size_t> firstReader(const Graph &graph, const Run &run, std::size_t at, StorageId &storage)
{
    const OpId op = run.sequence[at];
    for (std::size_t i = at + 1; i < run.sequence.size() && run.sequence[i] != op; ++i) {
        for (const StorageId output : graph.op(op).outputs) {
            if (!reads(graph, run.sequence[i], output)) continue;
            storage = output;
            return i;
        }
    }
    return std::nullopt;
}

/// Ops to compute again right before position `at` so that `storage` is there, when it was dropped.
class Chain
{
public:
    Chain(const Graph &graph, const Run &run, std::size_t at) : m_graph(graph), m_held(graph.storages.size(), 0)
    {
        for (std::size_t s = 0; s < m_held.size(); ++s)
            m_held[s] = !graph.planned(StorageId(s)) || graph.storages[s].plannedParameter ? 1 : 0;
        const std::vector<OpId> before(run.sequence.begin(), run.sequence.begin() + static_cast<std::ptrdiff_t>(at));
        // Held at that moment: made before and read later, before it is made again.
        std::vector<char> made(graph.storages.size(), 0);
        for (const OpId op : before)
            for (const StorageId output : graph.op(op).outputs)
                made[output.index()] = 1;
        std::vector<char> gone(graph.storages.size(), 0);
        for (std::size_t i = at; i < run.sequence.size(); ++i) {
            for (const StorageId input : graph.op(run.sequence[i]).inputs)
                if (made[input.index()] && !gone[input.index()]) m_held[input.index()] = 1;
            for (const StorageId output : graph.op(run.sequence[i]).outputs)
                gone[output.index()] = 1;
        }
        for (std::size_t s = 0; s < m_held.size(); ++s)
            if (made[s] && !gone[s] && graph.storages[s].isOutput) m_held[s] = 1;
    }

    /// False when an op on the way may be computed only once.
    bool need(StorageId dropped)
    {
        std::vector<char> again(m_graph.ops.size(), 0);
        std::vector<StorageId> open = {dropped};
        m_held[dropped.index()] = 0;
        while (!open.empty()) {
            const StorageId storage = open.back();
            open.pop_back();
            if (m_held[storage.index()]) continue;
            const OpId maker = m_graph.storage(storage).producer;
            if (!maker || m_graph.op(maker).computeOnce) return false;
            if (std::exchange(again[maker.index()], 1)) continue;
            m_ops.push_back(maker);
            const std::vector<StorageId> &inputs = m_graph.op(maker).inputs;
            open.insert(open.end(), inputs.begin(), inputs.end());
        }
        return true;
    }

    std::vector<OpId> ops() &&
    {
        std::sort(m_ops.begin(), m_ops.end());
        return std::move(m_ops);
    }

private:
    const Graph &m_graph;
    std::vector<char> m_held;
    std::vector<OpId> m_ops;
};

} // namespace

std::optional<WhyRecomputed> whyRecomputed(const Graph &graph, const CostTable &costs, const Plan &plan, OpId op)
{
    const Run run(plan);
    std::vector<std::size_t> computed;
    for (std::size_t i = 0; i < run.sequence.size(); ++i)
        if (run.sequence[i] == op) computed.push_back(i);
    if (computed.size() < 2) return std::nullopt;

    std::size_t longest = 1;
    for (std::size_t k = 2; k < computed.size(); ++k)
        if (computed[k] - computed[k - 1] > computed[longest] - computed[longest - 1]) longest = k;
    const std::size_t at = computed[longest];

    WhyRecomputed why;
    why.op = op;
    why.times = static_cast<int>(computed.size()) - 1;
    why.againUs = costs.time(op);
    why.storage = graph.op(op).outputs.empty() ? StorageId() : graph.op(op).outputs.front();
    why.neededStep = run.stepOf[at];
    if (const auto reader = firstReader(graph, run, at, why.storage)) {
        why.reader = run.sequence[*reader];
        why.neededStep = run.stepOf[*reader];
    }
    why.droppedStep = freeBetween(graph, plan, op, run.stepOf[computed[longest - 1]], run.stepOf[at]);
    if (!run.copies) {
        std::vector<OpId> kept = run.sequence;
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(at));
        why.kept = whatIf(graph, costs, plan, run.sequence.size(), dropUselessRecomputes(graph, std::move(kept)));
    }
    return why;
}

std::optional<WhyKept> whyKept(const Graph &graph, const CostTable &costs, const Plan &plan, StorageId id)
{
    const Storage &storage = graph.storage(id);
    if (!storage.producer) return std::nullopt;
    const Run run(plan);
    std::optional<std::size_t> used, from, to;
    for (std::size_t i = 0; i < run.sequence.size(); ++i) {
        if (used && reads(graph, run.sequence[i], id)) {
            if (!from || i - *used > *to - *from) {
                from = used;
                to = i;
            }
            used = i;
        }
        if (run.sequence[i] == storage.producer) used = i;
    }
    if (!from || *to == *from + 1) return std::nullopt;

    WhyKept why;
    why.storage = id;
    why.bytes = storage.bytes;
    why.output = storage.isOutput;
    why.usedStep = run.stepOf[*from];
    why.neededStep = run.stepOf[*to];
    why.reader = run.sequence[*to];
    Chain chain(graph, run, *to);
    why.once = !chain.need(id);
    if (why.once) return why;
    why.chain = std::move(chain).ops();
    for (const OpId op : why.chain)
        why.chainUs += costs.time(op);
    if (!run.copies && !why.output) {
        std::vector<OpId> dropped = run.sequence;
        dropped.insert(dropped.begin() + static_cast<std::ptrdiff_t>(*to), why.chain.begin(), why.chain.end());
        why.dropped = whatIf(graph, costs, plan, run.sequence.size(), dropped);
    }
    return why;
}

std::optional<WhyOffloaded> whyOffloaded(const Graph &graph, const CostTable &costs, const Plan &plan, StorageId id)
{
    const Storage &storage = graph.storage(id);
    std::optional<WhyOffloaded> longest;
    WhyOffloaded now;
    bool copied = false, freed = false;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const Step &step = plan.steps[i];
        if (step.kind == StepKind::Compute || step.storage != id) continue;
        const auto at = static_cast<std::int32_t>(i);
        if (step.kind == StepKind::Offload) {
            now.copiedStep = at;
            copied = true;
            freed = false;
        } else if (step.kind == StepKind::Free && copied) {
            now.freedStep = at;
            freed = true;
        } else if (step.kind == StepKind::Prefetch && freed) {
            now.backStep = at;
            if (!longest || now.backStep - now.freedStep > longest->backStep - longest->freedStep) longest = now;
            freed = false;
        }
    }
    if (!longest) return std::nullopt;
    longest->storage = id;
    longest->bytes = storage.bytes;
    longest->neededStep = longest->backStep;
    for (std::size_t i = static_cast<std::size_t>(longest->backStep); i < plan.steps.size(); ++i) {
        const Step &step = plan.steps[i];
        if (step.kind == StepKind::Free && step.storage == id) break;
        if (step.kind != StepKind::Compute || !reads(graph, step.op, id)) continue;
        longest->neededStep = static_cast<std::int32_t>(i);
        longest->reader = step.op;
        break;
    }
    longest->copyUs = costs.linkLatencyUs + static_cast<double>(storage.bytes) / costs.linkBytesPerSecond * 1e6;
    if (storage.producer && !graph.op(storage.producer).computeOnce) longest->againUs = costs.time(storage.producer);
    return longest;
}

} // namespace remat
