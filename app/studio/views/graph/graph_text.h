// SPDX-License-Identifier: Apache-2.0
// Texts of the graph view that are not of one of its widgets.
#pragma once

#include <QCoreApplication>

namespace remat::studio {

struct GraphText {
    Q_DECLARE_TR_FUNCTIONS(GraphView)
};

} // namespace remat::studio
