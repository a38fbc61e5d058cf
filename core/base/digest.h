// SPDX-License-Identifier: Apache-2.0
// A digest of words and texts, to tell in practice whether two things are the same.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace remat {

/// Two independent 64-bit mixes (the finalizer of SplitMix64), so that equal digests mean equal things in practice. No
/// protection against somebody who wants two things to look the same.
class Digest
{
public:
    void add(std::uint64_t word)
    {
        m_a = mix(m_a ^ word);
        m_b = mix(m_b + word * 0x9e3779b97f4a7c15ULL);
    }
    void add(std::string_view text)
    {
        add(static_cast<std::uint64_t>(text.size()));
        for (const char c : text)
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    void addBits(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    /// 32 hex digits.
    std::string hex() const
    {
        static constexpr char digits[] = "0123456789abcdef";
        std::string text;
        for (const std::uint64_t word : {m_a, m_b}) {
            for (int shift = 60; shift >= 0; shift -= 4)
                text += digits[(word >> shift) & 15U];
        }
        return text;
    }

private:
    static std::uint64_t mix(std::uint64_t x)
    {
        x += 0x9e3779b97f4a7c15ULL;
        x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31U);
    }
    std::uint64_t m_a = 0x243f6a8885a308d3ULL;
    std::uint64_t m_b = 0x13198a2e03707344ULL;
};

} // namespace remat
