#include "gpu/engine/step_sums.h"

#include <algorithm>

namespace remat {

std::optional<FirstDifference> firstDifference(const Graph &graph, const std::vector<StepSums> &expected,
                                               const std::vector<StepSums> &run)
{
    std::vector<const StepSums *> ofOp(graph.ops.size(), nullptr);
    for (const StepSums &sums : expected)
        if (sums.op && !ofOp[sums.op.index()]) ofOp[sums.op.index()] = &sums;
    const auto differing = [](const std::vector<std::uint64_t> &a, const std::vector<std::uint64_t> &b) {
        const auto same = [](std::uint64_t x, std::uint64_t y) { return x == y || x == 0 || y == 0; };
        return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same).first - a.begin());
    };
    for (std::size_t step = 0; step < run.size(); ++step) {
        const StepSums &found = run[step];
        if (!found.op || !ofOp[found.op.index()]) continue;
        const StepSums &wanted = *ofOp[found.op.index()];
        const Op &op = graph.op(found.op);
        const std::string where = "Step " + std::to_string(step) + ", " + op.name + " (" + op.kind + "), ";
        if (const std::size_t i = differing(wanted.read, found.read); i < wanted.read.size())
            return FirstDifference{step, op.inputs[i], true,
                                   where + "is the first that goes wrong: it reads " +
                                       graph.storage(op.inputs[i]).name +
                                       ", which was made with other bits. Something wrote to its memory since, or a "
                                       "copy of it came too late."};
        if (const std::size_t i = differing(wanted.made, found.made); i < wanted.made.size())
            return FirstDifference{step, op.outputs[i], false,
                                   where +
                                       "is the first that goes wrong: it reads the right bits and makes other "
                                       "ones for " +
                                       graph.storage(op.outputs[i]).name + "."};
    }
    return std::nullopt;
}

} // namespace remat
