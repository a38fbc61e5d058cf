// SPDX-License-Identifier: Apache-2.0
// Costs from a device's peak figures, and from the times or the work that JSON graphs bring along.
#include "core/costs/cost_table.h"
#include "core/costs/update_costs.h"

#include <algorithm>
#include <numeric>

namespace remat {

namespace {

/// Calls `visit` with every tensor that the node reads or makes, as often as it stands there.
template <class Visit>
void forEachTensor(const Program &program, const Node &node, Visit visit)
{
    const auto one = [&](ValueId id) {
        if (id) visit(program.value(id));
    };
    for (const NamedArgument &argument : node.arguments) {
        if (const auto *tensor = std::get_if<ValueId>(&argument.value)) one(*tensor);
        if (const auto *list = std::get_if<std::vector<ValueId>>(&argument.value))
            std::for_each(list->begin(), list->end(), one);
    }
    std::for_each(node.outputs.begin(), node.outputs.end(), one);
}

bool isFloating(DType type)
{
    switch (type) {
    case DType::Float16:
    case DType::Float32:
    case DType::Float64:
    case DType::BFloat16:
    case DType::Float8e4m3fn:
    case DType::Float8e5m2:
    case DType::Float8e4m3fnuz:
    case DType::Float8e5m2fnuz:
        return true;
    default:
        return false;
    }
}

/// FLOP/s of the device for PyTorch's name of a type.
double rateOf(const Device &device, const std::string &type)
{
    auto rate = device.flopsPerSecond.find(type);
    if (rate == device.flopsPerSecond.end()) rate = device.flopsPerSecond.find("default");
    REMAT_ASSERT(rate != device.flopsPerSecond.end(), "readDevice() demands a default rate");
    return rate->second;
}

/// Peak for the type of the first floating-point tensor of the node.
double peakFlops(const Program &program, const Node &node, const Device &device)
{
    const char *type = "default";
    forEachTensor(program, node, [&](const Value &value) {
        if (isFloating(value.dtype) && std::string_view(type) == "default") type = longName(value.dtype);
    });
    return rateOf(device, type);
}

double nodeTimeUs(const Program &program, const Node &node, const Device &device)
{
    double bytes = 0;
    forEachTensor(program, node, [&](const Value &value) {
        bytes += static_cast<double>(elementCount(value)) * static_cast<double>(itemSize(value.dtype));
    });
    const double compute = nodeFlops(program, node) / peakFlops(program, node, device);
    return std::max(compute, bytes / device.bytesPerSecond) * 1e6 + device.launchUs;
}

double movedBytes(const Graph &graph, const Op &op)
{
    double bytes = 0;
    for (const auto *ids : {&op.inputs, &op.outputs, &op.updates}) {
        for (const StorageId id : *ids)
            bytes += static_cast<double>(graph.storage(id).bytes);
    }
    if (op.into) bytes += static_cast<double>(graph.storage(op.into).bytes);
    return bytes;
}

/// Time of an op without an operator: by the work that its graph gives, or by its bytes alone.
double timeWithoutNodeUs(const Graph &graph, const Op &op, const Device &device)
{
    const GivenWork work = op.work.value_or(GivenWork());
    const double bytes = work.movedBytes >= 0 ? work.movedBytes : movedBytes(graph, op);
    const double compute = work.flops > 0 ? work.flops / rateOf(device, work.dtype) : 0;
    const double memory = bytes / (op.onHost ? device.hostBytesPerSecond : device.bytesPerSecond);
    return std::max(compute, memory) * 1e6 + work.launches * device.launchUs;
}

} // namespace

CostTable rooflineCosts(const Model &model, const Device &device)
{
    CostTable costs;
    setLink(costs, device);
    costs.timeUs.reserve(model.graph.ops.size());
    costs.workspaceBytes.reserve(model.graph.ops.size());
    std::size_t given = 0;
    for (const Op &op : model.graph.ops) {
        costs.workspaceBytes.push_back(op.workspaceBytes);
        if (op.timeUs >= 0) {
            costs.timeUs.push_back(op.timeUs);
            ++given;
        } else if (model.program && op.node) {
            costs.timeUs.push_back(nodeTimeUs(*model.program, model.program->nodes[op.node.index()], device));
        } else {
            costs.timeUs.push_back(timeWithoutNodeUs(model.graph, op, device));
        }
    }
    const bool all = given == model.graph.ops.size() && given > 0;
    setSource(costs, given > 0 ? "graph" : "roofline", all ? "" : device.name);
    return costs;
}

CostTable costsWithMore(const Graph &base, const CostTable &costs, const Graph &graph, const Device &device)
{
    CostTable result = costs;
    result.timeUs.clear();
    result.workspaceBytes.clear();
    std::size_t next = 0; // next op of the base
    for (const Op &op : graph.ops) {
        const bool known = next < base.ops.size() && base.ops[next].name == op.name;
        result.timeUs.push_back(known ? costs.timeUs[next] : timeWithoutNodeUs(graph, op, device));
        result.workspaceBytes.push_back(known ? costs.workspaceBytes[next] : 0);
        next += known ? 1 : 0;
    }
    setSource(result, costs.source.kind, costs.source.device);
    return result;
}

void setLink(CostTable &costs, const Device &device)
{
    costs.linkBytesPerSecond = device.linkBytesPerSecond;
    costs.linkLatencyUs = device.linkLatencyUs;
    costs.watts = device.joulesPerByte * device.bytesPerSecond;
    costs.linkWatts = device.linkWatts > 0 ? device.linkWatts : device.joulesPerByte * device.linkBytesPerSecond;
    costs.source.link = device.name;
}

double copyTimeUs(const CostTable &costs, std::int64_t bytes)
{
    return costs.linkLatencyUs + 1e6 * static_cast<double>(bytes) / costs.linkBytesPerSecond;
}

double keepAllTimeUs(const CostTable &costs)
{
    return std::accumulate(costs.timeUs.begin(), costs.timeUs.end(), 0.0);
}

} // namespace remat
