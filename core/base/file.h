// SPDX-License-Identifier: Apache-2.0
// Whole files in, whole files out.
#pragma once

#include "core/base/expected.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace remat {

/// The file's bytes. Fails with a sentence when it is missing, a folder, unreadable, or over `maxBytes`.
Expected<std::string> readFile(const std::filesystem::path &path, std::int64_t maxBytes = std::int64_t(1) << 32);

/// Writes a file that has no name yet and renames, so that a crash leaves the old file or the new one, never half of
/// one, and nothing beside it (on file systems without nameless files a killed process leaves `.NAME.….tmp`).
Expected<void> writeFileAtomically(const std::filesystem::path &path, std::string_view content);

/// From here on, a write over the system's limit on file sizes fails as any other instead of ending the process, which
/// would leave half-written files. For the start of `main`.
void failOnTooLargeFiles();

} // namespace remat
