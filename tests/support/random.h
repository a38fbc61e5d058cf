// SPDX-License-Identifier: Apache-2.0
// A seeded generator whose numbers are the same with every standard library.
#pragma once

#include <cstdint>
#include <random>

namespace remat::test {

class Random
{
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}

    /// 0 … n − 1; n at least 1.
    int below(int n) { return static_cast<int>(m_engine() % static_cast<std::uint64_t>(n)); }
    /// low … high, both included.
    int between(int low, int high) { return low + below(high - low + 1); }
    bool percent(int chance) { return below(100) < chance; }
    /// One element of a container that is not empty.
    template <class Container>
    const auto &pick(const Container &from)
    {
        return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
    }

private:
    std::mt19937_64 m_engine;
};

} // namespace remat::test
