// SPDX-License-Identifier: Apache-2.0
#include "core/io/pt2_parts.h"

#include "core/base/text.h"
#include "core/io/pt2_numbers.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr std::int64_t kMaxBytes = std::int64_t(1) << 61;
constexpr std::size_t kMaxDimensions = 64;

std::int64_t fixedInt(const JsonCursor &cursor, const char *what)
{
    const auto [kind, value] = cursor.onlyMember();
    if (kind == "as_int") return value.integer(0);
    if (kind == "as_expr")
        cursor.fail("is symbolic ({}). Plans need fixed sizes: trace without dynamic_shapes.",
                    value.textOr("expr_str", "?").substr(0, 60));
    else
        cursor.fail("is no {}.", what);
    return 0;
}

std::vector<std::int64_t> fixedInts(const JsonCursor &list, const char *what)
{
    std::vector<std::int64_t> result;
    for (const JsonCursor &item : list.items())
        result.push_back(fixedInt(item, what));
    return result;
}

std::string deviceName(const JsonCursor &device)
{
    std::string name = device["type"].text();
    if (const JsonCursor index = device.find("index"))
        name.append(":").append(std::to_string(index.integer(0, 1 << 20)));
    return name;
}

DType readType(const JsonCursor &cursor)
{
    const std::int64_t number = cursor.integer();
    const auto *known = std::find(kTypeNumbers.begin(), kTypeNumbers.end(), number);
    if (known != kTypeNumbers.end()) return DType(known - kTypeNumbers.begin());
    cursor.fail("is {}, a type of numbers that is not known.", number);
    return DType::Float32;
}

template <std::size_t Count>
std::string namedConstant(const JsonCursor &cursor, const std::array<const char *, Count> &names)
{
    const std::int64_t number = cursor.integer(0, static_cast<std::int64_t>(names.size()) - 1);
    return names[static_cast<std::size_t>(number)];
}

template <class T, class Read>
std::vector<T> listOf(const JsonCursor &list, Read read)
{
    std::vector<T> result;
    for (const JsonCursor &item : list.items())
        result.push_back(read(item));
    return result;
}

ValueId optionalTensor(const JsonCursor &cursor, const ValueTable &values)
{
    const auto [kind, value] = cursor.onlyMember();
    if (kind == "as_tensor") return values.known(value["name"]);
    if (kind != "as_none") cursor.fail("is neither a tensor nor none.");
    return {};
}

/// A symbolic argument that turned out to be a plain number; a real symbol is refused.
JsonCursor plainOf(const JsonCursor &cursor)
{
    const auto [kind, value] = cursor.onlyMember();
    if (kind == "as_name")
        cursor.fail("is symbolic ({}). Plans need fixed sizes: trace without dynamic_shapes.",
                    value.text().substr(0, 60));
    return value;
}

} // namespace

Value readTensor(const JsonCursor &meta)
{
    Value value;
    value.dtype = readType(meta["dtype"]);
    value.sizes = fixedInts(meta["sizes"], "size");
    value.strides = fixedInts(meta["strides"], "stride");
    if (const JsonCursor offset = meta.find("storage_offset")) value.storageOffset = fixedInt(offset, "offset");
    value.device = deviceName(meta["device"]);
    if (const JsonCursor layout = meta.find("layout")) {
        if (layout.integer(0) != kStrided && !meta.failed())
            layout.fail("is not that of a dense tensor; sparse tensors cannot be planned.");
    }
    if (meta.failed()) return value;
    if (value.sizes.size() != value.strides.size() || value.sizes.size() > kMaxDimensions) {
        meta["strides"].fail("do not fit the sizes.");
    } else if (elementCount(value) > kMaxBytes / 16 || extentBytes(value) > kMaxBytes ||
               value.storageOffset > kMaxBytes / 16) {
        meta["sizes"].fail("make a tensor that is too large for any machine.");
    }
    return value;
}

ValueTable::ValueTable(Program &program, const JsonCursor &tensors) : m_program(program)
{
    for (auto &[name, meta] : tensors.members())
        m_tensors.emplace(name, meta);
}

ValueId ValueTable::make(const JsonCursor &name)
{
    Value value;
    const std::string text = name.text();
    const auto meta = m_tensors.find(text);
    if (name.failed()) return {};
    if (meta == m_tensors.end()) {
        name.fail("is {}, which has no entry in tensor_values.", quotedName(text));
        return {};
    }
    const ValueId id(m_program.values.size());
    if (!m_made.emplace(text, id).second) {
        name.fail("is {}, a name that is made twice.", quotedName(text));
        return {};
    }
    value = readTensor(meta->second);
    value.name = text;
    m_program.values.push_back(std::move(value));
    return id;
}

ValueId ValueTable::find(const std::string &name) const
{
    const auto made = m_made.find(name);
    return made == m_made.end() ? ValueId() : made->second;
}

ValueId ValueTable::known(const JsonCursor &name) const
{
    const std::string text = name.text();
    const ValueId id = find(text);
    if (!id)
        name.fail(
            fmt::format("is {}, which nothing before it makes. Nodes must stand in a valid order.", quotedName(text)));
    return id;
}

Argument readArgument(const JsonCursor &argument, const ValueTable &values)
{
    const auto integer = [](const JsonCursor &c) { return c.integer(); };
    const auto number = [](const JsonCursor &c) { return c.anyNumber(); };
    const auto boolean = [](const JsonCursor &c) { return c.boolean(); };
    const auto tensor = [&](const JsonCursor &c) { return values.known(c["name"]); };

    const auto [kind, value] = argument.onlyMember();
    if (kind == "as_none") return NoneArg{};
    if (kind == "as_tensor") return tensor(value);
    if (kind == "as_tensors") return listOf<ValueId>(value, tensor);
    if (kind == "as_optional_tensor") {
        const ValueId id = optionalTensor(value, values);
        return id ? Argument(id) : Argument(NoneArg{});
    }
    if (kind == "as_optional_tensors")
        return listOf<ValueId>(value, [&](const JsonCursor &c) { return optionalTensor(c, values); });
    if (kind == "as_int") return value.integer();
    if (kind == "as_ints") return listOf<std::int64_t>(value, integer);
    if (kind == "as_float") return value.anyNumber();
    if (kind == "as_floats") return listOf<double>(value, number);
    if (kind == "as_bool") return value.boolean();
    if (kind == "as_bools") return listOf<bool>(value, boolean);
    if (kind == "as_string") return value.text();
    if (kind == "as_strings") return listOf<std::string>(value, [](const JsonCursor &c) { return c.text(); });
    if (kind == "as_scalar_type") return readType(value);
    if (kind == "as_layout") return LayoutArg{namedConstant(value, kLayoutNames)};
    if (kind == "as_memory_format") return MemoryFormatArg{namedConstant(value, kFormatNames)};
    if (kind == "as_device") return DeviceArg{deviceName(value)};
    if (kind == "as_sym_int") return plainOf(value).integer();
    if (kind == "as_sym_float") return plainOf(value).anyNumber();
    if (kind == "as_sym_bool") return plainOf(value).boolean();
    if (kind == "as_sym_ints")
        return listOf<std::int64_t>(value, [](const JsonCursor &c) { return plainOf(c).integer(); });
    if (kind == "as_sym_floats")
        return listOf<double>(value, [](const JsonCursor &c) { return plainOf(c).anyNumber(); });
    if (kind == "as_sym_bools") return listOf<bool>(value, [](const JsonCursor &c) { return plainOf(c).boolean(); });
    argument.fail("is of the kind \"{}\", which a plan cannot hold (custom objects, sub-graphs, complex "
                  "numbers). Write this part of the model with plain tensor operations.",
                  kind.substr(0, 60));
    return NoneArg{};
}

} // namespace remat
