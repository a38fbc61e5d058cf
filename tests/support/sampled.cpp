// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sampled.h"

#include <chrono>
#include <cstdlib>

namespace remat::test {

bool testsAll()
{
    const char *all = std::getenv("REMAT_TEST_ALL");
    return all && *all;
}

bool isSampled(std::size_t row, std::size_t days)
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto today = static_cast<std::size_t>(std::chrono::duration_cast<std::chrono::hours>(now).count()) / 24;
    return testsAll() || row % days == today % days;
}

} // namespace remat::test
