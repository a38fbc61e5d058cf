// SPDX-License-Identifier: Apache-2.0
// What ops and storages are called where single ones are shown.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <unordered_map>

namespace remat {

/// Names as the user wrote them: `h.11.mlp.c_fc`; the kind is added where a module has several ops
/// (`h.11.mlp.act tanh`); `∂ x` for backward ops; of an op that runs in chunks the piece as well:
/// `lm_head, chunk 3 of 8`. Keeps no reference to the graph.
class OpNames
{
public:
    OpNames() = default;
    explicit OpNames(const Graph &graph);

    /// A module's path without what nearly all of them begin with.
    std::string path(const std::string &module) const;
    std::string op(const Graph &graph, OpId id) const;
    /// A storage is called after the op that makes it.
    std::string storage(const Graph &graph, StorageId id) const;

private:
    std::string forwardName(const Op &op) const;
    std::string wholeName(const Graph &graph, const Op &op) const;
    void countPieces(const Graph &graph);

    std::unordered_map<std::string, int> m_opsOfModule; ///< pieces of one op count once
    std::unordered_map<std::string, int> m_piecesOf;    ///< by name of the node that was cut
    std::string m_commonRoot;                           ///< `transformer.`, left out; empty when modules share none
};

} // namespace remat
