// SPDX-License-Identifier: Apache-2.0
// What stands beside what in open clusters, and how much room that takes, before anything has its place.
#pragma once

#include "app/studio/views/graph/graph_picture.h"
#include "core/views/lane_flow.h"

namespace remat::studio {

/// Rows are places in GraphNode::children.
struct PictureColumn {
    Bands bands; ///< bands in which rows have a card in the column
    ColumnFlow flow;
};

/// An open node; the closed loss between the columns is left out.
struct PictureCluster {
    Bands bands; ///< bands of both columns: what stands at the same height
    std::array<PictureColumn, 2> columns;
    Branching branching = Branching::None;
    double needed = 0; ///< width of what is inside where rows can be cut
};

class PictureColumns
{
public:
    PictureColumns(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics);

    /// None for a closed node.
    const PictureCluster *cluster(int node) const;
    ItemShape shapeOf(int node) const;
    bool isClosedLoss(int node) const { return m_tree.node(node).loss && !m_open.contains(node); }
    /// Widths of the lanes of one band that share `room`; `sequence` is the number of its first lane.
    std::vector<double> laneWidths(int node, Side side, const Band &band, int sequence, double room) const;

private:
    void prepare(int node);
    double cardWidth(int node) const;
    double laneNeed(int node, const PictureColumn &column, const Bands &lane, int &sequence) const;
    double need(int node, const PictureColumn &column) const;
    /// Width of what is inside an open node where rows cannot be cut. It measures every name, so only lanes ask.
    double neededInLane(int node, const PictureCluster &cluster) const;

    const GraphTree &m_tree;
    const OpenClusters &m_open;
    const PictureMetrics &m_metrics;
    std::unordered_map<int, PictureCluster> m_clusters;
};

} // namespace remat::studio
