// SPDX-License-Identifier: Apache-2.0
#include "core/plan/pins.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

namespace remat {

namespace {

template <class Id>
void tidy(std::vector<Id> &ids, std::size_t count)
{
    std::erase_if(ids, [count](Id id) { return !id || id.index() >= count; });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

template <class Id>
bool has(const std::vector<Id> &ascending, Id id)
{
    return std::binary_search(ascending.begin(), ascending.end(), id);
}

std::string atStep(std::size_t step, const std::string &what)
{
    return fmt::format("Step {} {}", step, what);
}

/// Walks a plan and says where it first leaves the decisions.
class PinJudge
{
public:
    PinJudge(const Graph &graph, const Pins &pins)
        : m_graph(graph),
          m_keep(graph.storages.size(), 0),
          m_again(graph.storages.size(), 0),
          m_never(graph.ops.size(), 0),
          m_times(graph.ops.size(), 0),
          m_freed(graph.storages.size(), 0),
          m_madeAfter(graph.storages.size(), 0),
          m_held(graph.storages.size(), 0),
          m_lastForward(firstBackwardOp(graph))
    {
        for (const StorageId storage : pins.keep)
            m_keep[storage.index()] = 1;
        for (const OpId op : pins.never)
            m_never[op.index()] = 1;
        for (const OpId op : pins.recompute)
            for (const StorageId output : graph.op(op).outputs)
                m_again[output.index()] = graph.storage(output).isOutput ? 0 : 1;
        m_after = m_lastForward == 0;
    }

    std::optional<std::string> follow(std::size_t index, const Step &step)
    {
        if (step.kind == StepKind::Compute) return followCompute(index, step.op);
        const std::size_t s = step.storage.index();
        if (step.kind == StepKind::Free) {
            m_freed[s] = 1;
            m_held[s] = 0;
            return std::nullopt;
        }
        if (m_keep[s])
            return atStep(index, fmt::format("{}{}, which is to be kept on the device.",
                                             step.kind == StepKind::Offload ? "offloads " : "prefetches ",
                                             m_graph.storage(step.storage).name));
        if (step.kind == StepKind::Prefetch) m_held[s] = 1;
        return std::nullopt;
    }

private:
    std::optional<std::string> followCompute(std::size_t index, OpId id)
    {
        const Op &op = m_graph.op(id);
        for (const StorageId input : op.inputs) {
            const std::size_t s = input.index();
            if (m_keep[s] && m_freed[s])
                return atStep(index, fmt::format("reads {}, which is to be kept and was freed before.",
                                                 m_graph.storage(input).name));
            if (m_again[s] && m_after && !m_madeAfter[s])
                return atStep(index, fmt::format("reads {} as the forward pass left it; it is to be computed again.",
                                                 m_graph.storage(input).name));
        }
        if (m_never[id.index()] && m_times[id.index()] > 0)
            return atStep(index, fmt::format("computes {} again, which is never to be recomputed.", op.name));
        ++m_times[id.index()];
        for (const StorageId output : op.outputs) {
            // A copy made while one is held is dropped: the older one stays.
            if (!m_held[output.index()]) m_madeAfter[output.index()] = m_after ? 1 : 0;
            m_held[output.index()] = 1;
        }
        if (id.index() + 1 == m_lastForward) m_after = true;
        return std::nullopt;
    }

    const Graph &m_graph;
    std::vector<char> m_keep, m_again, m_never;
    std::vector<int> m_times;
    std::vector<char> m_freed, m_madeAfter, m_held;
    std::size_t m_lastForward;
    bool m_after = false; ///< the forward pass has ended
};

} // namespace

void dropUnknown(Pins &pins, const Graph &graph)
{
    tidy(pins.keep, graph.storages.size());
    tidy(pins.recompute, graph.ops.size());
    tidy(pins.never, graph.ops.size());
}

std::size_t firstBackwardOp(const Graph &graph)
{
    const auto first =
        std::find_if(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.phase == Phase::Backward; });
    return static_cast<std::size_t>(first - graph.ops.begin());
}

std::string whyNotRecompute(const Graph &graph, OpId id)
{
    const Op &op = graph.op(id);
    if (op.phase == Phase::Backward || id.index() >= firstBackwardOp(graph))
        return op.name + " belongs to the backward pass, so there is nothing to drop it for.";
    if (op.computeOnce)
        return op.name + " writes to what it reads or is a collective, so it may be computed only once.";
    if (std::all_of(op.outputs.begin(), op.outputs.end(),
                    [&](StorageId output) { return graph.storage(output).isOutput; }))
        return fmt::format("All that {} makes is held to the end, so it cannot be dropped.", op.name);
    return {};
}

Pins decide(const Graph &graph, Pins pins, Decision decision, const std::vector<OpId> &ops,
            const std::vector<StorageId> &storages)
{
    std::set<OpId> about(ops.begin(), ops.end());
    for (const StorageId storage : storages)
        if (const OpId maker = graph.storage(storage).producer) about.insert(maker);
    std::set<StorageId> held(storages.begin(), storages.end());
    if (held.empty())
        for (const OpId op : about)
            held.insert(graph.op(op).outputs.begin(), graph.op(op).outputs.end());
    std::erase_if(held, [&](StorageId storage) { return !graph.storage(storage).producer; });
    if (decision == Decision::Recompute)
        std::erase_if(about, [&](OpId op) { return !whyNotRecompute(graph, op).empty(); });

    const auto isAbout = [&](OpId op) { return about.contains(op); };
    const auto makes = [&](StorageId storage) { return isAbout(graph.storage(storage).producer); };
    if (decision == Decision::Recompute || decision == Decision::Clear) {
        std::erase_if(pins.keep, makes);
        std::erase_if(pins.never, isAbout);
    }
    if (decision != Decision::Recompute) std::erase_if(pins.recompute, isAbout);
    if (decision == Decision::Keep) pins.keep.insert(pins.keep.end(), held.begin(), held.end());
    if (decision == Decision::Recompute) pins.recompute.insert(pins.recompute.end(), about.begin(), about.end());
    if (decision == Decision::Never) pins.never.insert(pins.never.end(), about.begin(), about.end());
    dropUnknown(pins, graph);
    return pins;
}

Expected<void> checkPins(const Graph &graph, const Pins &pins)
{
    for (const OpId op : pins.recompute) {
        if (std::string why = whyNotRecompute(graph, op); !why.empty()) return fail(std::move(why));
        if (has(pins.never, op))
            return fail(graph.op(op).name + " is to be recomputed and never to be recomputed. Take one of the two "
                                            "decisions back.");
        for (const StorageId output : graph.op(op).outputs)
            if (has(pins.keep, output))
                return fail(
                    "{} is to be kept, and {}, which makes it, to be recomputed. Take one of the two decisions back.",
                    graph.storage(output).name, graph.op(op).name);
    }
    return {};
}

std::optional<std::string> pinsViolated(const Graph &graph, const std::vector<Step> &steps, const Pins &pins)
{
    if (pins.empty()) return std::nullopt;
    PinJudge judge(graph, pins);
    for (std::size_t step = 0; step < steps.size(); ++step)
        if (std::optional<std::string> violated = judge.follow(step, steps[step])) return violated;
    return std::nullopt;
}

} // namespace remat
