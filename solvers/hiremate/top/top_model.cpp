// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/top/top_model.h"

#include "solvers/hiremate/top/program.h"

#include <algorithm>
#include <map>

namespace remat::hiremate {

namespace {

/// Parts × interfaces, of each of which some lists are kept.
constexpr std::size_t kMostPlaces = 4'000'000;

/// What block k keeps from its forward to its backward part.
void addKept(const top::ProgramData &given, const TopModel &model, int k, std::vector<ilp::Term> &terms)
{
    const Block &block = given.block(k);
    const auto last = std::lower_bound(block.partEnds.begin(), block.partEnds.end(), block.forwardOps());
    top::addHeld(given, model, k, static_cast<int>(last - block.partEnds.begin()), 1, terms);
}

/// Identical blocks keep ever more along the chain.
void orderIdentical(const top::ProgramData &given, TopModel &model)
{
    std::map<int, int> previous;
    for (int k = 0; k < given.blocks(); ++k) {
        const auto [at, first] = previous.try_emplace(given.block(k).representative, k);
        if (first) continue;
        std::vector<ilp::Term> row, later;
        addKept(given, model, at->second, row);
        addKept(given, model, k, later);
        for (const ilp::Term &term : later)
            row.push_back({term.column, -term.value});
        model.model.addAtMost(std::move(row), 0);
        at->second = k;
    }
}

} // namespace

std::vector<BlockChoices> choicesOf(const FlatGraph &flat, const Chain &chain,
                                    const std::vector<const std::vector<Option> *> &optionsOfBlock)
{
    std::vector<BlockChoices> choices(chain.blocks.size());
    for (std::size_t k = 0; k < choices.size(); ++k) {
        const Block &block = chain.blocks[k];
        choices[k].options = optionsOfBlock[k];
        choices[k].lites = liteAlternatives(flat, chain, block, *choices[k].options, {});
        std::vector<int> made;
        for (const LocalOp &op : block.ops)
            made.insert(made.end(), op.madeInterfaces.begin(), op.madeInterfaces.end());
        choices[k].fastForward = rebuild(flat, block, std::vector<char>(block.storages.size(), 0), made);
        if (made.empty()) choices[k].fastForward.possible = false;
    }
    return choices;
}

std::optional<TopModel> buildTopModel(const FlatGraph &flat, const Chain &chain,
                                      const std::vector<BlockChoices> &choices, std::int64_t budgetBytes,
                                      const TopSettings &settings)
{
    const top::ProgramData given(flat, chain, choices, budgetBytes, settings);
    if (chain.parts.size() * chain.interfaces.size() > kMostPlaces) return std::nullopt;
    top::Program program;
    program.top.unitBytes = given.unitBytes;
    try {
        const top::Reads reads = top::findReads(given);
        top::addOptions(given, program);
        top::addHeld(given, program);
        top::addVariables(given, reads, program);
        top::addFlow(given, reads, program);
        top::addMemory(given, program);
        if (settings.orderIdentical) orderIdentical(given, program.top);
        program.lookAtLimits(given);
    } catch (const top::GaveUp &) {
        return std::nullopt;
    }
    return std::move(program.top);
}

} // namespace remat::hiremate
