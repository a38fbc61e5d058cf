// SPDX-License-Identifier: Apache-2.0
#include "gpu/gpu_choice.h"

#include "core/base/number.h"

#include <cstdlib>
#include <fmt/core.h>
#include <vector>

namespace remat {
namespace {

constexpr const char *kVisible = "CUDA_VISIBLE_DEVICES";

} // namespace

std::optional<int> gpuNumber(std::string_view device)
{
    constexpr std::string_view kFirst = "cuda", kNumbered = "cuda:";
    if (device == kFirst) return 0;
    if (!device.starts_with(kNumbered)) return std::nullopt;
    const std::string_view digits = device.substr(kNumbered.size());
    constexpr std::size_t kMostDigits = 3; // no machine has a thousand
    if (digits.empty() || digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != digits.npos)
        return std::nullopt;
    return readWhole<int>(digits);
}

std::string gpuName(int gpu)
{
    return gpu > 0 ? "cuda:" + std::to_string(gpu) : "cuda";
}

std::optional<std::string> onlyGpu(const char *visible, int gpu)
{
    if (!visible) return std::to_string(gpu);
    std::string_view rest = visible;
    for (int at = 0;; ++at) {
        const std::size_t comma = rest.find(',');
        const std::string_view name = rest.substr(0, comma);
        // CUDA itself stops at the first that names none.
        if (name.empty() || name.front() == '-') return std::nullopt;
        if (at == gpu) return std::string(name);
        if (comma == rest.npos) return std::nullopt;
        rest.remove_prefix(comma + 1);
    }
}

std::string takeGpu(int gpu)
{
    if (gpu == 0) return {};
    const char *visible = std::getenv(kVisible);
    if (const std::optional<std::string> only = onlyGpu(visible, gpu)) {
        setenv(kVisible, only->c_str(), 1);
        return {};
    }
    return fmt::format("A run on {} was asked for, and {}={} shows programs fewer GPUs than that. Name one that it "
                       "shows, or change it.",
                       gpuName(gpu), kVisible, visible);
}

} // namespace remat
