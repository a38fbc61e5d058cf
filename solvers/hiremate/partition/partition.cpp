// SPDX-License-Identifier: Apache-2.0
#include "solvers/hiremate/partition/partition.h"

#include "solvers/blocks/blocks.h"
#include "solvers/blocks/cut_points.h"

#include <algorithm>

namespace remat::hiremate {

OpLine::OpLine(const FlatGraph &flat) : m_flat(flat), m_counted(flat.forwardOps + 1, 0)
{
    const ForwardOrder order = forwardOrder(*flat.graph, flat.timeUs);
    for (int i = 0; i < flat.forwardOps; ++i)
        m_counted[i + 1] = m_counted[i] + order.counts[i];
    m_crossingBytes.assign(order.crossingBytes.begin(), order.crossingBytes.begin() + flat.forwardOps + 1);
}

const std::vector<std::pair<std::string, Partitioner>> &partitionerNames()
{
    static const std::vector<std::pair<std::string, Partitioner>> names = {{"repetitive", Partitioner::Repetitive},
                                                                           {"sequence", Partitioner::Sequence},
                                                                           {"bottom-to-top", Partitioner::BottomToTop},
                                                                           {"module-tree", Partitioner::ModuleTree},
                                                                           {"sub-graphs", Partitioner::Subgraphs}};
    return names;
}

std::vector<int> partitionLabels(const FlatGraph &flat, Partitioner partitioner, const PartitionSizes &sizes)
{
    if (partitioner == Partitioner::Repetitive) return partitionLabels(flat, sizes);
    const OpLine line(flat);
    if (partitioner == Partitioner::Subgraphs) return subgraphLabels(line, sizes);
    const std::vector<int> positions = partitioner == Partitioner::Sequence ? sequencePositions(line, sizes)
                                       : partitioner == Partitioner::ModuleTree
                                           ? moduleTreePositions(line, sizes)
                                           : bottomToTop(line, 0, line.end(), sizes);
    std::vector<int> points;
    for (std::size_t p = 1; p + 1 < positions.size(); ++p)
        points.push_back(positions[p] - 1);
    return chain::stagesOf(flat, points);
}

} // namespace remat::hiremate
