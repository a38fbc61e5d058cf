// SPDX-License-Identifier: Apache-2.0
#include "core/views/op_names.h"

#include "core/chunk/rewrite.h"
#include "core/views/graph_names.h"

#include <algorithm>
#include <cctype>
#include <fmt/core.h>

namespace remat {

OpNames::OpNames(const Graph &graph)
{
    struct Root {
        int ops = 0;
        bool ofNumbers = false; ///< without it, names would be `12`
    };
    std::unordered_map<std::string, Root> roots;
    int named = 0;
    for (const Op &op : graph.ops) {
        if (op.phase == Phase::Backward || op.module.empty() || chunkOf(op.name).second > 0) continue;
        ++m_opsOfModule[op.module];
        ++named;
        const auto dot = op.module.find('.');
        if (dot == std::string::npos || dot + 1 == op.module.size()) continue;
        Root &root = roots[op.module.substr(0, dot + 1)];
        ++root.ops;
        root.ofNumbers |= std::isdigit(static_cast<unsigned char>(op.module[dot + 1])) != 0;
    }
    for (const auto &[name, root] : roots)
        if (root.ops * 5 > named * 4 && !root.ofNumbers) m_commonRoot = name;
    countPieces(graph);
}

void OpNames::countPieces(const Graph &graph)
{
    std::unordered_map<std::string, int> first; // number of the first piece
    for (const Op &op : graph.ops) {
        const auto [name, chunk] = chunkOf(op.name);
        if (chunk < 0 || !op.node) continue;
        int &pieces = m_piecesOf[name];
        pieces = std::max(pieces, chunk + 1);
        first.try_emplace(name, chunk);
    }
    // A running sum begins with the second piece and ends, under the name of the whole, with the last.
    for (const Op &op : graph.ops) {
        const auto [name, chunk] = chunkOf(op.name);
        if (const auto begin = first.find(name); chunk < 0 || begin == first.end() || begin->second == 0) continue;
        for (const StorageId input : op.inputs) {
            const OpId maker = graph.storage(input).producer;
            if (!maker) continue;
            const auto [part, number] = chunkOf(graph.op(maker).name);
            if (const auto known = m_piecesOf.find(part); number == chunk && known != m_piecesOf.end())
                m_piecesOf[name] = std::max(m_piecesOf[name], known->second);
        }
    }
}

std::string OpNames::path(const std::string &module) const
{
    const bool common = !m_commonRoot.empty() && module.starts_with(m_commonRoot);
    return common ? module.substr(m_commonRoot.size()) : module;
}

std::string OpNames::forwardName(const Op &op) const
{
    if (op.module.empty()) return opBaseName(op);
    std::string name = op.module;
    if (!m_commonRoot.empty() && name.starts_with(m_commonRoot)) name.erase(0, m_commonRoot.size());
    const auto count = m_opsOfModule.find(op.module);
    if (count == m_opsOfModule.end() || count->second < 2) return name;
    // A module that is called after what it does need not say it twice: `layer1.0.relu`.
    const std::string base = opBaseName(op);
    if (name.substr(name.rfind('.') + 1) != base) name.append(1, ' ').append(base);
    return name;
}

std::string OpNames::op(const Graph &graph, OpId id) const
{
    const Op &op = graph.op(id);
    const auto [cut, chunk] = chunkOf(op.name);
    const auto pieces = m_piecesOf.find(cut);
    if (chunk < 0 || pieces == m_piecesOf.end()) return wholeName(graph, op);
    return fmt::format("{}, chunk {} of {}", wholeName(graph, op), chunk + 1, pieces->second);
}

std::string OpNames::wholeName(const Graph &graph, const Op &op) const
{
    if (op.phase != Phase::Backward) return forwardName(op);
    if (!op.forwardOp) return opBaseName(op);
    return backwardName(forwardName(graph.op(op.forwardOp)));
}

std::string OpNames::storage(const Graph &graph, StorageId id) const
{
    const Storage &storage = graph.storage(id);
    return storage.producer ? op(graph, storage.producer) : storage.name;
}

} // namespace remat
