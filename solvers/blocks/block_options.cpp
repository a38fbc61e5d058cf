// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/block_options.h"

#include "solvers/interface/solver.h"

#include <algorithm>

namespace remat::hiremate {

std::vector<char> readByBackward(const Block &block)
{
    std::vector<char> read(block.storages.size(), 0);
    for (std::size_t i = block.forwardOps(); i < block.ops.size(); ++i)
        for (const int s : block.ops[i].inputs)
            if (block.storages[s].forward) read[s] = 1;
    return read;
}

std::vector<char> leastKept(const Block &block)
{
    std::vector<char> kept(block.storages.size(), 0);
    for (std::size_t s = 0; s < kept.size(); ++s)
        kept[s] = block.storages[s].forward && block.ops[block.storages[s].producer].once ? 1 : 0;
    return kept;
}

std::vector<ProgramStep> justInTime(const Block &block, const std::vector<char> &kept, bool keepRecomputed,
                                    const StopCheck &stop)
{
    std::vector<ProgramStep> program;
    std::vector<char> there = kept;
    std::vector<int> slot;
    std::vector<int> open;
    const auto require = [&](int wanted) {
        open = {wanted};
        while (!open.empty()) {
            const int s = open.back();
            open.pop_back();
            if (there[s] || !block.storages[s].forward) continue;
            const int op = block.storages[s].producer;
            for (const int made : block.ops[op].outputs)
                there[made] = 1;
            open.insert(open.end(), block.ops[op].inputs.begin(), block.ops[op].inputs.end());
            slot.push_back(op);
        }
    };
    const int end = static_cast<int>(block.ops.size());
    for (int z = block.forwardOps(); z < end; ++z) {
        if (stop && stop()) throw TimeUp{};
        if (!keepRecomputed) there = kept;
        slot.clear();
        for (const int s : block.ops[z].inputs)
            require(s);
        std::sort(slot.begin(), slot.end());
        for (const int op : slot)
            program.push_back({op, z});
        program.push_back({z, z});
    }
    return program;
}

namespace {

/// Backward scan over one part; `later[s]` says that a later step reads the copy of s that exists here.
struct Replay {
    const Block &block;
    std::vector<char> later;
    std::int64_t heldBytes = 0; ///< after the step scanned last

    explicit Replay(const Block &b) : block(b), later(b.storages.size(), 0) {}

    std::int64_t step(int op, bool recompute)
    {
        const LocalOp &view = block.ops[op];
        std::int64_t madeAndKept = 0, madeAndDropped = 0, readLast = 0;
        for (const int s : view.outputs) {
            (later[s] ? madeAndKept : madeAndDropped) += block.storages[s].bytes;
            later[s] = 0;
        }
        for (const int s : view.inputs) {
            if (!later[s]) readLast += block.storages[s].bytes;
            later[s] = 1;
        }
        const std::int64_t during =
            heldBytes + madeAndDropped + readLast + view.workspaceBytes + (recompute ? view.otherOutputBytes : 0);
        heldBytes += readLast - madeAndKept;
        return during;
    }
};

} // namespace

Option makeOption(const Chain &chain, const Block &block, std::vector<char> kept, std::vector<ProgramStep> program,
                  std::vector<ProgramStep> forwardAgain)
{
    Option option;
    option.forwardAgain = std::move(forwardAgain);
    option.kept = std::move(kept);
    option.program = std::move(program);
    Replay replay(block);
    const std::size_t steps = option.program.size();
    option.backwardBytes.resize(steps);
    option.heldAfter.assign(block.partEnds.size(), 0);
    auto part = static_cast<std::ptrdiff_t>(block.partEnds.size());
    const auto enterPartOf = [&](int op) { // in reverse, as everything here
        const auto at = std::upper_bound(block.partEnds.begin(), block.partEnds.end(), op) - block.partEnds.begin();
        while (part > at)
            option.heldAfter[static_cast<std::size_t>(--part)] = replay.heldBytes;
    };
    const std::int64_t base = block.backwardOps() > 0 ? chain.constantBefore[block.backwardBegin] : 0;
    for (std::size_t p = steps; p-- > 0;) {
        const ProgramStep &step = option.program[p];
        enterPartOf(step.before);
        option.backwardBytes[p] = replay.step(step.op, step.recompute());
        const int slot = block.globalOp(step.before);
        const std::int64_t constants = (step.recompute() ? chain.constantBefore : chain.constantAt)[slot] - base;
        option.backwardPeakBytes = std::max(option.backwardPeakBytes, option.backwardBytes[p] + constants);
        if (step.recompute()) option.extraUs += block.ops[step.op].timeUs;
    }
    for (std::size_t s = 0; s < option.kept.size(); ++s) {
        if (!option.kept[s] || replay.later[s]) continue;
        replay.later[s] = 1;
        replay.heldBytes += block.storages[s].bytes;
    }
    option.keptBytes = replay.heldBytes;
    option.forwardBytes.resize(block.forwardOps());
    std::size_t again = option.forwardAgain.size();
    const auto replayAgain = [&](int before, int op) {
        for (; again > 0 && option.forwardAgain[again - 1].before == before; --again) {
            const int made = option.forwardAgain[again - 1].op;
            option.forwardBytes[op] = std::max(option.forwardBytes[op], replay.step(made, true));
            option.extraUs += block.ops[made].timeUs;
        }
    };
    for (int i = block.forwardOps(); i-- > 0;) {
        enterPartOf(i);
        replayAgain(i + 1, i);
        option.forwardBytes[i] = std::max(option.forwardBytes[i], replay.step(i, false));
        option.forwardPeakBytes = std::max(option.forwardPeakBytes, option.forwardBytes[i]);
    }
    return option;
}

namespace {

bool beatsOrEquals(const Option &a, const Option &b)
{
    if (a.keptBytes > b.keptBytes || a.extraUs > b.extraUs + 1e-9 || a.forwardPeakBytes > b.forwardPeakBytes ||
        a.backwardPeakBytes > b.backwardPeakBytes)
        return false;
    for (std::size_t i = 0; i < a.chainUs.size(); ++i)
        if (a.chainUs[i] > b.chainUs[i] + 1e-9) return false;
    return true;
}

void thin(std::vector<Option> &options, std::size_t limit)
{
    if (options.size() <= limit || limit < 3) return;
    const auto smallest = std::min_element(options.begin(), options.end(), [](const Option &a, const Option &b) {
        return std::max(a.backwardPeakBytes, a.forwardPeakBytes) < std::max(b.backwardPeakBytes, b.forwardPeakBytes);
    });
    std::vector<char> wanted(options.size(), 0);
    wanted[static_cast<std::size_t>(smallest - options.begin())] = 1;
    const double full = static_cast<double>(options.front().keptBytes),
                 low = static_cast<double>(options.back().keptBytes);
    std::size_t next = 0;
    for (std::size_t q = 0; q < limit - 1; ++q) {
        const double target = full - (full - low) * static_cast<double>(q) / static_cast<double>(limit - 2);
        // The dearest option at or under each of the evenly spaced levels, so that sparse stretches lose nothing.
        while (next + 1 < options.size() && static_cast<double>(options[next].keptBytes) > target)
            ++next;
        if (!wanted[next])
            wanted[next] = 1;
        else if (next + 1 < options.size())
            wanted[++next] = 1;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (wanted[i]) {
            if (kept != i) options[kept] = std::move(options[i]);
            ++kept;
        }
    options.resize(kept);
}

} // namespace

void dropDominated(std::vector<Option> &options, int limit)
{
    std::stable_sort(options.begin(), options.end(), [](const Option &a, const Option &b) {
        if (a.keptBytes != b.keptBytes) return a.keptBytes > b.keptBytes;
        if (a.extraUs != b.extraUs) return a.extraUs < b.extraUs;
        return a.backwardPeakBytes < b.backwardPeakBytes;
    });
    std::vector<char> beaten(options.size(), 0);
    for (std::size_t i = 0; i < options.size(); ++i)
        for (std::size_t j = 0; j < options.size() && !beaten[i]; ++j) {
            if (i == j || beaten[j] || !beatsOrEquals(options[j], options[i])) continue;
            beaten[i] = !beatsOrEquals(options[i], options[j]) || j < i;
        }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < options.size(); ++i)
        if (!beaten[i]) {
            if (kept != i) options[kept] = std::move(options[i]);
            ++kept;
        }
    options.resize(kept);
    thin(options, static_cast<std::size_t>(limit));
}

} // namespace remat::hiremate
