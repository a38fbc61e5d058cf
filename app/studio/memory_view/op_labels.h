// What ops and storages are called in the memory view.
#pragma once

#include "core/graph/graph.h"

#include <QString>

#include <string>
#include <unordered_map>

namespace remat::studio {

/// Names as the user wrote them: `h.11.mlp.c_fc`; the kind is added where a module has several ops
/// (`h.11.mlp.act tanh`); `∂ x` for backward ops. Keeps no reference to the graph.
class OpLabels
{
public:
    OpLabels() = default;
    explicit OpLabels(const Graph &graph);

    /// A module's path without what nearly all of them begin with.
    QString path(const std::string &module) const;
    QString op(const Graph &graph, OpId id) const;
    /// A storage is called after the op that makes it.
    QString storage(const Graph &graph, StorageId id) const;

private:
    std::string forwardName(const Op &op) const;

    std::unordered_map<std::string, int> m_opsOfModule;
    std::string m_commonRoot; ///< `transformer.`, left out; empty when modules share none
};

} // namespace remat::studio
