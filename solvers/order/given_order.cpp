#include "solvers/order/given_order.h"

#include <algorithm>

namespace remat {

namespace {

/// Per computation of a sequence: those whose results it reads.
std::vector<std::vector<std::size_t>> readsOf(const Graph &graph, const std::vector<OpId> &sequence)
{
    std::vector<std::size_t> maker(graph.storages.size(), 0); // the latest
    std::vector<std::vector<std::size_t>> reads(sequence.size());
    for (std::size_t p = 0; p < sequence.size(); ++p) {
        const Op &op = graph.op(sequence[p]);
        for (const StorageId input : op.inputs)
            if (graph.storage(input).producer) reads[p].push_back(maker[input.index()]);
        for (const StorageId output : op.outputs)
            maker[output.index()] = p;
    }
    return reads;
}

} // namespace

std::optional<std::vector<OpId>> inGivenOrder(const Graph &graph, const std::vector<OpId> &sequence)
{
    const std::vector<std::vector<std::size_t>> reads = readsOf(graph, sequence);
    std::vector<std::size_t> first(graph.ops.size(), sequence.size());
    for (std::size_t p = sequence.size(); p-- > 0;)
        first[sequence[p].index()] = p;

    std::vector<std::vector<std::size_t>> runs(1); // first computations, by op
    for (const std::size_t p : first) {
        if (p == sequence.size()) continue; // left out
        if (!runs.back().empty() && p < runs.back().back()) runs.emplace_back();
        runs.back().push_back(p);
    }
    runs.pop_back(); // the last run is of the last pass

    std::vector<OpId> passes;
    std::vector<char> wanted(sequence.size(), 0);
    for (const std::vector<std::size_t> &run : runs) {
        std::fill(wanted.begin(), wanted.end(), 0);
        for (const std::size_t p : run)
            wanted[p] = 1;
        for (std::size_t p = run.back() + 1; p-- > 0;)
            if (wanted[p])
                for (const std::size_t maker : reads[p])
                    wanted[maker] = 1;
        for (std::size_t p = 0; p <= run.back(); ++p) {
            if (!wanted[p]) continue;
            if (graph.op(sequence[p]).computeOnce) return {};
            passes.push_back(sequence[p]);
        }
    }
    passes.insert(passes.end(), sequence.begin(), sequence.end());
    return passes;
}

} // namespace remat
