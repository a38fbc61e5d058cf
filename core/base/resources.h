// Where the files that come with the program are.
#pragma once

#include <filesystem>

namespace remat {

/// The `resources` folder: `$REMAT_RESOURCES`, beside the executable's install prefix (`../share/remat-studio`), or the
/// source tree the program was built from. The first that exists.
std::filesystem::path resourceDir();

} // namespace remat
