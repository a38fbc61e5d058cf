// SPDX-License-Identifier: Apache-2.0
#include "gpu/engine/storage_checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace remat {
namespace {

double valueAt(const std::byte *at, ElementKind kind)
{
    const auto read = [at]<class T>(T value) {
        std::memcpy(&value, at, sizeof value);
        return value;
    };
    switch (kind) {
    case ElementKind::Half:
    case ElementKind::BFloat16:
        return std::bit_cast<float>(widened(read(std::uint16_t{}), kind));
    case ElementKind::Float:
        return read(float{});
    case ElementKind::Double:
        return read(double{});
    case ElementKind::Byte:
        break;
    }
    return std::to_integer<int>(*at);
}

} // namespace

std::uint64_t checksumOf(std::span<const std::byte> bytes)
{
    const auto *data = reinterpret_cast<const unsigned char *>(bytes.data());
    std::uint64_t sum = bytes.size();
    for (std::uint64_t index = 0; index * 8 < bytes.size(); ++index)
        sum += checksumTerm(wordAt(data, bytes.size(), index), index);
    return sum;
}

StorageDifference compareStorages(std::span<const std::byte> a, std::span<const std::byte> b, ElementKind kind)
{
    StorageDifference result;
    const auto width = static_cast<std::size_t>(elementBytes(kind));
    const std::size_t whole = a.size() / width;
    const auto differs = [&](std::size_t element) {
        if (result.count++ == 0) result.first = element;
    };
    for (std::size_t element = 0; element < whole; ++element) {
        const std::byte *x = a.data() + element * width, *y = b.data() + element * width;
        if (std::memcmp(x, y, width) == 0) continue;
        differs(element);
        const double difference = std::abs(valueAt(x, kind) - valueAt(y, kind));
        result.largest =
            std::max(result.largest, std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference);
    }
    if (!std::equal(a.begin() + static_cast<std::ptrdiff_t>(whole * width), a.end(),
                    b.begin() + static_cast<std::ptrdiff_t>(whole * width)))
        differs(whole);
    return result;
}

} // namespace remat
