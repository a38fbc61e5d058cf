// SPDX-License-Identifier: Apache-2.0
// What a process gives up for good before it runs what a file says.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace remat {

struct SandboxRules {
    /// Files, and folders with all that is in them, that may still be read. What does not exist is passed over.
    std::vector<std::filesystem::path> readable;
    bool gpu = false; ///< NVIDIA's device files stay open to it, which means reading and writing them
};

/// Takes away, from this process and for good: writing, making, moving and removing files, the network, other
/// processes (starting, signalling, looking into them) and what changes the machine. Seccomp, which knows system calls,
/// does so, and Landlock, which knows paths, where the kernel has it (5.13 or newer). Must come before any other
/// thread. Returns which of the two work, as a phrase for people: `seccomp and Landlock 4`; fails with a sentence when
/// seccomp does not.
Expected<std::string> enterSandbox(const SandboxRules &rules);

/// From now on this process may take `bytes` of memory more than it has, and leave no core and no file larger than
/// nothing. Without effect on what it has, and in builds with sanitizers, which take terabytes by themselves.
void limitMemory(std::int64_t bytes);

} // namespace remat
