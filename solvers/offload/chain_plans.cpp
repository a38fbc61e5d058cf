#include "solvers/offload/chain_plans.h"

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

namespace {

/// Per storage 1: of a hold that leaves.
std::vector<char> leavingStorages(const FlatGraph &flat, const chain::StageChain &chain, const PagedSchedule &paged)
{
    std::vector<char> leaves(flat.storages(), 0);
    for (std::size_t h = 0; h < paged.leaves.size(); ++h) {
        if (!paged.leaves[h]) continue;
        const chain::StageHold &hold = paged.schedule.holds[h];
        for (const int s : hold.option < 0 ? chain.inputs[hold.stage] : chain.saved[hold.stage][hold.option].storages)
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

} // namespace remat::offload
