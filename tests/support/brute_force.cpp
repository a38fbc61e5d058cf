// SPDX-License-Identifier: Apache-2.0
#include "tests/support/brute_force.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <vector>

namespace remat::test {

namespace {

using Mask = std::uint64_t;

/// What an op writes in place.
std::vector<StorageId> writtenBy(const Op &op)
{
    std::vector<StorageId> written = op.updates;
    if (op.into) written.push_back(op.into);
    return written;
}

/// Ops with the sets of planned storages that they read and make, one bit a storage.
struct Sets {
    explicit Sets(const Graph &graph, const CostTable &costs)
    {
        std::vector<int> bit(graph.storages.size(), -1);
        for (std::size_t s = 0; s < graph.storages.size(); ++s) {
            if (!graph.planned(StorageId(s))) continue;
            bit[s] = static_cast<int>(bytes.size());
            bytes.push_back(graph.storages[s].bytes);
            if (graph.storages[s].isOutput) outputs |= Mask(1) << bit[s];
            if (graph.storages[s].plannedParameter) parameters |= Mask(1) << bit[s];
        }
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            Mask in = 0, out = 0;
            for (const StorageId input : graph.ops[i].inputs)
                if (graph.planned(input)) in |= Mask(1) << bit[input.index()];
            for (const StorageId output : graph.ops[i].outputs)
                out |= Mask(1) << bit[output.index()];
            reads.push_back(in);
            makes.push_back(out);
            making.push_back(total(out) + costs.workspace(OpId(i)));
            once.push_back(graph.ops[i].computeOnce || graph.ops[i].into);
        }
        // A sum in place is made once, with all that is added to it: what a second life of it would cost is never less.
        for (const Op &op : graph.ops)
            if (op.into) once[graph.storage(op.into).producer.index()] = true;
        // An update makes a mark without bytes, so that what was made once says whether it was computed.
        std::vector<Mask> marks(graph.ops.size(), 0);
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            if (graph.ops[i].updates.empty() && !graph.ops[i].into) continue;
            marks[i] = Mask(1) << bytes.size();
            bytes.push_back(0);
            makes[i] |= marks[i];
        }
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            if (once[i]) madeOnce |= makes[i];
            Mask before = 0, after = 0;
            for (std::size_t j = 0; j < graph.ops.size(); ++j)
                for (const StorageId updated : writtenBy(graph.ops[j]))
                    if (const auto &read = graph.ops[i].inputs; std::count(read.begin(), read.end(), updated) > 0)
                        (j < i ? before : after) |= j == i ? 0 : marks[j];
            readsBefore.push_back(after);
            readsAfter.push_back(before);
        }
    }

    /// Something that the op reads is updated by one of the first `done` ops, behind the op.
    bool updatedBetween(std::size_t op, std::size_t done) const
    {
        for (std::size_t later = op + 1; later < done; ++later)
            if ((makes[later] & readsBefore[op]) != 0) return true;
        return false;
    }

    std::int64_t total(Mask set) const
    {
        std::int64_t sum = 0;
        for (std::size_t s = 0; s < bytes.size(); ++s)
            sum += (set >> s & 1U) != 0 ? bytes[s] : 0;
        return sum;
    }

    std::vector<std::int64_t> bytes;  ///< per planned storage
    std::vector<Mask> reads, makes;   ///< per op
    std::vector<std::int64_t> making; ///< per op: bytes of what it makes, and its workspace
    std::vector<bool> once;
    std::vector<Mask> readsBefore, readsAfter; ///< per op: marks of updates that stand behind and before it
    Mask outputs = 0, madeOnce = 0, parameters = 0;
};

/// Storages that can still be of use when the first `done` ops were computed once: outputs, what a later op reads, and
/// what an earlier op reads that could bring back something of use.
std::vector<Mask> usefulSets(const Sets &sets)
{
    const std::size_t ops = sets.reads.size();
    std::vector<Mask> useful(ops + 1, sets.outputs);
    for (std::size_t done = 0; done <= ops; ++done) {
        for (std::size_t op = ops; op-- > 0;)
            if (op >= done || (!sets.once[op] && (sets.makes[op] & useful[done]) != 0)) useful[done] |= sets.reads[op];
    }
    return useful;
}

} // namespace

std::optional<double> bruteForceOptimum(const Graph &graph, const CostTable &costs, std::int64_t budgetBytes,
                                        const Pins &pins)
{
    Sets sets(graph, costs);
    for (const OpId op : pins.never)
        sets.once[op.index()] = true;
    for (const StorageId storage : pins.keep)
        sets.once[graph.storage(storage).producer.index()] = true;
    Mask goes = 0; // when the forward pass ends
    for (const OpId op : pins.recompute)
        goes |= sets.makes[op.index()] & ~sets.outputs;
    const std::size_t forward = firstBackwardOp(graph);
    sets.outputs |= sets.parameters; // without copies they never leave
    const std::size_t ops = graph.ops.size(), storages = sets.bytes.size();
    REMAT_ASSERT(storages <= 24, "brute force is for small graphs");
    const std::vector<Mask> useful = usefulSets(sets);

    std::unordered_map<std::size_t, double> reached;
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](Mask held, std::size_t done, double timeUs) {
        const std::size_t state = done << storages | static_cast<std::size_t>(held & useful[done]);
        const auto [entry, isNew] = reached.try_emplace(state, timeUs);
        if (!isNew && entry->second <= timeUs) return;
        entry->second = timeUs;
        open.emplace(timeUs, state);
    };
    reach(sets.parameters, 0, 0);
    while (!open.empty()) {
        const auto [timeUs, state] = open.top();
        open.pop();
        if (timeUs > reached[state]) continue;
        const Mask held = state & ((Mask(1) << storages) - 1);
        const std::size_t done = state >> storages;
        if (done == ops && (held & sets.outputs) == sets.outputs) return timeUs;
        const std::int64_t heldBytes = sets.total(held);
        for (std::size_t op = 0; op <= std::min(done, ops - 1); ++op) {
            if ((sets.reads[op] & ~held) != 0 || (op < done && sets.once[op])) continue;
            if (sets.updatedBetween(op, done)) continue;
            if (heldBytes + sets.making[op] > budgetBytes) continue;
            const Mask then = held | sets.makes[op];
            const bool ends = op == done && op + 1 == forward;
            reach(ends ? then & ~goes : then, std::max(done, op + 1), timeUs + costs.timeUs[op]);
        }
        for (std::size_t s = 0; s < storages; ++s)
            if ((held >> s & 1U) != 0) reach(held & ~(Mask(1) << s), done, timeUs);
    }
    return std::nullopt;
}

std::int64_t bruteForceSmallestPeak(const Graph &graph, const CostTable &costs, bool offloads)
{
    const Sets sets(graph, costs);
    const std::size_t storages = sets.bytes.size();
    REMAT_ASSERT(storages <= 24, "brute force is for small graphs");
    const Mask remembered = offloads ? ~Mask(0) : sets.madeOnce;
    // With offloads nothing is lost by beginning with every parameter in host memory, where it is to be in the end;
    // each must be fetched at some time, since one that is never touched stays on the device.
    const Mask wanted = sets.outputs | (offloads ? 0 : sets.parameters), unwanted = offloads ? sets.parameters : 0;

    std::unordered_map<Mask, std::int64_t> reached;
    using Entry = std::pair<std::int64_t, Mask>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](Mask held, Mask made, std::int64_t peakBytes) {
        const Mask state = held | (made & remembered) << storages;
        const auto [entry, isNew] = reached.try_emplace(state, peakBytes);
        if (!isNew && entry->second <= peakBytes) return;
        entry->second = peakBytes;
        open.emplace(peakBytes, state);
    };
    reach(offloads ? 0 : sets.parameters, 0, offloads ? 0 : sets.total(sets.parameters));
    while (!open.empty()) {
        const auto [peakBytes, state] = open.top();
        open.pop();
        if (peakBytes > reached[state]) continue;
        const Mask all = (Mask(1) << storages) - 1;
        const Mask held = state & all, made = state >> storages;
        if ((held & (wanted | unwanted)) == wanted && (made & (sets.madeOnce | unwanted)) == (sets.madeOnce | unwanted))
            return peakBytes;
        const std::int64_t heldBytes = sets.total(held);
        for (std::size_t op = 0; op < sets.reads.size(); ++op) {
            if ((sets.reads[op] & ~held) != 0 || (sets.once[op] && (made & sets.makes[op]) != 0)) continue;
            if ((made & sets.readsBefore[op]) != 0 || (sets.readsAfter[op] & ~made) != 0) continue;
            reach(held | sets.makes[op], made | sets.makes[op], std::max(peakBytes, heldBytes + sets.making[op]));
        }
        for (std::size_t s = 0; s < storages; ++s) {
            const Mask one = Mask(1) << s;
            if ((held & one) != 0) {
                if (offloads || (sets.parameters & one) == 0) reach(held & ~one, made, peakBytes);
            } else if (offloads && ((made | sets.parameters) & one) != 0)
                reach(held | one, made | one, std::max(peakBytes, heldBytes + sets.bytes[s]));
        }
    }
    return 0;
}

} // namespace remat::test
