// Whole files in, whole files out.
#pragma once

#include "core/base/expected.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace remat {

/// The file's bytes. Fails with a sentence when it is missing, a folder, unreadable, or over `maxBytes`.
Expected<std::string> readFile(const std::filesystem::path &path, std::int64_t maxBytes = std::int64_t(1) << 32);

/// Writes beside the target and renames, so that a crash leaves the old file or the new one, never half of one.
Expected<void> writeFileAtomically(const std::filesystem::path &path, std::string_view content);

} // namespace remat
