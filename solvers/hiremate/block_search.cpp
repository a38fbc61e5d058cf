#include "solvers/hiremate/block_search.h"

#include "solvers/search/greedy.h"

#include <algorithm>
#include <numeric>

namespace remat::hiremate {

namespace {

constexpr int kKeptLevels = 12;
/// Memory of the block's two parts, as shares of what keeping everything takes.
constexpr double kMemoryShares[] = {1.0, 0.8, 0.65, 0.5};

/// The block as a graph of its own: forward ops, the op in between, backward ops.
FlatGraph standAlone(const Chain &chain, const Block &block)
{
    const int forward = block.forwardOps(), ops = static_cast<int>(block.ops.size()) + 1;
    const auto place = [&](int local) { return local < forward ? local : local + 1; };
    const auto storages = block.storages.size();
    FlatGraph flat;
    flat.ops = ops;
    flat.forwardOps = forward;
    flat.inputs.resize(ops);
    flat.outputs.resize(ops);
    flat.timeUs.assign(ops, 0);
    flat.workspaceBytes.assign(ops, 0);
    flat.once.assign(ops, 1);
    flat.readers.resize(storages);
    flat.output.assign(storages, 0);
    flat.producer.resize(storages);
    flat.lastUse.resize(storages);
    for (std::size_t s = 0; s < storages; ++s) {
        flat.bytes.push_back(block.storages[s].bytes);
        flat.producer[s] = flat.lastUse[s] = place(block.storages[s].producer);
    }
    const std::int64_t base = block.backwardOps() > 0 ? chain.constantBefore[block.backwardBegin] : 0;
    for (int local = 0; local + 1 < ops; ++local) {
        const LocalOp &op = block.ops[local];
        const int i = place(local);
        flat.inputs[i] = op.inputs;
        flat.outputs[i] = op.outputs;
        flat.timeUs[i] = op.timeUs;
        flat.workspaceBytes[i] = op.workspaceBytes + op.otherOutputBytes;
        // Only forward ops are computed again in a program.
        flat.once[i] = op.once || local >= forward ? 1 : 0;
        if (local >= forward)
            flat.workspaceBytes[i] += std::max<std::int64_t>(0, chain.constantAt[block.globalOp(local)] - base);
        for (const int s : op.inputs) {
            flat.readers[s].push_back(i);
            flat.lastUse[s] = std::max(flat.lastUse[s], i);
        }
    }
    return flat;
}

/// What a set of recomputations makes of the block; nothing when it computes something again before the backward part.
std::optional<Option> toOption(const Chain &chain, const Block &block, const std::vector<Recompute> &set)
{
    const int between = block.forwardOps();
    std::vector<ProgramStep> program;
    std::vector<char> kept(block.storages.size(), 0), madeAgain(block.storages.size(), 0);
    auto next = set.begin();
    if (next != set.end() && next->stage <= between) return std::nullopt;
    const auto read = [&](int local) {
        for (const int s : block.ops[local].inputs)
            if (block.storages[s].forward && !madeAgain[s]) kept[s] = 1;
    };
    for (int z = between; z < static_cast<int>(block.ops.size()); ++z) {
        for (; next != set.end() && next->stage == z + 1; ++next) {
            read(next->op);
            for (const int s : block.ops[next->op].outputs)
                madeAgain[s] = 1;
            program.push_back({next->op, z});
        }
        read(z);
        program.push_back({z, z});
    }
    return makeOption(chain, block, std::move(kept), std::move(program));
}

} // namespace

std::vector<Option> searchedOptions(const Chain &chain, const Block &block, const StopToken *stop,
                                    const Deadline &deadline)
{
    std::vector<Option> options;
    if (block.backwardOps() == 0 || block.storages.empty()) return options;
    FlatGraph flat = standAlone(chain, block);
    const int between = block.forwardOps();
    const search::StopCheck stopped = [&] { return (stop && stop->stopRequested()) || deadline.passed(); };
    const std::int64_t all = search::foundIn(search::State(flat, 0)).peakBytes;
    std::int64_t crossing = 0;
    for (int s = 0; s < flat.storages(); ++s)
        if (flat.producer[s] < between && flat.lastUse[s] > between) crossing += flat.bytes[s];
    for (const double share : kMemoryShares) {
        const auto memory = static_cast<std::int64_t>(share * static_cast<double>(all));
        std::vector<Recompute> last;
        for (int level = kKeptLevels; level-- > 0 && !stopped();) {
            flat.workspaceBytes[between] = std::max<std::int64_t>(0, memory - crossing / kKeptLevels * level);
            const search::Found found = search::greedyPlan(flat, memory, last, stopped);
            if (!found.fits) break;
            if (std::optional<Option> option = toOption(chain, block, found.set)) options.push_back(std::move(*option));
            last = found.set;
        }
    }
    return options;
}

} // namespace remat::hiremate
