// SPDX-License-Identifier: Apache-2.0
#include "core/io/pt2_node_json.h"

#include "core/graph/phase_name.h"
#include "core/io/pt2_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

template <std::size_t Count>
std::ptrdiff_t numberOf(const std::array<const char *, Count> &names, const std::string &name)
{
    const auto *found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? 0 : found - names.begin();
}

Json typeJson(DType type)
{
    return kTypeNumbers[static_cast<std::size_t>(type)];
}

Json deviceJson(const std::string &name)
{
    const std::size_t colon = name.find(':');
    Json index;
    if (colon != std::string::npos) index = std::stoll(name.substr(colon + 1));
    return {{"type", name.substr(0, colon)}, {"index", index}};
}

Json numberJson(double number)
{
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
    return number;
}

/// The schema's union of the kinds of an argument: an object whose one key names the kind.
struct ArgumentJson {
    const Program &program;

    Json named(ValueId id) const { return {{"name", program.value(id).name}}; }

    Json operator()(const NoneArg & /*none*/) const { return {{"as_none", true}}; }
    Json operator()(ValueId id) const { return id ? Json{{"as_tensor", named(id)}} : Json{{"as_none", true}}; }
    Json operator()(const std::vector<ValueId> &ids) const
    {
        const bool all = std::all_of(ids.begin(), ids.end(), [](ValueId id) { return bool(id); });
        Json list = Json::array();
        for (const ValueId id : ids)
            list.push_back(all ? named(id) : (*this)(id));
        return {{all ? "as_tensors" : "as_optional_tensors", std::move(list)}};
    }
    Json operator()(std::int64_t number) const { return {{"as_int", number}}; }
    Json operator()(const std::vector<std::int64_t> &numbers) const { return {{"as_ints", numbers}}; }
    Json operator()(double number) const { return {{"as_float", numberJson(number)}}; }
    Json operator()(const std::vector<double> &numbers) const
    {
        Json list = Json::array();
        for (const double number : numbers)
            list.push_back(numberJson(number));
        return {{"as_floats", std::move(list)}};
    }
    Json operator()(bool flag) const { return {{"as_bool", flag}}; }
    Json operator()(const std::vector<bool> &flags) const { return {{"as_bools", flags}}; }
    Json operator()(const std::string &text) const { return {{"as_string", text}}; }
    Json operator()(const std::vector<std::string> &texts) const { return {{"as_strings", texts}}; }
    Json operator()(DType type) const { return {{"as_scalar_type", typeJson(type)}}; }
    Json operator()(const LayoutArg &layout) const { return {{"as_layout", numberOf(kLayoutNames, layout.name)}}; }
    Json operator()(const MemoryFormatArg &format) const
    {
        return {{"as_memory_format", numberOf(kFormatNames, format.name)}};
    }
    Json operator()(const DeviceArg &device) const { return {{"as_device", deviceJson(device.name)}}; }
};

/// `aten::add`, `Tensor` -> `torch.ops.aten.add.Tensor`.
std::string targetOf(const Node &node)
{
    const std::size_t colons = node.opName.find("::");
    return fmt::format("torch.ops.{}.{}.{}", node.opName.substr(0, colons), node.opName.substr(colons + 2),
                       node.overload.empty() ? "default" : node.overload);
}

} // namespace

Json nodeJson(const Program &program, const Node &node)
{
    const ArgumentJson asJson{program};
    constexpr int kPositional = 1, kKeyword = 2;
    Json inputs = Json::array(), outputs = Json::array();
    for (const NamedArgument &argument : node.arguments)
        inputs.push_back({{"name", argument.name},
                          {"arg", std::visit(asJson, argument.value)},
                          {"kind", argument.keyword ? kKeyword : kPositional}});
    if (node.listOutput) {
        outputs.push_back(asJson(node.outputs));
    } else {
        for (const ValueId id : node.outputs)
            outputs.push_back(asJson(id));
    }
    return {{"target", targetOf(node)}, {"inputs", inputs}, {"outputs", outputs}, {"name", node.name}};
}

Json nodeRecordJson(const Program &program, const Node &node)
{
    Json record{{"phase", phaseName(node.phase)}, {"module", node.module}, {"module_class", node.moduleClass}};
    if (node.sequence >= 0) record["seq"] = node.sequence;
    if (!node.forwardNode.empty()) record["forward_op"] = node.forwardNode;
    if (node.random) record["random"] = true;
    if (!node.mutates.empty()) record["mutates"] = node.mutates;
    Json aliases = Json::object();
    for (const ValueId id : node.outputs)
        if (id && program.value(id).aliasOf)
            aliases[program.value(id).name] = program.value(program.value(id).aliasOf).name;
    if (!aliases.empty()) record["alias"] = std::move(aliases);
    return record;
}

Json tensorJson(const Value &value)
{
    const auto numbers = [](const std::vector<std::int64_t> &list) {
        Json result = Json::array();
        for (const std::int64_t number : list)
            result.push_back({{"as_int", number}});
        return result;
    };
    return {{"dtype", typeJson(value.dtype)},
            {"sizes", numbers(value.sizes)},
            {"requires_grad", false},
            {"device", deviceJson(value.device)},
            {"strides", numbers(value.strides)},
            {"storage_offset", {{"as_int", value.storageOffset}}},
            {"layout", kStrided}};
}

} // namespace remat
