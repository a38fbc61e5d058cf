// SPDX-License-Identifier: Apache-2.0
#include "core/views/op_names.h"

#include "core/views/graph_names.h"

#include <cctype>

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
        if (op.phase == Phase::Backward || op.module.empty()) continue;
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
