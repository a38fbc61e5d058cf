// SPDX-License-Identifier: Apache-2.0
// Happens-before by vector clocks: per step and stream, how many of that stream's steps have ended for sure when the
// step begins (Fidge and Mattern, 1988).
#include "core/streams/race_check.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>

namespace remat {

namespace {

using Counts = std::array<std::int32_t, kAllStreams>;

std::string stepText(std::int32_t step)
{
    return "step " + std::to_string(step);
}

/// What has ended before what.
class Order
{
public:
    /// Fails when the program is not one of these steps.
    static tl::expected<Order, Race> make(const Graph &graph, const std::vector<Step> &steps,
                                          const StreamProgram &program)
    {
        if (program.waits.size() != steps.size())
            return tl::unexpected(
                Race{-1, fmt::format("The stream program is not one of this plan: it has {} steps, the plan {}.",
                                     program.waits.size(), steps.size())});
        Order order;
        std::array<Counts, kAllStreams> now{};
        std::vector<Counts> after(steps.size());
        for (std::size_t index = 0; index < steps.size(); ++index) {
            const auto stream = static_cast<std::size_t>(streamOf(graph, steps[index]));
            Counts &counts = now[stream];
            for (const std::int32_t wait : program.waits[index]) {
                if (wait < 0 || wait >= static_cast<std::int32_t>(index))
                    return tl::unexpected(
                        Race{static_cast<std::int32_t>(index),
                             fmt::format(
                                 "Step {} waits for {}, which does not come before it: the streams would stand still.",
                                 index, stepText(wait))});
                for (std::size_t i = 0; i < kAllStreams; ++i)
                    counts[i] = std::max(counts[i], after[static_cast<std::size_t>(wait)][i]);
            }
            order.m_before.push_back(counts);
            order.m_place.emplace_back(stream, ++counts[stream]);
            after[index] = counts;
        }
        return order;
    }

    /// `early` has ended in every order when `late` begins.
    bool ended(std::int32_t early, std::int32_t late) const
    {
        if (early < 0) return true;
        const auto [stream, number] = m_place[static_cast<std::size_t>(early)];
        return m_before[static_cast<std::size_t>(late)][stream] >= number;
    }

private:
    std::vector<Counts> m_before;                              ///< per step, what has ended when it begins
    std::vector<std::pair<std::size_t, std::int32_t>> m_place; ///< per step, its stream and its number there
};

/// Bytes in one memory, from the step that writes them on.
struct Bytes {
    std::int32_t writer = -1;
    std::array<std::int32_t, kAllStreams> readers = {-1, -1, -1, -1}; ///< the last on each stream
};

class Judge
{
public:
    Judge(const Graph &graph, const std::vector<Step> &steps, const Order &order)
        : m_graph(graph),
          m_steps(steps),
          m_order(order),
          m_device(graph.storages.size()),
          m_host(graph.storages.size()),
          m_held(graph.storages.size())
    {
    }

    std::optional<Race> judge()
    {
        const std::vector<char> away = beginsOnHost(m_graph, m_steps);
        for (std::size_t s = 0; s < m_held.size(); ++s)
            m_held[s] = m_graph.storages[s].plannedParameter && away[s] == 0;
        for (m_step = 0; m_step < static_cast<std::int32_t>(m_steps.size()) && !m_race; ++m_step)
            follow(m_steps[static_cast<std::size_t>(m_step)]);
        return m_race;
    }

private:
    void follow(const Step &step)
    {
        switch (step.kind) {
        case StepKind::Compute:
            return compute(m_graph.op(step.op));
        case StepKind::Free:
            alone(m_device[step.storage.index()], "frees", step.storage, "may still be copying");
            m_held[step.storage.index()] = false;
            return;
        case StepKind::Offload:
            read(m_device[step.storage.index()], "offloads", step.storage);
            alone(m_host[step.storage.index()], "writes the host copy of", step.storage, "may still be copying");
            m_host[step.storage.index()] = writtenNow();
            return;
        case StepKind::Prefetch:
            read(m_host[step.storage.index()], "brings back", step.storage);
            m_device[step.storage.index()] = writtenNow();
            m_held[step.storage.index()] = true;
            return;
        }
    }

    Bytes writtenNow() const
    {
        Bytes bytes;
        bytes.writer = m_step;
        return bytes;
    }

    void compute(const Op &op)
    {
        if (op.onHost) return computeOnHost(op);
        for (const StorageId input : op.inputs) {
            if (!m_graph.planned(input)) {
                read(m_host[input.index()], "reads", input); // written by ops on the host alone
                continue;
            }
            Bytes &bytes = m_device[input.index()];
            const bool writes = mayWrite(op, input);
            if (writes) alone(bytes, "may write to", input, "may still be reading it");
            read(bytes, "reads", input);
            if (writes && (op.into || !op.updates.empty())) bytes = writtenNow();
        }
        for (const StorageId output : op.outputs) {
            if (m_held[output.index()]) continue; // the second copy is dropped at once
            m_device[output.index()] = writtenNow();
            m_held[output.index()] = true;
        }
    }

    void computeOnHost(const Op &op)
    {
        for (const StorageId input : op.inputs) {
            Bytes &bytes = m_host[input.index()];
            const bool writes = mayWrite(op, input);
            if (writes) alone(bytes, "writes the host copy of", input, "may still be reading it");
            read(bytes, "reads", input);
            if (writes) bytes = writtenNow();
        }
    }

    void read(Bytes &bytes, const char *does, StorageId storage)
    {
        if (!m_order.ended(bytes.writer, m_step)) report(does, storage, bytes.writer, "may still be writing");
        bytes.readers[static_cast<std::size_t>(streamOf(m_graph, m_steps[static_cast<std::size_t>(m_step)]))] = m_step;
    }

    void alone(const Bytes &bytes, const char *does, StorageId storage, const char *other)
    {
        if (!m_order.ended(bytes.writer, m_step)) report(does, storage, bytes.writer, "may still be writing");
        for (const std::int32_t reader : bytes.readers)
            if (!m_order.ended(reader, m_step)) report(does, storage, reader, other);
    }

    void report(const char *does, StorageId storage, std::int32_t other, const char *otherDoes)
    {
        if (m_race) return;
        m_race = Race{m_step, fmt::format("Step {} {} {}, which {} {}: it waits for no event after it.", m_step, does,
                                          m_graph.storage(storage).name, stepText(other), otherDoes)};
    }

    const Graph &m_graph;
    const std::vector<Step> &m_steps;
    const Order &m_order;
    std::vector<Bytes> m_device, m_host; ///< per storage
    std::vector<bool> m_held;
    std::int32_t m_step = 0;
    std::optional<Race> m_race;
};

/// The step after which an instance is gone: the `free`, or the op whose workspace or second copy it is.
std::int32_t lastStep(const MemoryInstance &instance, const std::vector<Step> &steps)
{
    const auto end = static_cast<std::size_t>(instance.endStep);
    const bool freed =
        end < steps.size() && steps[end].kind == StepKind::Free && steps[end].storage == instance.storage;
    return freed ? instance.endStep : instance.endStep - 1;
}

} // namespace

std::optional<Race> findRace(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program)
{
    const tl::expected<Order, Race> order = Order::make(graph, steps, program);
    if (!order) return order.error();
    return Judge(graph, steps, *order).judge();
}

std::optional<Race> findOverlap(const Graph &graph, const std::vector<Step> &steps, const StreamProgram &program,
                                const std::vector<MemoryInstance> &instances, const MemoryLayout &layout)
{
    const tl::expected<Order, Race> order = Order::make(graph, steps, program);
    if (!order) return order.error();
    if (layout.offsets.size() != instances.size())
        return Race{-1, "The layout has another number of instances than the plan."};
    // Who was last at an address, as pieces that follow each other.
    struct Piece {
        std::int64_t end = 0;
        std::size_t owner = 0;
    };
    std::map<std::int64_t, Piece> last;
    for (std::size_t index = 0; index < instances.size(); ++index) {
        const MemoryInstance &instance = instances[index];
        const std::int64_t begin = layout.offsets[index], end = begin + instance.bytes;
        if (begin < 0 || end > layout.heightBytes)
            return Race{instance.firstStep, fmt::format("Instance {} lies outside of the block.", index)};
        auto piece = last.upper_bound(begin);
        if (piece != last.begin() && std::prev(piece)->second.end > begin) --piece;
        while (piece != last.end() && piece->first < end) {
            const MemoryInstance &other = instances[piece->second.owner];
            const std::int32_t left = lastStep(other, steps);
            // What begins at the first step may stand there before it, so steps that end before they begin count too.
            if (left >= instance.firstStep || !order->ended(left, instance.firstStep))
                return Race{instance.firstStep,
                            fmt::format("Step {} puts bytes at address {}, which {} may still use.", instance.firstStep,
                                        std::max(begin, piece->first), stepText(left))};
            const auto [from, old] = *piece;
            piece = last.erase(piece);
            if (from < begin) last.emplace(from, Piece{begin, old.owner});
            if (old.end > end) piece = last.emplace(end, old).first;
        }
        last.emplace(begin, Piece{end, index});
    }
    return std::nullopt;
}

} // namespace remat
