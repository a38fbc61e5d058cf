// SPDX-License-Identifier: Apache-2.0
// What all views point at together.
#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace remat {

/// What is selected in all views at once. At most one of op and storage leads; the other is derived (an op's first
/// output, a storage's producer).
struct Selection {
    OpId op;
    StorageId storage;
    bool operator==(const Selection &) const = default;
};

/// A module that is selected as a whole: all of its ops, and all that they make. Immutable.
struct SelectedModule {
    std::string path;
    std::vector<OpId> ops;            ///< graph order
    std::vector<std::uint8_t> isOp;   ///< per op of the graph
    std::vector<std::uint8_t> isMade; ///< per storage of the graph
};

/// `ops` in graph order, each once. O(graph).
inline SelectedModule selectedModule(const Graph &graph, std::string path, std::vector<OpId> ops)
{
    SelectedModule module{std::move(path), std::move(ops), std::vector<std::uint8_t>(graph.ops.size(), 0),
                          std::vector<std::uint8_t>(graph.storages.size(), 0)};
    for (const OpId op : module.ops) {
        module.isOp[op.index()] = 1;
        for (const StorageId output : graph.op(op).outputs)
            module.isMade[output.index()] = 1;
    }
    return module;
}

} // namespace remat
