// SPDX-License-Identifier: Apache-2.0
#include "solvers/blocks/lite.h"

#include <algorithm>
#include <limits>
#include <map>

namespace remat::hiremate {

Rebuild rebuild(const FlatGraph &flat, const Block &block, const std::vector<char> &kept,
                const std::vector<int> &interfaces)
{
    Rebuild result;
    result.possible = true;
    std::vector<char> wanted(block.storages.size(), 0), chosen(block.forwardOps(), 0);
    for (int i = block.forwardOps(); i-- > 0;) {
        const LocalOp &op = block.ops[i];
        const bool makes = std::any_of(op.madeInterfaces.begin(), op.madeInterfaces.end(), [&](int s) {
            return std::find(interfaces.begin(), interfaces.end(), s) != interfaces.end();
        });
        const bool feeds = std::any_of(op.outputs.begin(), op.outputs.end(), [&](int s) { return wanted[s] != 0; });
        if (!makes && !feeds) continue;
        chosen[i] = 1;
        if (op.once) result.possible = false;
        for (const int s : op.inputs)
            if (!kept[s]) wanted[s] = 1;
    }
    // Kept storages are held anyway; an op that makes one again holds a second copy while it runs.
    std::vector<char> later(block.storages.size(), 0);
    std::int64_t held = 0;
    for (int i = block.forwardOps(); i-- > 0;) {
        if (!chosen[i]) continue;
        const LocalOp &op = block.ops[i];
        std::int64_t made = 0, dropped = 0, readLast = 0;
        for (const int s : op.outputs) {
            (later[s] ? made : dropped) += block.storages[s].bytes;
            later[s] = 0;
        }
        for (const int s : op.inputs) {
            if (kept[s] || later[s]) continue;
            readLast += block.storages[s].bytes;
            later[s] = 1;
        }
        std::int64_t results = 0;
        for (const int s : op.madeInterfaces)
            if (std::find(interfaces.begin(), interfaces.end(), s) != interfaces.end()) results += flat.bytes[s];
        result.overheadBytes = std::max(result.overheadBytes,
                                        held + dropped + readLast + op.workspaceBytes + op.otherOutputBytes - results);
        held += readLast - made;
        result.ops.push_back(i);
        result.timeUs += op.timeUs;
        for (const int s : op.interfaces) {
            const int producer = block.localOp(flat.producer[s]);
            // An own interface that the chain itself makes is there when it is read.
            if (producer >= 0 && chosen[producer]) continue;
            result.readsInterfaces.push_back(s);
        }
        result.makesInterfaces.insert(result.makesInterfaces.end(), op.madeInterfaces.begin(), op.madeInterfaces.end());
    }
    std::reverse(result.ops.begin(), result.ops.end());
    std::sort(result.readsInterfaces.begin(), result.readsInterfaces.end());
    result.readsInterfaces.erase(std::unique(result.readsInterfaces.begin(), result.readsInterfaces.end()),
                                 result.readsInterfaces.end());
    return result;
}

namespace {

std::vector<int> madeInterfaces(const Block &block)
{
    std::vector<int> made;
    for (int i = 0; i < block.forwardOps(); ++i)
        made.insert(made.end(), block.ops[i].madeInterfaces.begin(), block.ops[i].madeInterfaces.end());
    return made;
}

} // namespace

std::vector<double> interfaceChainUs(const FlatGraph &flat, const Chain &chain, const Block &block,
                                     const Option &option)
{
    std::vector<double> times;
    for (const int s : madeInterfaces(block)) {
        const bool large = static_cast<double>(flat.bytes[s]) > 1e-3 * static_cast<double>(chain.keepAllPeakBytes);
        if (!large) continue;
        const Rebuild chainOps = rebuild(flat, block, option.kept, {s});
        times.push_back(chainOps.possible ? chainOps.timeUs : std::numeric_limits<double>::infinity());
    }
    return times;
}

std::vector<Lite> liteAlternatives(const FlatGraph &flat, const Chain &chain, const Block &block,
                                   const std::vector<Option> &options, const LiteSettings &settings)
{
    std::vector<Lite> all;
    for (const int s : madeInterfaces(block)) {
        if (static_cast<double>(flat.bytes[s]) < settings.smallestShare * static_cast<double>(chain.keepAllPeakBytes))
            continue;
        std::map<std::vector<int>, Lite> byOps;
        for (std::size_t o = 0; o < options.size(); ++o) {
            Rebuild ops = rebuild(flat, block, options[o].kept, {s});
            if (!ops.possible || ops.ops.size() > settings.longestChain) continue;
            Lite &lite = byOps[ops.ops];
            if (lite.options.empty()) lite = {s, ops, {}};
            lite.rebuild.overheadBytes = std::max(lite.rebuild.overheadBytes, ops.overheadBytes);
            lite.options.push_back(static_cast<int>(o));
        }
        std::vector<Lite> mine;
        mine.reserve(byOps.size());
        for (auto &[ops, lite] : byOps)
            mine.push_back(std::move(lite));
        std::stable_sort(mine.begin(), mine.end(),
                         [](const Lite &a, const Lite &b) { return a.options.size() > b.options.size(); });
        if (mine.size() > settings.alternatives) mine.resize(settings.alternatives);
        for (Lite &lite : mine)
            all.push_back(std::move(lite));
    }
    return all;
}

} // namespace remat::hiremate
