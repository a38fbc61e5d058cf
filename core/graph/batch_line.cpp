// SPDX-License-Identifier: Apache-2.0
#include "core/graph/batch_line.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace remat {

namespace {

constexpr std::int64_t kAllocated = 512;
constexpr double kMostBytes = 0x1p62;

/// The sizes in a type such as `f32[8,512]`; none where it has no such.
std::vector<std::int64_t> sizesOf(std::string_view type)
{
    std::vector<std::int64_t> sizes;
    std::size_t begin = type.find('[');
    while (begin < type.size() && type[begin] != ']') {
        const std::size_t end = type.find_first_of(",]", ++begin);
        const auto size = readWhole<std::int64_t>(type.substr(begin, end - begin));
        if (!size) return {};
        sizes.push_back(*size);
        begin = end;
    }
    return sizes;
}

/// Takes the first size in which an input differs between the traces; nothing where they are the same.
void takeSizes(const Storage &input, const Storage &other, BatchLine &line)
{
    const auto sizes = sizesOf(input.type), others = sizesOf(other.type);
    const auto [one, two] = std::mismatch(sizes.begin(), sizes.end(), others.begin(), others.end());
    if (one != sizes.end() && two != others.end() && *one > 0 && *two > 0) {
        line.batch = *one;
        line.otherBatch = *two;
        line.dimension = static_cast<std::size_t>(one - sizes.begin());
        return;
    }
    if (!input.type.empty() || input.bytes == other.bytes || input.bytes <= 0 || other.bytes <= 0) return;
    const std::int64_t common = std::gcd(input.bytes, other.bytes);
    line.batch = input.bytes / common;
    line.otherBatch = other.bytes / common;
}

Expected<void> sameStep(const Graph &graph, const Graph &other)
{
    const std::string advice = " Trace the same model and loss again, with nothing changed but the batch; at a batch "
                               "of one PyTorch may take other ops.";
    if (graph.ops.size() != other.ops.size() || graph.storages.size() != other.storages.size())
        return fail("The two traces are not the same step: one has {} ops, the other {}.{}", graph.ops.size(),
                    other.ops.size(), advice);
    for (std::size_t op = 0; op < graph.ops.size(); ++op) {
        const Op &one = graph.ops[op], &two = other.ops[op];
        if (one.kind != two.kind || one.inputs != two.inputs || one.outputs != two.outputs)
            return fail("The two traces are not the same step: they differ at {} ({} of {} ops).{}",
                        quotedName(one.name), op + 1, graph.ops.size(), advice);
    }
    for (std::size_t storage = 0; storage < graph.storages.size(); ++storage)
        if (graph.storages[storage].kind != other.storages[storage].kind)
            return fail("The two traces are not the same step: {} is something else in the other.{}",
                        quotedName(graph.storages[storage].name), advice);
    return {};
}

} // namespace

Expected<BatchLine> batchLine(const Graph &graph, const Graph &other)
{
    if (const auto same = sameStep(graph, other); !same) return tl::unexpected(same.error());
    BatchLine line;
    for (std::size_t storage = 0; storage < graph.storages.size(); ++storage) {
        line.otherBytes.push_back(other.storages[storage].bytes);
        if (line.batch == 0 && graph.storages[storage].kind == StorageKind::Input)
            takeSizes(graph.storages[storage], other.storages[storage], line);
    }
    if (line.batch == 0)
        return fail("The inputs of the two traces have the same sizes: trace the step once more, with another batch.");
    return line;
}

Expected<Graph> graphOfBatch(const Graph &graph, const BatchLine &line, std::int64_t batch)
{
    Graph result = graph;
    const double steps = static_cast<double>(batch - line.batch) / static_cast<double>(line.otherBatch - line.batch);
    for (std::size_t index = 0; index < result.storages.size(); ++index) {
        std::int64_t &bytes = result.storages[index].bytes;
        const std::int64_t other = line.otherBytes[index];
        if (bytes == other) continue;
        const bool isAllocated = bytes % kAllocated == 0 && other % kAllocated == 0;
        const double step = isAllocated ? static_cast<double>(kAllocated) : 1;
        const double wanted = static_cast<double>(bytes) + steps * static_cast<double>(other - bytes);
        const double rounded = std::ceil(std::max(wanted, step) / step) * step;
        if (rounded >= kMostBytes) return fail("A batch of {} is larger than any memory.", batch);
        bytes = static_cast<std::int64_t>(rounded);
    }
    return finishGraph(std::move(result));
}

} // namespace remat
