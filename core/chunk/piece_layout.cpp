// SPDX-License-Identifier: Apache-2.0
#include "core/chunk/piece_layout.h"

#include <algorithm>
#include <numeric>

namespace remat {

std::vector<std::size_t> memoryOrder(const Value &value)
{
    std::vector<std::size_t> order(value.sizes.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    // A dim of one element may have any stride: it stays beside its neighbour.
    std::vector<std::int64_t> strides = value.strides;
    for (std::size_t i = strides.size(); i-- > 0;) {
        if (value.sizes[i] == 1) strides[i] = i + 1 < strides.size() ? strides[i + 1] * value.sizes[i + 1] : 1;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
    return order;
}

std::vector<std::int64_t> stridesLike(const Value &value, const Sizes &sizes)
{
    std::vector<std::int64_t> strides(sizes.size(), 1);
    std::int64_t step = 1;
    const std::vector<std::size_t> order = memoryOrder(value);
    for (auto dim = order.rbegin(); dim != order.rend(); ++dim) {
        strides[*dim] = step;
        step *= std::max<std::int64_t>(sizes[*dim], 1);
    }
    return strides;
}

bool isDense(const Value &value)
{
    const std::vector<std::int64_t> dense = stridesLike(value, value.sizes);
    for (std::size_t i = 0; i < dense.size(); ++i)
        if (value.sizes[i] > 1 && value.strides[i] != dense[i]) return false;
    return true;
}

bool piecesAreDense(const Value &value, const std::vector<Cut> &cuts)
{
    std::size_t cut = 0;
    for (const std::size_t dim : memoryOrder(value)) {
        if (cut == cuts.size()) return true;
        if (value.sizes[dim] == 1) continue;
        if (static_cast<std::size_t>(cuts[cut].dim) != dim) return false;
        ++cut;
    }
    return cut == cuts.size();
}

} // namespace remat
