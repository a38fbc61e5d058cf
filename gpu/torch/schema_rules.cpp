// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/schema_rules.h"

#include <ATen/core/jit_type.h>
#include <algorithm>
#include <array>
#include <string_view>

namespace remat {
namespace {

// The same names are in core/graph/make_allowed_operators.py.
constexpr std::array<std::string_view, 17> kWords = {
    "UPLO", "activation", "approximate", "driver",  "equation",     "indexing", "interpolation", "mode", "norm",
    "ord",  "p",          "pad_mode",    "padding", "padding_side", "reduce",   "rounding_mode", "side"};

/// The type without `optional` and `list` around it.
c10::TypeKind innermost(c10::TypePtr type)
{
    for (;;) {
        if (type->kind() == c10::TypeKind::OptionalType)
            type = type->expectRef<c10::OptionalType>().getElementType();
        else if (type->kind() == c10::TypeKind::ListType)
            type = type->expectRef<c10::ListType>().getElementType();
        else
            return type->kind();
    }
}

bool mayBeTaken(const c10::Argument &argument)
{
    if (argument.is_out()) return false;
    switch (innermost(argument.type())) {
    case c10::TypeKind::TensorType:
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::NumberType:
    case c10::TypeKind::ScalarTypeType:
    case c10::TypeKind::LayoutType:
    case c10::TypeKind::MemoryFormatType:
    case c10::TypeKind::DeviceObjType:
        return true;
    case c10::TypeKind::GeneratorType: // no trace can name one
        return argument.type()->kind() == c10::TypeKind::OptionalType;
    case c10::TypeKind::StringType:
        return std::find(kWords.begin(), kWords.end(), argument.name()) != kWords.end();
    default:
        return false;
    }
}

bool mayBeGiven(const c10::Argument &returned)
{
    const c10::TypeKind kind = innermost(returned.type());
    return kind == c10::TypeKind::TensorType || kind == c10::TypeKind::IntType || kind == c10::TypeKind::SymIntType;
}

} // namespace

bool isComputation(const c10::FunctionSchema &schema)
{
    return std::all_of(schema.arguments().begin(), schema.arguments().end(), mayBeTaken) &&
           std::all_of(schema.returns().begin(), schema.returns().end(), mayBeGiven);
}

} // namespace remat
