// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/rounds.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat::hiremate {

namespace {

/// The most that the options `levels` and `options-per-cluster` take, and `work`.
constexpr int kMostOptions = 400, kMostThousandIterations = 1'000'000;

int doubled(int value, int times, int most)
{
    for (; times > 0 && value < most; --times)
        value = std::min(2 * value, most);
    return value;
}

std::string nameOf(Partitioner partitioner)
{
    const auto &names = partitionerNames();
    return std::find_if(names.begin(), names.end(), [&](const auto &each) { return each.second == partitioner; })
        ->first;
}

} // namespace

std::vector<Variation> variations(const PipelineOptions &asked, int round)
{
    std::vector<Partitioner> partitioners = {asked.partitioner};
    for (const auto &[name, partitioner] : partitionerNames())
        if (partitioner != asked.partitioner) partitioners.push_back(partitioner);
    std::vector<PartitionSizes> sizes = {{asked.blockMin, asked.blockMax}};
    for (const PartitionSizes &other : {PartitionSizes{8, 20}, PartitionSizes{20, 45}})
        if (other.minOps != asked.blockMin || other.maxOps != asked.blockMax) sizes.push_back(other);

    std::vector<Variation> made;
    for (const PartitionSizes &size : sizes)
        for (const Partitioner partitioner : partitioners) {
            if (round == 1 && &size == sizes.data() && partitioner == asked.partitioner) continue;
            Variation next{asked, {}};
            next.options.partitioner = partitioner;
            next.options.blockMin = size.minOps;
            next.options.blockMax = size.maxOps;
            next.options.levels = doubled(asked.levels, round - 1, kMostOptions);
            next.options.optionsPerBlock = doubled(asked.optionsPerBlock, round - 1, kMostOptions);
            next.options.thousandIterations = doubled(asked.thousandIterations, round - 1, kMostThousandIterations);
            next.name = fmt::format("{} {}–{}", nameOf(partitioner), size.minOps, size.maxOps);
            made.push_back(std::move(next));
        }
    return made;
}

} // namespace remat::hiremate
