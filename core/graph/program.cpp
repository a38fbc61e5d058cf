// SPDX-License-Identifier: Apache-2.0
#include "core/graph/program.h"

#include <algorithm>
#include <array>
#include <limits>

namespace remat {

namespace {

struct TypeFacts {
    std::int64_t bytes;
    const char *shortName;
    const char *longName;
};

/// In the order of DType.
constexpr std::array<TypeFacts, 18> kTypes{{
    {1, "u8", "uint8"},
    {1, "i8", "int8"},
    {2, "i16", "int16"},
    {4, "i32", "int32"},
    {8, "i64", "int64"},
    {2, "f16", "float16"},
    {4, "f32", "float32"},
    {8, "f64", "float64"},
    {4, "c32", "complex32"},
    {8, "c64", "complex64"},
    {16, "c128", "complex128"},
    {1, "bool", "bool"},
    {2, "bf16", "bfloat16"},
    {2, "u16", "uint16"},
    {1, "f8e4m3fn", "float8_e4m3fn"},
    {1, "f8e5m2", "float8_e5m2"},
    {1, "f8e4m3fnuz", "float8_e4m3fnuz"},
    {1, "f8e5m2fnuz", "float8_e5m2fnuz"},
}};

const TypeFacts &facts(DType type)
{
    return kTypes[static_cast<std::size_t>(type)];
}

/// The largest number instead of one that does not fit.
std::int64_t multiplied(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}

} // namespace

std::int64_t itemSize(DType type)
{
    return facts(type).bytes;
}

const char *shortName(DType type)
{
    return facts(type).shortName;
}

const char *longName(DType type)
{
    return facts(type).longName;
}

std::optional<DType> typeNamed(std::string_view longName)
{
    const auto found =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeFacts &type) { return longName == type.longName; });
    return found == kTypes.end() ? std::nullopt : std::optional(static_cast<DType>(found - kTypes.begin()));
}

std::int64_t elementCount(const Value &value)
{
    std::int64_t count = 1;
    for (const std::int64_t size : value.sizes) {
        if (size == 0) return 0;
        count = multiplied(count, size);
    }
    return count;
}

std::int64_t extentBytes(const Value &value)
{
    std::int64_t last = 0;
    for (std::size_t i = 0; i < value.sizes.size(); ++i) {
        if (value.sizes[i] == 0) return 0;
        const std::int64_t reach = multiplied(value.sizes[i] - 1, value.strides[i]);
        if (__builtin_add_overflow(last, reach, &last)) return std::numeric_limits<std::int64_t>::max();
    }
    return last == std::numeric_limits<std::int64_t>::max() ? last : multiplied(last + 1, itemSize(value.dtype));
}

} // namespace remat
