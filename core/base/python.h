// SPDX-License-Identifier: Apache-2.0
// Which Python of this machine has a package, for the parts of the program that are written in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// The environment variable as a path from the root; empty when it is not set or no such path.
std::filesystem::path environmentPath(const char *name);

/// The folders that hold `bin/python3`, in the order they are asked: the build tree's own, $VIRTUAL_ENV, $CONDA_PREFIX,
/// `own`, /usr/local, /usr. Never the current folder's: opening a model in a folder from elsewhere must not run what
/// lies there.
std::vector<std::filesystem::path> pythonPrefixes(const std::filesystem::path &own = {});

/// The first of these Pythons that has the package, a folder below its packages such as `ortools/sat`. None where
/// another user could have put or changed either.
std::optional<std::filesystem::path> pythonWith(const std::string &package,
                                                const std::vector<std::filesystem::path> &prefixes);

} // namespace remat
