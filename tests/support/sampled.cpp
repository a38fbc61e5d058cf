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

namespace {

std::size_t today()
{
    if (const char *day = std::getenv("REMAT_TEST_DAY")) return std::strtoul(day, nullptr, 10);
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::size_t>(std::chrono::duration_cast<std::chrono::hours>(now).count()) / 24;
}

} // namespace

bool isSampled(std::size_t row, std::size_t days)
{
    return testsAll() || row % days == today() % days;
}

std::vector<std::uint64_t> seedsOfToday(std::uint64_t first, std::uint64_t last, std::size_t days)
{
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = first; seed <= last; ++seed)
        if (isSampled((seed - first) * days / (last - first + 1), days)) seeds.push_back(seed);
    return seeds;
}

} // namespace remat::test
