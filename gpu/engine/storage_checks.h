// SPDX-License-Identifier: Apache-2.0
// Checksums of storages, and what differs between two of them: the arithmetic that the CPU and CUDA's kernels share,
// and the CPU's loops over it. Sums and maxima only, so that any order of threads gives the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace remat {

/// How the bytes of a storage are read where a difference is measured.
enum class ElementKind : std::uint8_t { Byte, Half, BFloat16, Float, Double };

constexpr std::int64_t elementBytes(ElementKind kind)
{
    switch (kind) {
    case ElementKind::Half:
    case ElementKind::BFloat16:
        return 2;
    case ElementKind::Float:
        return 4;
    case ElementKind::Double:
        return 8;
    case ElementKind::Byte:
        break;
    }
    return 1;
}

/// What one word of eight bytes adds to the checksum of a storage: its place counts. After splitmix64, Steele, Lea and
/// Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
constexpr std::uint64_t checksumTerm(std::uint64_t word, std::uint64_t index)
{
    std::uint64_t z = word + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// The little-endian word at `index` of `bytes` bytes at `data`; what lies beyond the end is 0.
constexpr std::uint64_t wordAt(const unsigned char *data, std::uint64_t bytes, std::uint64_t index)
{
    std::uint64_t word = 0;
    for (std::uint64_t b = 0; b < 8 && index * 8 + b < bytes; ++b)
        word |= static_cast<std::uint64_t>(data[index * 8 + b]) << (8 * b);
    return word;
}

/// The bits of an element as those of a float that is exactly as large, for the two kinds of two bytes.
constexpr std::uint32_t widened(std::uint32_t bits, ElementKind kind)
{
    if (kind == ElementKind::BFloat16) return bits << 16;
    const std::uint32_t sign = (bits & 0x8000U) << 16;
    std::uint32_t exponent = (bits >> 10) & 0x1fU, mantissa = bits & 0x3ffU;
    if (exponent == 0x1fU) return sign | 0x7f800000U | mantissa << 13;
    if (exponent == 0) {
        if (mantissa == 0) return sign;
        exponent = 1;
        for (; (mantissa & 0x400U) == 0; mantissa <<= 1)
            --exponent; // below zero it wraps, and comes back with the sum
        mantissa &= 0x3ffU;
    }
    return sign | (exponent + 112U) << 23 | mantissa << 13;
}

/// Two storages of the same size and kind.
struct StorageDifference {
    std::uint64_t count = 0; ///< elements whose bits differ
    std::uint64_t first = 0; ///< the first of them; of no meaning when there is none
    double largest = 0;      ///< absolute difference; infinity where one of two is not a number
};

/// Checksum of the bytes as they lie there; 0 bytes have one, too.
std::uint64_t checksumOf(std::span<const std::byte> bytes);

/// Both must be of the same size. What is left of it beyond whole elements is compared byte by byte, and counts as one
/// element more.
StorageDifference compareStorages(std::span<const std::byte> a, std::span<const std::byte> b, ElementKind kind);

} // namespace remat
