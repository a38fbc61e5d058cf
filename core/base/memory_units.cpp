// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_units.h"

#include "core/base/units.h"

namespace remat {

std::string formatMemory(std::int64_t bytes, std::int64_t apartFrom)
{
    std::string text = formatBytes(bytes, Rounding::Up);
    const bool confused = apartFrom >= 0 && bytes != apartFrom && text == formatBytes(apartFrom, Rounding::Up);
    return confused ? formatExactBytes(bytes) : text;
}

std::string formatMemoryShare(double share)
{
    return formatShare(share, Rounding::Up);
}

} // namespace remat
