// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <algorithm>
#include <limits>

namespace remat {

namespace {

std::size_t distanceBetween(const std::string &a, const std::string &b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearestName(const std::vector<std::string> &names, const std::string &wanted)
{
    const std::string *nearest = nullptr;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const std::string &name : names) {
        const std::size_t distance = distanceBetween(name, wanted);
        if (distance >= least) continue;
        least = distance;
        nearest = &name;
    }
    return nearest ? *nearest : std::string();
}

} // namespace remat
