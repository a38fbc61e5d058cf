// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace remat::search {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): 64 bits of state, a few operations a number.
class Random
{
public:
    explicit Random(std::uint64_t seed) : m_state(seed * 0x9E3779B97F4A7C15ULL + 0x2545F4914F6CDD1DULL) {}

    std::uint64_t next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }
    /// 0 … n − 1; n at least 1.
    int below(int n) { return static_cast<int>(((next() >> 32U) * static_cast<std::uint64_t>(n)) >> 32U); }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(below(static_cast<int>(n))); }
    /// In [0, 1).
    double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
    bool percent(int chance) { return below(100) < chance; }

private:
    std::uint64_t m_state;
};

} // namespace remat::search
