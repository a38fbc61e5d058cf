// SPDX-License-Identifier: Apache-2.0
// Whether there is a place for a file, before the work that fills it; and who else may write to one.
#pragma once

#include "core/base/expected.h"

#include <filesystem>

namespace remat {

/// Fails with a sentence when `path` could not be written now: it is a folder, read-only, in no folder, or nothing can
/// be written beside it. A file that is there stays as it is; its folder holds one more for a moment.
Expected<void> checkWritable(const std::filesystem::path &path);

/// Whether both names lead to one file that is there, through links or not.
bool isSameFile(const std::filesystem::path &one, const std::filesystem::path &other);

/// Whether somebody other than this user and root could have put or changed it, or it is not there.
bool othersMayChange(const std::filesystem::path &path);

} // namespace remat
