// SPDX-License-Identifier: Apache-2.0
// Peaks and budgets as the window's strings: the only way in which it writes them.
#pragma once

#include "core/base/memory_units.h"

#include <QString>

namespace remat::studio {

inline QString memoryText(std::int64_t bytes, std::int64_t apartFrom = -1)
{
    return QString::fromStdString(formatMemory(bytes, apartFrom));
}

inline QString memoryShareText(double share)
{
    return QString::fromStdString(formatMemoryShare(share));
}

} // namespace remat::studio
