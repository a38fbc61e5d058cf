#include "app/studio/memory_view/op_labels.h"

#include "app/studio/document/text.h"
#include "app/studio/graph_view/graph_names.h"

namespace remat::studio {

OpLabels::OpLabels(const Graph &graph)
{
    std::unordered_map<std::string, int> roots;
    int named = 0;
    for (const Op &op : graph.ops) {
        if (op.phase == Phase::Backward || op.module.empty()) continue;
        ++m_opsOfModule[op.module];
        ++named;
        if (const auto dot = op.module.find('.'); dot != std::string::npos) ++roots[op.module.substr(0, dot + 1)];
    }
    for (const auto &[root, count] : roots)
        if (count * 5 > named * 4) m_commonRoot = root;
}

QString OpLabels::path(const std::string &module) const
{
    const bool common = !m_commonRoot.empty() && module.starts_with(m_commonRoot);
    return toQString(common ? module.substr(m_commonRoot.size()) : module);
}

std::string OpLabels::forwardName(const Op &op) const
{
    if (op.module.empty()) return opBaseName(op);
    std::string name = op.module;
    if (!m_commonRoot.empty() && name.starts_with(m_commonRoot)) name.erase(0, m_commonRoot.size());
    const auto count = m_opsOfModule.find(op.module);
    if (count != m_opsOfModule.end() && count->second > 1) name.append(1, ' ').append(opBaseName(op));
    return name;
}

QString OpLabels::op(const Graph &graph, OpId id) const
{
    const Op &op = graph.op(id);
    if (op.phase != Phase::Backward) return toQString(forwardName(op));
    if (!op.forwardOp) return toQString(opBaseName(op));
    return toQString(backwardName(forwardName(graph.op(op.forwardOp))));
}

QString OpLabels::storage(const Graph &graph, StorageId id) const
{
    const Storage &storage = graph.storage(id);
    return storage.producer ? op(graph, storage.producer) : toQString(storage.name);
}

} // namespace remat::studio
