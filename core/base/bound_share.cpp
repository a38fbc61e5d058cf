// SPDX-License-Identifier: Apache-2.0
#include "core/base/bound_share.h"

#include "core/base/units.h"

#include <algorithm>

namespace remat {

std::string formatBoundShare(double boundOverhead, double planOverhead)
{
    const bool equal = planOverhead - boundOverhead <= kEqualShare;
    return formatShare(std::max(boundOverhead, 0.0), equal ? Rounding::Nearest : Rounding::Down);
}

} // namespace remat
