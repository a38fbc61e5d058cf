// SPDX-License-Identifier: Apache-2.0
#include "core/addresses/canonical_search.h"
#include "core/addresses/layout.h"

#include <algorithm>

namespace remat {

namespace {

constexpr std::int64_t kFirstNodes = 20'000;
/// Heights that are closer to each other than this share are not told apart, but for the bound itself.
constexpr std::int64_t kFinest = 1000;

void setOffsets(MemoryLayout &layout, const std::vector<MemoryInstance> &instances, std::vector<std::int64_t> offsets)
{
    layout.offsets = std::move(offsets);
    layout.heightBytes = 0;
    for (std::size_t i = 0; i < instances.size(); ++i)
        layout.heightBytes = std::max(layout.heightBytes, layout.offsets[i] + instances[i].bytes);
}

} // namespace

SearchedLayout layOutWell(const std::vector<MemoryInstance> &instances, const LayoutEffort &effort)
{
    SearchedLayout result;
    result.layout = layOut(instances);
    result.boundBytes = result.layout.loadBytes;
    std::int64_t &height = result.layout.heightBytes, &bound = result.boundBytes;
    const auto over = [&] {
        return height <= bound || result.nodes >= effort.mostNodes || (effort.stop && effort.stop());
    };
    // Each round asks for the bound first, then for heights ever closer to the one that is known, with so many nodes
    // each; the next round has more of them.
    for (std::int64_t nodes = kFirstNodes; !over(); nodes *= 2) {
        for (std::int64_t target = bound; !over() && target < height;) {
            SearchResult search =
                searchLayout(instances, target, std::min(nodes, effort.mostNodes - result.nodes), effort.stop);
            result.nodes += std::max<std::int64_t>(search.nodes, 1);
            if (search.end == SearchEnd::Found) {
                setOffsets(result.layout, instances, std::move(search.offsets));
                target = bound + (height - bound) / 2;
            } else if (search.end == SearchEnd::Impossible) {
                target = bound = target + 1;
            } else if (height - target <= height / kFinest + 1) {
                break;
            } else {
                target += (height - target + 1) / 2;
            }
        }
    }
    return result;
}

} // namespace remat
