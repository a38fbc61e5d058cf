// SPDX-License-Identifier: Apache-2.0
// Core's sentences and figures as the window's strings.
#pragma once

#include "core/base/bound_share.h"
#include "core/base/units.h"

#include <QString>

#include <filesystem>
#include <string>

namespace remat::studio {

inline QString toQString(const std::string &text)
{
    return QString::fromStdString(text);
}

inline QString toQString(const std::filesystem::path &path)
{
    return QString::fromStdString(path.string());
}

inline std::filesystem::path toPath(const QString &path)
{
    return {path.toStdString()};
}

inline QString bytesText(std::int64_t bytes, Rounding rounding = Rounding::Nearest)
{
    return toQString(formatBytes(bytes, rounding));
}

inline QString exactBytesText(std::int64_t bytes)
{
    return toQString(formatExactBytes(bytes));
}

inline QString countText(std::int64_t count)
{
    return toQString(formatCount(count));
}

inline QString timeText(double timeUs)
{
    return toQString(formatTimeUs(timeUs));
}

inline QString shareText(double share, Rounding rounding = Rounding::Nearest)
{
    return toQString(formatShare(share, rounding));
}

inline QString boundShareText(double boundOverhead, double planOverhead)
{
    return toQString(formatBoundShare(boundOverhead, planOverhead));
}

/// What stands for "unknown" or "not run"; the reason belongs in the tooltip.
inline QString dash()
{
    return QStringLiteral("–");
}

} // namespace remat::studio
