// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/machine.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace remat::bench {

namespace {

/// A walk whose next place and next branch depend on what was read last.
std::uint64_t walk(std::vector<std::uint64_t> &table)
{
    std::uint64_t x = 1;
    for (int step = 0; step < 500000; ++step) {
        std::uint64_t &cell = table[x % table.size()];
        x = (x ^ cell) * 0x9E3779B97F4A7C15ULL;
        x ^= x >> 29U;
        if ((x & 7U) == 0) cell += x;
    }
    return x;
}

} // namespace

double cpuSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double yardstickSeconds()
{
    std::vector<std::uint64_t> table(std::size_t(1) << 19U);
    std::uint64_t keep = 0;
    const double seconds = fastest([&] { keep += walk(table); }, 0.05);
    return keep == 1 ? seconds + 1e-12 : seconds; // what was computed must look used
}

double processPeakMib()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1024;
    return 0;
}

double fastest(const std::function<void()> &work, double spendSeconds)
{
    const double begin = cpuSeconds();
    double best = 1e300;
    for (double now = begin; now - begin < spendSeconds || best > 1e299;) {
        work();
        const double after = cpuSeconds();
        best = std::min(best, after - now);
        now = after;
    }
    return best;
}

} // namespace remat::bench
