// SPDX-License-Identifier: Apache-2.0
// What a run of an input is watched for: code that no input reached before, and memory.
#pragma once

#include <cstddef>

namespace remat::fuzz {

/// Places of the code (basic blocks of a build with -fsanitize-coverage=trace-pc) reached by this process so far.
std::size_t placesReached();

/// The measured rule of all readers: no input of n bytes needs more than this.
constexpr std::size_t memoryLimit(std::size_t inputBytes)
{
    return (std::size_t(200) << 20U) + 400 * inputBytes;
}

/// From now on this process ends when it holds more than memoryLimit(inputBytes) above what it holds now, or, without
/// AddressSanitizer, held at the first call. Not with ThreadSanitizer.
void watchMemory(std::size_t inputBytes);

} // namespace remat::fuzz
