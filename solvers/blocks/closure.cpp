// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/closure.h"

#include "solvers/blocks/block_search.h"
#include "solvers/blocks/lite.h"
#include "solvers/ilp/cbc.h"

#include <algorithm>
#include <cmath>

namespace remat::hiremate {

namespace {

/// The closure ILP of one block; only the amount kept changes between solves.
struct ClosureModel {
    ilp::Model model;
    std::vector<int> keepColumn;  ///< per local storage, -1: not in the model
    std::vector<int> againColumn; ///< per forward op, -1: not in the model
    std::int64_t neededBytes = 0; ///< bytes of storages that must be kept or computed again
    double unit = 1;              ///< bytes of one unit of memory in the model
    int memoryRow = 0;
};

/// What must be there in the backward part; with `interfaces` also what the makers of large interfaces read.
std::vector<char> neededStorages(const FlatGraph &flat, const Chain &chain, const Block &block, bool interfaces)
{
    std::vector<char> needed = readByBackward(block);
    if (!interfaces) return needed;
    const double large = 1e-3 * static_cast<double>(chain.keepAllPeakBytes);
    const auto makesLarge = [&](const LocalOp &op) {
        return std::any_of(op.madeInterfaces.begin(), op.madeInterfaces.end(),
                           [&](int s) { return static_cast<double>(flat.bytes[s]) > large; });
    };
    for (int i = 0; i < block.forwardOps(); ++i)
        if (makesLarge(block.ops[i]))
            for (const int s : block.ops[i].inputs)
                needed[s] = 1;
    return needed;
}

ClosureModel buildModel(const Chain &chain, const Block &block, const std::vector<char> &needed)
{
    ClosureModel closure;
    closure.unit = std::max(1.0, static_cast<double>(chain.keepAllPeakBytes) / 1e4);
    std::vector<char> inClosure = needed;
    for (int i = block.forwardOps(); i-- > 0;) {
        const LocalOp &op = block.ops[i];
        if (std::none_of(op.outputs.begin(), op.outputs.end(), [&](int s) { return inClosure[s] != 0; })) continue;
        for (const int s : op.inputs)
            inClosure[s] = 1;
    }
    closure.keepColumn.assign(block.storages.size(), -1);
    std::vector<int> &again = closure.againColumn;
    again.assign(block.forwardOps(), -1);
    std::vector<ilp::Term> memory;
    for (std::size_t s = 0; s < block.storages.size(); ++s) {
        if (!inClosure[s]) continue;
        const double units = static_cast<double>(block.storages[s].bytes) / closure.unit;
        closure.keepColumn[s] = closure.model.addBinary(1e-4 * units);
        memory.push_back({closure.keepColumn[s], units});
        if (needed[s]) closure.neededBytes += block.storages[s].bytes;
        int &column = again[block.storages[s].producer];
        if (column < 0) column = closure.model.addBinary(block.ops[block.storages[s].producer].timeUs);
    }
    closure.memoryRow = 0;
    closure.model.addAtMost(memory, 0);
    for (std::size_t s = 0; s < block.storages.size(); ++s)
        if (needed[s])
            closure.model.addAtLeast(1, {{closure.keepColumn[s], 1}, {again[block.storages[s].producer], 1}});
    for (int i = 0; i < block.forwardOps(); ++i) {
        if (again[i] < 0) continue;
        if (block.ops[i].once) closure.model.fix(again[i], 0);
        for (const int s : block.ops[i].inputs)
            closure.model.addAtLeast(
                0, {{closure.keepColumn[s], 1}, {again[block.storages[s].producer], 1}, {again[i], -1}});
    }
    return closure;
}

/// The solution that keeps what an option keeps, when that is within `units` of memory; empty otherwise.
std::vector<double> startFrom(const Block &block, const ClosureModel &closure, const std::vector<char> &needed,
                              const Option &option, double units)
{
    std::vector<double> x(static_cast<std::size_t>(closure.model.columns()), 0);
    std::vector<char> wanted = needed;
    double used = 0;
    for (int i = block.forwardOps(); i-- > 0;) {
        bool again = false;
        for (const int s : block.ops[i].outputs) {
            if (closure.keepColumn[s] < 0 || !wanted[s]) continue;
            if (!option.kept[s]) {
                again = true;
                continue;
            }
            x[closure.keepColumn[s]] = 1;
            used += static_cast<double>(block.storages[s].bytes) / closure.unit;
        }
        if (!again) continue;
        if (block.ops[i].once) return {};
        x[closure.againColumn[i]] = 1;
        for (const int s : block.ops[i].inputs)
            wanted[s] = 1;
    }
    return used <= units ? x : std::vector<double>();
}

/// The best start among the searched options. They need not be undominated here, nor reach the level.
std::vector<double> bestStart(const Block &block, const ClosureModel &closure, const std::vector<char> &needed,
                              const std::vector<Option> &searched, double units)
{
    std::vector<double> best;
    double bestObjective = ilp::kInfinity;
    for (const Option &option : searched) {
        std::vector<double> x = startFrom(block, closure, needed, option, units);
        if (x.empty()) continue;
        const double objective = ilp::objectiveOf(closure.model, x);
        if (objective >= bestObjective) continue;
        bestObjective = objective;
        best = std::move(x);
    }
    return best;
}

void addFront(const FlatGraph &flat, const Chain &chain, const Block &block, const ClosureSettings &settings,
              bool interfaces, const std::vector<Option> &searched, const std::function<void(int)> &told,
              std::vector<Option> &options)
{
    const std::vector<char> needed = neededStorages(flat, chain, block, interfaces);
    ClosureModel closure = buildModel(chain, block, needed);
    const auto keep = [&](const std::vector<char> &kept) {
        for (const bool once : {true, false}) {
            std::vector<ProgramStep> program = justInTime(block, kept, once);
            if (!once && program.size() == options.back().program.size()) break;
            options.push_back(makeOption(chain, block, kept, std::move(program)));
            options.back().chainUs = interfaceChainUs(flat, chain, block, options.back());
        }
        if (told) told(static_cast<int>(options.size()));
    };
    keep(needed);

    double saved = static_cast<double>(closure.neededBytes) / closure.unit;
    // Steps under the solver's feasibility tolerance would find the same solution again and again.
    const double step = std::max(saved / settings.levels, 1e-4);
    ilp::Limits limits;
    limits.stop = settings.stop;
    limits.deadline = settings.deadline;
    limits.iterations = settings.iterations;
    limits.effort = ilp::Effort::Small;
    limits.seed = settings.seed;
    for (saved -= step; saved > -step; saved -= step) {
        closure.model.rowUpper[closure.memoryRow] = std::max(saved, 0.0);
        limits.start = bestStart(block, closure, needed, searched, std::max(saved, 0.0));
        const ilp::Solution solution = ilp::solve(closure.model, limits);
        if (settings.iterationsDone) *settings.iterationsDone += solution.iterations;
        if (!solution.found()) break;
        std::vector<char> kept(block.storages.size(), 0);
        double found = 0;
        for (std::size_t s = 0; s < kept.size(); ++s) {
            if (closure.keepColumn[s] < 0 || solution.x[closure.keepColumn[s]] < 0.5) continue;
            kept[s] = 1;
            found += static_cast<double>(block.storages[s].bytes) / closure.unit;
        }
        keep(kept);
        saved = std::min(saved, found);
        if (saved <= 0) break;
    }
}

} // namespace

std::vector<Option> closureOptions(const FlatGraph &flat, const Chain &chain, const Block &block,
                                   const ClosureSettings &settings, const std::function<void(int)> &told)
{
    std::vector<Option> options;
    std::vector<Option> searched = searchedOptions(flat, chain, block, settings.stop, settings.deadline);
    addFront(flat, chain, block, settings, false, searched, told, options);
    if (settings.interfaces) addFront(flat, chain, block, settings, true, searched, told, options);
    for (Option &option : searched) {
        option.chainUs = interfaceChainUs(flat, chain, block, option);
        options.push_back(std::move(option));
    }
    for (const bool once : {true, false}) {
        const std::vector<char> kept = leastKept(block);
        options.push_back(makeOption(chain, block, kept, justInTime(block, kept, once)));
        options.back().chainUs = interfaceChainUs(flat, chain, block, options.back());
    }
    dropDominated(options, settings.optionLimit);
    return options;
}

} // namespace remat::hiremate
