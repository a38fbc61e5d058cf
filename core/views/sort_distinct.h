// SPDX-License-Identifier: Apache-2.0
// Lists without order as sets.
#pragma once

#include <algorithm>
#include <vector>

namespace remat {

/// Ascending, each once.
template <typename Item>
void sortDistinct(std::vector<Item> &items)
{
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

} // namespace remat
