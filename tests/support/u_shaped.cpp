// SPDX-License-Identifier: Apache-2.0
#include "tests/support/u_shaped.h"

#include "tests/support/nets.h"

namespace remat::test {

Graph uShapedGraph(int levels, int blocks)
{
    REMAT_ASSERT(levels >= 1 && levels <= 14 && blocks >= 1, "sizes halve at every level and end at one byte");
    constexpr double kConvolutionUs = 40, kCopyUs = 5;
    const auto bytesAt = [](int level) { return std::int64_t(1) << (14 - level); };
    std::vector<Layer> layers;
    const auto add = [&](std::vector<int> inputs, std::int64_t bytes, double timeUs) {
        layers.push_back({std::move(inputs), bytes, timeUs});
        return static_cast<int>(layers.size()) - 1;
    };
    const auto convolutions = [&](int from, int level) {
        for (int block = 0; block < blocks; ++block)
            from = add({from}, bytesAt(level), kConvolutionUs);
        return from;
    };

    int x = add({}, bytesAt(0), kCopyUs);
    std::vector<int> skips;
    for (int level = 0; level < levels; ++level) {
        skips.push_back(convolutions(x, level));
        x = add({skips.back()}, bytesAt(level + 1), kCopyUs);
    }
    x = convolutions(x, levels);
    for (int level = levels; level-- > 0;) {
        const int up = add({x}, bytesAt(level), kConvolutionUs);
        x = convolutions(add({skips[static_cast<std::size_t>(level)], up}, 2 * bytesAt(level), kCopyUs), level);
    }
    std::string name("u");
    name += std::to_string(levels) + "x" + std::to_string(blocks);
    return trainingGraph(name, layers);
}

} // namespace remat::test
