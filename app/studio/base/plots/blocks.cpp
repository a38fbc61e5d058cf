// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/plots/blocks.h"

#include <algorithm>

namespace remat::studio {

std::vector<FoldedBlock> foldBlocks(const std::vector<Block> &blocks, const Scale &scale, double left, double right,
                                    double least)
{
    std::vector<FoldedBlock> folded;
    const double low = scale.value(left);
    auto block = std::lower_bound(blocks.begin(), blocks.end(), low,
                                  [](const Block &candidate, double value) { return candidate.to < value; });
    for (; block != blocks.end(); ++block) {
        const double whole = scale.pixel(block->to) - scale.pixel(block->from);
        const double from = std::max(left, scale.pixel(block->from));
        const double to = std::min(right, scale.pixel(block->to));
        if (from > right) break;
        const auto index = static_cast<std::int32_t>(block - blocks.begin());
        if (whole < least && !folded.empty()) {
            FoldedBlock &before = folded.back();
            const Block &last = blocks[static_cast<std::size_t>(before.first + before.count - 1)];
            const bool small = before.count > 1 || scale.pixel(last.to) - scale.pixel(last.from) < least;
            if (small && from - before.right < least) {
                ++before.count;
                before.right = std::max(before.right, to);
                before.covered += std::max(0.0, to - from);
                continue;
            }
        }
        folded.push_back({index, 1, from, std::min(right, std::max(to, from + 1)), std::max(0.0, to - from)});
    }
    return folded;
}

int blockAt(const std::vector<Block> &blocks, double position, double slack)
{
    const auto next = std::lower_bound(blocks.begin(), blocks.end(), position,
                                       [](const Block &block, double value) { return block.to < value; });
    int best = -1;
    double nearest = slack;
    // Where two blocks meet the later one is meant, hence one more behind.
    for (auto block = next == blocks.begin() ? next : next - 1; block != blocks.end() && block - next <= 1; ++block) {
        const double off = std::max({block->from - position, position - block->to, 0.0});
        if (off > nearest) continue;
        nearest = off;
        best = static_cast<int>(block - blocks.begin());
    }
    return best;
}

} // namespace remat::studio
