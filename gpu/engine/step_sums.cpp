// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/step_sums.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {
namespace {

bool sameSum(std::uint64_t x, std::uint64_t y)
{
    return x == y || x == 0 || y == 0;
}

/// The first place where two lists of sums differ; their length where none does.
std::size_t firstDiffering(const std::vector<std::uint64_t> &a, const std::vector<std::uint64_t> &b)
{
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end(), sameSum).first - a.begin());
}

bool same(const std::vector<std::uint64_t> &a, const std::vector<std::uint64_t> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), sameSum);
}

} // namespace

std::vector<StorageId> writtenBy(const Op &op)
{
    std::vector<StorageId> written = op.outputs;
    written.insert(written.end(), op.updates.begin(), op.updates.end());
    if (op.into) written.push_back(op.into);
    return written;
}

std::optional<FirstDifference> firstDifference(const Graph &graph, const std::vector<StepSums> &expected,
                                               const std::vector<StepSums> &run)
{
    std::vector<const StepSums *> ofOp(graph.ops.size(), nullptr);
    for (const StepSums &sums : expected)
        if (sums.op && !ofOp[sums.op.index()]) ofOp[sums.op.index()] = &sums;
    for (std::size_t step = 0; step < run.size(); ++step) {
        const StepSums &found = run[step];
        if (!found.op || !ofOp[found.op.index()]) continue;
        const StepSums &wanted = *ofOp[found.op.index()];
        const Op &op = graph.op(found.op);
        const std::string where = fmt::format("Step {}, {} ({}), ", step, op.name, op.kind);
        if (const std::size_t i = firstDiffering(wanted.read, found.read); i < wanted.read.size())
            return FirstDifference{
                step, op.inputs[i], true,
                fmt::format("{}is the first that goes wrong: it reads {}, which was made with other bits. Something "
                            "wrote to its memory since, or a copy of it came too late.",
                            where, graph.storage(op.inputs[i]).name)};
        if (const std::size_t i = firstDiffering(wanted.made, found.made); i < wanted.made.size()) {
            const StorageId written = writtenBy(op)[i];
            return FirstDifference{
                step, written, false,
                fmt::format("{}is the first that goes wrong: it reads the right bits and makes other ones for {}.",
                            where, graph.storage(written).name)};
        }
    }
    return std::nullopt;
}

std::vector<OpId> restlessOps(const Graph &graph, const std::vector<StepSums> &first,
                              const std::vector<StepSums> &second)
{
    std::vector<char> restless(graph.ops.size(), 0);
    for (std::size_t step = 0; step < std::min(first.size(), second.size()); ++step) {
        const StepSums &a = first[step], &b = second[step];
        if (a.op && a.op == b.op && same(a.read, b.read) && !same(a.made, b.made)) restless[a.op.index()] = 1;
    }
    std::vector<OpId> result;
    for (std::size_t op = 0; op < restless.size(); ++op)
        if (restless[op] != 0) result.emplace_back(op);
    return result;
}

std::vector<char> reachedFrom(const Graph &graph, const std::vector<OpId> &ops)
{
    std::vector<char> reached(graph.storages.size(), 0);
    for (std::size_t op = 0; op < graph.ops.size(); ++op) {
        const std::vector<StorageId> &inputs = graph.ops[op].inputs;
        const bool touched =
            std::find(ops.begin(), ops.end(), OpId(op)) != ops.end() ||
            std::any_of(inputs.begin(), inputs.end(), [&](StorageId input) { return reached[input.index()] != 0; });
        if (!touched) continue;
        for (const StorageId output : graph.ops[op].outputs)
            reached[output.index()] = 1;
        if (const StorageId sum = graph.ops[op].into) reached[sum.index()] = 1;
        // It may have written to what it reads.
        if (graph.ops[op].computeOnce)
            for (const StorageId input : inputs)
                reached[input.index()] = 1;
    }
    return reached;
}

} // namespace remat
