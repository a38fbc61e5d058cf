#include "solvers/hiremate/plan_options.h"

#include "solvers/hiremate/block_graph.h"
#include "solvers/hiremate/lite.h"
#include "solvers/search/search.h"

#include <algorithm>

namespace remat::hiremate {

namespace {

/// Blocks are small.
constexpr std::int64_t kInPlaceMoves = 2'000;

} // namespace

PlanOptions::PlanOptions(const FlatGraph &flat, const Chain &chain, const std::vector<Recompute> &plan)
    : m_flat(flat), m_chain(chain), m_plan(plan), m_held(flat.ops, 0)
{
    SequenceEvaluator evaluator(*flat.graph, *flat.costs);
    std::vector<std::int64_t> held;
    const std::vector<OpId> sequence = toSequence(flat, plan);
    evaluator.profile(sequence, held);
    int slot = 0; // first computations come in order, each after what is computed again for it
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        m_held[slot] = std::max(m_held[slot], held[i]);
        if (sequence[i].value == slot && slot + 1 < flat.ops) ++slot;
    }
}

std::vector<Recompute> PlanOptions::ownSet(const Block &block) const
{
    std::vector<Recompute> own;
    for (const Recompute &again : m_plan) {
        const int slot = again.slot < m_flat.ops ? block.localOp(again.slot) : -1, op = block.localOp(again.op);
        if (slot >= block.forwardOps() && op >= 0) own.push_back({slot + 1, op});
    }
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

std::vector<Option> PlanOptions::inPlace(const Block &block, std::int64_t budgetBytes, std::uint64_t seed,
                                         const StopCheck &stop) const
{
    const std::vector<Recompute> own = ownSet(block);
    std::vector<Option> options = {optionOf(block, own)};
    if (block.backwardOps() == 0 || block.storages.empty()) return options;
    BlockGraph alone = blockGraph(m_flat, m_chain, block);
    FlatGraph flat = flatten(alone.graph, alone.costs);
    const search::State state = [&] {
        search::State made(flat, budgetBytes);
        made.assign(own);
        return made;
    }();
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
    if (found.fits && found.set != own)
        if (toOption(m_chain, block, found.set)) options.push_back(optionOf(block, found.set));
    return options;
}

} // namespace remat::hiremate
