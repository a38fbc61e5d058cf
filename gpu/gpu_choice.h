// SPDX-License-Identifier: Apache-2.0
// Which of several GPUs a run takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace remat {

/// The number in `cuda:1`; 0 for `cuda`. None for anything else.
std::optional<int> gpuNumber(std::string_view device);

/// `cuda`, `cuda:1`.
std::string gpuName(int gpu);

/// What CUDA_VISIBLE_DEVICES must be for the GPU that is called `cuda:N` to be the only one: `visible` is what it is
/// now, null when it is not set. None where the list ends before that.
std::optional<std::string> onlyGpu(const char *visible, int gpu);

/// From now on the first GPU that CUDA sees in this process is that one, and there is no other, so that nothing takes
/// memory of one that is not wanted. Before CUDA is first asked. 0 leaves everything as it is. The sentence why there
/// is no such GPU, or empty.
std::string takeGpu(int gpu);

} // namespace remat
