// SPDX-License-Identifier: Apache-2.0
// `remat-machine/1`: what ops took on this machine, one file for each device and version in the user's cache folder.
#pragma once

#include "core/costs/machine_costs.h"

#include <filesystem>

namespace remat {

/// `$XDG_CACHE_HOME/remat-studio/machine`, or the same below `~/.cache`; empty where neither is known.
std::filesystem::path machineFolder();

/// Where the costs of a device with its versions lie.
std::filesystem::path machineFile(const std::filesystem::path &folder, const std::string &deviceTitle,
                                  const std::string &torchVersion);

Expected<MachineCosts> readMachine(const std::filesystem::path &file);

/// Makes the folder where it is not there. Two that write at once leave what one of them measured.
Expected<void> writeMachine(const std::filesystem::path &folder, const MachineCosts &costs);

/// What is remembered of a device of that title, whatever versions measured it, for a model whose ops are all known;
/// none where there is no such file.
std::optional<MachineCosts> rememberedMachine(const std::filesystem::path &folder, const std::string &deviceTitle,
                                              const Model &model);

} // namespace remat
