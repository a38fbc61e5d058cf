// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/arguments.h"

#include "core/graph/allowed_operators.h"
#include "gpu/torch/schema_rules.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <optional>
#include <set>

namespace remat {
namespace {

std::optional<c10::Layout> layoutNamed(const std::string &name)
{
    if (name == "Strided") return c10::kStrided;
    if (name == "SparseCoo") return c10::kSparse;
    if (name == "SparseCsr") return c10::kSparseCsr;
    if (name == "_mkldnn") return c10::kMkldnn;
    return std::nullopt;
}

std::optional<c10::MemoryFormat> memoryFormatNamed(const std::string &name)
{
    if (name == "ContiguousFormat") return c10::MemoryFormat::Contiguous;
    if (name == "PreserveFormat") return c10::MemoryFormat::Preserve;
    if (name == "ChannelsLast") return c10::MemoryFormat::ChannelsLast;
    if (name == "ChannelsLast3d") return c10::MemoryFormat::ChannelsLast3d;
    return std::nullopt;
}

c10::TypePtr withoutOptional(c10::TypePtr type)
{
    while (type->kind() == c10::TypeKind::OptionalType)
        type = type->expectRef<c10::OptionalType>().getElementType();
    return type;
}

/// A number where the schema wants a tensor, as Python passes it: it takes part in type promotion as a number.
c10::IValue wrappedNumber(const c10::Scalar &scalar)
{
    at::Tensor tensor = c10::scalar_to_tensor(scalar);
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return c10::IValue(std::move(tensor));
}

/// One number as the schema's type wants it; none when it does not fit.
std::optional<c10::IValue> number(double value, bool integral, std::int64_t whole, c10::TypeKind kind)
{
    switch (kind) {
    case c10::TypeKind::NumberType:
        return integral ? c10::IValue(c10::Scalar(whole)) : c10::IValue(c10::Scalar(value));
    case c10::TypeKind::TensorType:
        return wrappedNumber(integral ? c10::Scalar(whole) : c10::Scalar(value));
    case c10::TypeKind::FloatType:
        return c10::IValue(value);
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
        if (!integral) return std::nullopt;
        return c10::IValue(whole);
    case c10::TypeKind::BoolType:
        if (!integral) return std::nullopt;
        return c10::IValue(whole != 0);
    default:
        return std::nullopt;
    }
}

template <class T, class Items>
c10::IValue listOf(const Items &items)
{
    c10::List<T> list;
    list.reserve(items.size());
    for (const auto item : items)
        list.push_back(static_cast<T>(item));
    return c10::IValue(std::move(list));
}

/// A list of numbers as the schema's element type wants it; none when it does not fit.
template <class Items>
std::optional<c10::IValue> numberList(const Items &items, c10::TypeKind element)
{
    constexpr bool kReal = std::is_floating_point_v<typename Items::value_type>;
    switch (element) {
    case c10::TypeKind::FloatType:
        return listOf<double>(items);
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
        if (kReal && !items.empty()) return std::nullopt;
        return listOf<std::int64_t>(items);
    case c10::TypeKind::BoolType:
        if (kReal && !items.empty()) return std::nullopt;
        return listOf<bool>(items);
    case c10::TypeKind::NumberType: {
        c10::List<c10::Scalar> list;
        for (const auto item : items)
            list.push_back(c10::Scalar(item));
        return c10::IValue(std::move(list));
    }
    default:
        return std::nullopt;
    }
}

/// Turns one argument into what the schema's type wants, or notes where a tensor goes in.
class Converter
{
public:
    Converter(PreparedNode &prepared, std::size_t position, const c10::Argument &formal, c10::Device device)
        : m_prepared(prepared),
          m_position(position),
          m_formal(formal),
          m_type(withoutOptional(formal.type())),
          m_device(device)
    {
    }

    /// False when the argument does not fit.
    bool convert(const Argument &argument) { return std::visit(*this, argument); }

    bool operator()(const NoneArg &)
    {
        if (m_formal.type()->kind() == c10::TypeKind::OptionalType) return true;
        // Gradients of attention take tensors that their forward need not have.
        static const std::set<std::string> kMayBeUndefined = {"attn_bias", "cum_seq_q", "cum_seq_k"};
        return kMayBeUndefined.contains(m_formal.name()) && put(c10::TypeKind::TensorType, c10::IValue(at::Tensor()));
    }
    bool operator()(const ValueId &value)
    {
        if (isList()) return false;
        m_prepared.tensors.push_back({m_position, value});
        return true;
    }
    bool operator()(const std::vector<ValueId> &values)
    {
        if (!isList()) return false;
        const c10::TypePtr element = elementType();
        const bool optionalItems = element->kind() == c10::TypeKind::OptionalType;
        if (withoutOptional(element)->kind() != c10::TypeKind::TensorType)
            return values.empty() && put(numberList(std::vector<std::int64_t>(), element->kind()));
        m_prepared.lists.push_back({m_position, values, optionalItems});
        return true;
    }
    bool operator()(std::int64_t value)
    {
        if (isList()) {
            const std::int32_t times = m_formal.N().value_or(1);
            return put(numberList(std::vector<std::int64_t>(static_cast<std::size_t>(times), value), elementKind()));
        }
        return put(number(static_cast<double>(value), true, value, m_type->kind()));
    }
    bool operator()(double value) { return put(number(value, false, 0, m_type->kind())); }
    bool operator()(bool value)
    {
        if (m_type->kind() == c10::TypeKind::NumberType) return put(c10::IValue(c10::Scalar(value)));
        if (m_type->kind() == c10::TypeKind::TensorType) return put(wrappedNumber(c10::Scalar(value)));
        return put(number(value ? 1 : 0, true, value ? 1 : 0, m_type->kind()));
    }
    bool operator()(const std::vector<std::int64_t> &values) { return putList(values); }
    bool operator()(const std::vector<double> &values) { return putList(values); }
    bool operator()(const std::vector<bool> &values) { return putList(values); }
    bool operator()(const std::string &value) { return put(c10::TypeKind::StringType, c10::IValue(value)); }
    bool operator()(const std::vector<std::string> &values)
    {
        if (values.empty()) return (*this)(std::vector<std::int64_t>());
        if (!isList() || elementKind() != c10::TypeKind::StringType) return false;
        c10::List<std::string> list;
        for (const std::string &value : values)
            list.push_back(value);
        return put(c10::IValue(std::move(list)));
    }
    bool operator()(DType type) { return put(c10::TypeKind::IntType, c10::IValue(scalarType(type))); }
    bool operator()(const LayoutArg &layout)
    {
        const auto known = layoutNamed(layout.name);
        return known && put(c10::TypeKind::IntType, c10::IValue(*known));
    }
    bool operator()(const MemoryFormatArg &format)
    {
        const auto known = memoryFormatNamed(format.name);
        return known && put(c10::TypeKind::IntType, c10::IValue(*known));
    }
    bool operator()(const DeviceArg &) { return put(c10::TypeKind::DeviceObjType, c10::IValue(m_device)); }

private:
    bool isList() const { return m_type->kind() == c10::TypeKind::ListType; }
    c10::TypePtr elementType() const { return m_type->expectRef<c10::ListType>().getElementType(); }
    c10::TypeKind elementKind() const { return withoutOptional(elementType())->kind(); }
    bool put(std::optional<c10::IValue> value)
    {
        if (!value) return false;
        m_prepared.arguments[m_position] = std::move(*value);
        return true;
    }
    bool put(c10::TypeKind wanted, c10::IValue value) { return m_type->kind() == wanted && put(std::move(value)); }
    template <class Items>
    bool putList(const Items &items)
    {
        if (!isList()) return false;
        if (items.empty() && elementKind() == c10::TypeKind::TensorType) return (*this)(std::vector<ValueId>());
        return put(numberList(items, elementKind()));
    }

    PreparedNode &m_prepared;
    std::size_t m_position;
    const c10::Argument &m_formal;
    c10::TypePtr m_type;
    c10::Device m_device;
};

} // namespace

at::ScalarType scalarType(DType type)
{
    switch (type) {
    case DType::UInt8:
        return at::kByte;
    case DType::Int8:
        return at::kChar;
    case DType::Int16:
        return at::kShort;
    case DType::Int32:
        return at::kInt;
    case DType::Int64:
        return at::kLong;
    case DType::Float16:
        return at::kHalf;
    case DType::Float32:
        return at::kFloat;
    case DType::Float64:
        return at::kDouble;
    case DType::ComplexHalf:
        return at::kComplexHalf;
    case DType::ComplexFloat:
        return at::kComplexFloat;
    case DType::ComplexDouble:
        return at::kComplexDouble;
    case DType::Bool:
        return at::kBool;
    case DType::BFloat16:
        return at::kBFloat16;
    case DType::UInt16:
        return at::kUInt16;
    case DType::Float8e4m3fn:
        return at::kFloat8_e4m3fn;
    case DType::Float8e5m2:
        return at::kFloat8_e5m2;
    case DType::Float8e4m3fnuz:
        return at::kFloat8_e4m3fnuz;
    case DType::Float8e5m2fnuz:
        return at::kFloat8_e5m2fnuz;
    }
    return at::kFloat;
}

Expected<PreparedNode> prepareNode(const Program &program, const Node &node, c10::Device device)
{
    const auto handle = c10::Dispatcher::singleton().findSchema({node.opName, node.overload});
    if (!handle)
        return fail("Op {} calls {}, which LibTorch itself does not have. Operators of extensions such as "
                    "torchvision cannot be run here; trace a model that does without it.",
                    node.name, operatorText(node));
    const c10::FunctionSchema &schema = handle->schema();
    if (!isComputation(schema))
        return fail("Op {} calls {}, which in this LibTorch takes or gives more than tensors and numbers. "
                    "It is not run; trace a model that does without it.",
                    node.name, operatorText(node));
    PreparedNode prepared{*handle, std::vector<c10::IValue>(schema.arguments().size()), {}, {}, false};
    std::vector<char> given(schema.arguments().size(), 0);
    for (const NamedArgument &argument : node.arguments) {
        const auto position = schema.argumentIndexWithName(argument.name);
        if (!position)
            return fail("Op {}: {} has no argument {} in this LibTorch. The trace is from PyTorch {}; trace it again.",
                        node.name, operatorText(node), argument.name, program.torchVersion);
        const auto index = static_cast<std::size_t>(*position);
        Converter converter(prepared, index, schema.arguments()[index], device);
        if (!converter.convert(argument.value))
            return fail("Op {}: argument {} of {} is not a {}. Trace the model again.", node.name, argument.name,
                        operatorText(node), schema.arguments()[index].type()->str());
        given[index] = 1;
    }
    for (std::size_t index = 0; index < given.size(); ++index) {
        const c10::Argument &formal = schema.arguments()[index];
        if (!given[index]) {
            if (formal.default_value())
                prepared.arguments[index] = *formal.default_value();
            else if (formal.type()->kind() != c10::TypeKind::OptionalType)
                return fail("Op {}: argument {} of {} is missing. Trace the model again.", node.name, formal.name(),
                            operatorText(node));
        }
        // An op that reads no tensor makes its result where the run is, even when the trace left the device open.
        if (formal.name() == "device" && prepared.arguments[index].isNone() && prepared.tensors.empty() &&
            prepared.lists.empty())
            prepared.arguments[index] = c10::IValue(device);
    }
    prepared.random = node.random || handle->hasTag(at::Tag::nondeterministic_seeded);
    // Attention's gradient draws nothing, and drops what its forward op dropped.
    prepared.dropPosition = handle->schema().argumentIndexWithName("dropout_p");
    if (!prepared.dropPosition && prepared.random) prepared.dropPosition = handle->schema().argumentIndexWithName("p");
    // Bernoulli's is the probability of a one: of keeping.
    if (node.opName.starts_with("aten::bernoulli")) prepared.dropNothing = 1;
    return prepared;
}

} // namespace remat
