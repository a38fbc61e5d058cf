// SPDX-License-Identifier: Apache-2.0
// Graphs that a window is measured with.
#pragma once

#include "core/graph/graph.h"

#include <QString>
#include <QTemporaryDir>

namespace remat::bench {

/// Writes a graph as a file that the window opens like any other, and gives its path.
QString writeGraph(const QTemporaryDir &folder, Graph graph, const QString &name);

/// Two clusters, the first of `wide` ops and the second of a few more, chains with a residual connection over every
/// ten ops, and a backward op each. Neither is most of the model, so both are closed at first.
Graph wideClusters(int wide);

/// Layers of other sizes each, so that the view cannot show one in place of all; 32 ops a layer and 5 more.
Graph unlikeLayers(int layers);

} // namespace remat::bench
