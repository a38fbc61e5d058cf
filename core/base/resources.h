// SPDX-License-Identifier: Apache-2.0
// Where the files that come with the program are.
#pragma once

#include <filesystem>
#include <string>

namespace remat {

/// The `resources` folder: `$REMAT_RESOURCES`, or `../share/remat-studio` beside the running program's folder.
/// In a build tree it holds links to the sources'; nothing of the machine that built is in the program. Where neither
/// exists, the second all the same: what is read from it will say that it is not there.
std::filesystem::path resourceDir();

/// A program that comes with this one, such as `remat-cbc`: beside the running program, or in `../bin` (for the
/// tests of a build tree). Empty when neither is there and executable.
std::filesystem::path helperProgramPath(const std::string &name);

} // namespace remat
