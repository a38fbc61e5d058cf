// SPDX-License-Identifier: Apache-2.0
// What ops and storages are called, as the window's strings.
#pragma once

#include "app/studio/base/text/text.h"
#include "core/views/op_names.h"

namespace remat::studio {

/// See OpNames.
class OpLabels
{
public:
    OpLabels() = default;
    explicit OpLabels(const Graph &graph) : m_names(graph) {}

    QString op(const Graph &graph, OpId id) const { return toQString(m_names.op(graph, id)); }
    QString storage(const Graph &graph, StorageId id) const { return toQString(m_names.storage(graph, id)); }

private:
    OpNames m_names;
};

} // namespace remat::studio
