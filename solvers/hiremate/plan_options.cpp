// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/plan_options.h"

#include "solvers/blocks/block_graph.h"
#include "solvers/blocks/lite.h"
#include "solvers/search/search.h"

#include <algorithm>

namespace remat::hiremate {

namespace {

/// Blocks are small.
constexpr std::int64_t kInPlaceMoves = 2'000;

} // namespace

PlanOptions::PlanOptions(const FlatGraph &flat, const Chain &chain, const std::vector<Recompute> &plan)
    : m_flat(flat), m_chain(chain), m_plan(plan)
{
    SequenceEvaluator evaluator(*flat.graph, *flat.costs);
    m_held = heldBySlot(flat, evaluator, plan);
}

bool PlanOptions::isOwn(const Block &block, const Recompute &again) const
{
    return again.slot < m_flat.ops && block.localOp(again.slot) >= block.forwardOps() && block.localOp(again.op) >= 0;
}

std::vector<Recompute> PlanOptions::ownSet(const Block &block) const
{
    std::vector<Recompute> own;
    for (const Recompute &again : m_plan)
        if (isOwn(block, again)) own.push_back({block.localOp(again.slot) + 1, block.localOp(again.op)});
    return own;
}

Option PlanOptions::optionOf(const Block &block, const std::vector<Recompute> &set) const
{
    Option option = *toOption(m_chain, block, set);
    option.chainUs = interfaceChainUs(m_flat, m_chain, block, option);
    return option;
}

Option PlanOptions::ofBlock(const Block &block) const
{
    return optionOf(block, ownSet(block));
}

std::vector<Recompute> PlanOptions::foundInPlace(const Block &block, const std::vector<Recompute> &own,
                                                 std::int64_t budgetBytes, std::uint64_t seed,
                                                 const StopCheck &stop) const
{
    if (block.backwardOps() == 0 || block.storages.empty()) return own;
    const BlockGraph alone = blockGraph(m_flat, m_chain, block);
    FlatGraph flat = flatten(alone.graph, alone.costs);
    search::State state(flat, budgetBytes);
    state.assign(own);
    // What others hold while an op runs takes as much of the budget as if the op needed it.
    const auto others = [&](int slot, int place) {
        return std::max<std::int64_t>(0, m_held[slot] - state.memory().at(place));
    };
    std::vector<std::int64_t> more(flat.workspaceBytes.size(), 0);
    for (int local = 0; local < static_cast<int>(block.ops.size()); ++local) {
        const int place = local < block.forwardOps() ? local : local + 1;
        more[place] = others(block.globalOp(local), place);
    }
    for (int slot = block.forwardEnd; slot < block.backwardBegin; ++slot)
        more[alone.between] = std::max(more[alone.between], others(slot, alone.between));
    for (std::size_t place = 0; place < more.size(); ++place)
        flat.workspaceBytes[place] += more[place];
    search::SearchSettings settings;
    settings.budgetBytes = budgetBytes;
    settings.moves = kInPlaceMoves;
    settings.reheats = 1;
    settings.seed = seed;
    const search::Found found = search::searchPlan(flat, own, settings, stop);
    return found.fits && toOption(m_chain, block, found.set) ? found.set : own;
}

std::vector<Option> PlanOptions::inPlace(const Block &block, std::int64_t budgetBytes, std::uint64_t seed,
                                         const StopCheck &stop) const
{
    const std::vector<Recompute> own = ownSet(block), found = foundInPlace(block, own, budgetBytes, seed, stop);
    std::vector<Option> options = {optionOf(block, own)};
    if (found != own) options.push_back(optionOf(block, found));
    return options;
}

std::vector<Recompute> PlanOptions::planAnew(const Block &block, std::int64_t budgetBytes, std::uint64_t seed,
                                             const StopCheck &stop) const
{
    std::vector<Recompute> plan;
    for (const Recompute &again : m_plan)
        if (!isOwn(block, again)) plan.push_back(again);
    for (const Recompute &again : foundInPlace(block, ownSet(block), budgetBytes, seed, stop))
        plan.push_back({block.globalOp(again.slot - 1), block.globalOp(again.op)});
    tidyRecomputes(m_flat, plan);
    return plan;
}

} // namespace remat::hiremate
