// SPDX-License-Identifier: Apache-2.0
#include "solvers/offload/chain_plans.h"

#include "solvers/offload/residence.h"

#include <algorithm>

namespace remat::offload {

Link linkOf(const FlatGraph &flat, const chain::StageChain &chain)
{
    Link link;
    link.bytesPerUs = flat.costs->linkBytesPerSecond / 1e6;
    for (const hiremate::Block &block : chain.blocks.blocks) {
        double us = 0;
        for (int op = block.forwardBegin; op < block.forwardEnd; ++op)
            us += flat.timeUs[op];
        link.forwardUs.push_back(us);
    }
    return link;
}

InputCopies inputCopies(const FlatGraph &flat, const chain::StageChain &chain)
{
    InputCopies copies;
    for (const std::vector<int> &input : chain.inputs) {
        double us = 0;
        for (const int s : input)
            us += copyTimeUs(*flat.costs, flat.bytes[static_cast<std::size_t>(s)]);
        copies.writeUs.push_back(us);
    }
    copies.readUs = copies.writeUs;
    return copies;
}

PagedSchedule Unpaged::schedule(int memory) const
{
    PagedSchedule paged{table.schedule(memory), {}};
    paged.leaves.assign(paged.schedule.holds.size(), 0);
    return paged;
}

namespace {

const std::vector<int> &heldStorages(const chain::StageChain &chain, const chain::StageHold &hold)
{
    const auto stage = static_cast<std::size_t>(hold.stage);
    return hold.option < 0 ? chain.inputs[stage] : chain.saved[stage][static_cast<std::size_t>(hold.option)].storages;
}

/// Per storage 1: of a hold that leaves.
std::vector<char> leavingStorages(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged)
{
    std::vector<char> leaves(flat.storages(), 0);
    for (std::size_t h = 0; h < paged.leaves.size(); ++h) {
        if (!paged.leaves[h]) continue;
        for (const int s : heldStorages(chain, paged.schedule.holds[h]))
            leaves[s] = 1;
    }
    return leaves;
}

} // namespace

Expected<void> offerSchedule(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                             Candidates &candidates, const SolveContext &context)
{
    const std::vector<Recompute> recomputes = translate(flat, choiceOf(flat, chain, paged.schedule), context);
    return candidates.offer(recomputes, leavingStorages(flat, chain, paged));
}

namespace {

/// Segments of a sequence: `kForwardPass`, then the stages whose backward parts run, then −1.
std::vector<int> segmentsOf(const FlatGraph &flat, const chain::StageChain &chain, const std::vector<OpId> &sequence)
{
    std::vector<int> segments;
    segments.reserve(sequence.size() + 1);
    int slot = 0;
    for (const OpId op : sequence) {
        const bool forward = slot < flat.forwardOps;
        segments.push_back(forward ? kForwardPass : chain.blocks.blockOfOp[static_cast<std::size_t>(slot)]);
        if (op.value == slot) ++slot;
    }
    segments.push_back(-1);
    return segments;
}

bool inInput(const chain::StageChain &chain, int stage, int storage)
{
    if (stage >= chain.model.size()) return false;
    const std::vector<int> &input = chain.inputs[static_cast<std::size_t>(stage)];
    return std::find(input.begin(), input.end(), storage) != input.end();
}

} // namespace

std::vector<Step> waitingSteps(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                               const std::vector<Recompute> &recomputes, const std::vector<char> &stays)
{
    const std::vector<OpId> sequence = toSequence(flat, recomputes);
    const std::vector<int> segments = segmentsOf(flat, chain, sequence);
    std::vector<std::vector<std::size_t>> holdsOf(static_cast<std::size_t>(flat.storages()));
    for (std::size_t h = 0; h < paged.leaves.size(); ++h) {
        const chain::StageHold &hold = paged.schedule.holds[h];
        for (const int s : heldStorages(chain, hold))
            if (hold.option < 0 || !inInput(chain, hold.stage + 1, s)) // which has a hold of its own
                holdsOf[static_cast<std::size_t>(s)].push_back(h);
    }
    const auto isAway = [&](const HostGap &gap) {
        const int from = segments[static_cast<std::size_t>(gap.from)], to = segments[static_cast<std::size_t>(gap.to)];
        bool leaves = false, held = from == to || (!stays.empty() && stays[gap.storage.index()] != 0);
        for (const std::size_t h : holdsOf[gap.storage.index()]) {
            const chain::StageHold &hold = paged.schedule.holds[h];
            // When its backward part has ended, an input is still there for that of the stage before.
            const bool input = hold.option < 0;
            if (hold.at < from || from <= hold.stage || to < hold.stage - (input ? 1 : 0)) continue;
            (paged.leaves[h] != 0 ? leaves : held) = true;
        }
        return leaves && !held;
    };
    std::vector<std::vector<StorageId>> away(sequence.size() + 1), back(sequence.size() + 1);
    for (const HostGap &gap : residenceOf(*flat.graph, *flat.costs, sequence).gaps) {
        if (gap.wraps || !isAway(gap)) continue;
        away[static_cast<std::size_t>(gap.from) + 1].push_back(gap.storage);
        back[static_cast<std::size_t>(gap.to)].push_back(gap.storage);
    }
    std::vector<Step> steps;
    std::vector<char> written(static_cast<std::size_t>(flat.storages()), 0);
    std::size_t position = 0;
    for (const Step &step : withEarliestFrees(*flat.graph, sequence)) {
        if (step.kind == StepKind::Compute) {
            for (const StorageId storage : away[position]) {
                if (written[storage.index()] == 0) steps.push_back(Step::offload(storage));
                written[storage.index()] = 1;
                steps.push_back(Step::free(storage));
            }
            for (const StorageId storage : back[position])
                steps.push_back(Step::prefetch(storage));
            ++position;
        }
        steps.push_back(step);
    }
    return steps;
}

Expected<void> offerBothWays(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged,
                             Candidates &candidates, const SolveContext &context)
{
    const std::vector<Recompute> recomputes = translate(flat, choiceOf(flat, chain, paged.schedule), context);
    if (const auto offered = candidates.offer(recomputes, leavingStorages(flat, chain, paged)); !offered)
        return offered;
    return candidates.offer(waitingSteps(flat, chain, paged, recomputes, candidates.stays()));
}

} // namespace remat::offload
