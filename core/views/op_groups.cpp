// SPDX-License-Identifier: Apache-2.0
#include "core/views/op_groups.h"

#include "core/views/graph_names.h"

#include <algorithm>

namespace remat {

namespace {

bool isNumber(std::string_view part)
{
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string blockOf(const std::string &module)
{
    for (std::size_t from = 0; from <= module.size();) {
        const std::size_t end = std::min(module.find('.', from), module.size());
        if (isNumber(std::string_view(module).substr(from, end - from))) return module.substr(0, end);
        from = end + 1;
    }
    return module;
}

} // namespace

std::string scalarType(const std::string &type)
{
    return type.substr(0, type.find('['));
}

StorageId largestOutput(const Graph &graph, OpId op)
{
    const std::vector<StorageId> &outputs = graph.op(op).outputs;
    const auto largest = std::max_element(outputs.begin(), outputs.end(), [&graph](StorageId a, StorageId b) {
        return graph.storage(a).bytes < graph.storage(b).bytes;
    });
    return largest == outputs.end() ? StorageId() : *largest;
}

std::string groupOf(const Graph &graph, OpId op, GroupBy by)
{
    switch (by) {
    case GroupBy::Module:
        return graph.op(op).module;
    case GroupBy::Block:
        return blockOf(graph.op(op).module);
    case GroupBy::Kind:
        return humanKind(graph.op(op).kind);
    case GroupBy::Type:
        if (const StorageId output = largestOutput(graph, op)) return scalarType(graph.storage(output).type);
        break;
    case GroupBy::Category:
    case GroupBy::Storage:
        break;
    }
    return {};
}

} // namespace remat
