// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/picture_columns.h"

#include <algorithm>
#include <cmath>

namespace remat::studio {

namespace {

using M = PictureMetrics;

/// Raises the narrowest to a common width as far as the room goes; where it does not suffice, all give way.
std::vector<double> shared(std::vector<double> needs, double room)
{
    double sum = 0;
    for (const double need : needs)
        sum += need;
    if (sum >= room) {
        for (double &need : needs)
            need = std::floor(need * std::max(room, 0.0) / sum);
        return needs;
    }
    std::vector<double> widest = needs;
    std::sort(widest.begin(), widest.end(), std::greater<>());
    double rest = room;
    auto count = static_cast<double>(needs.size());
    for (const double need : widest) {
        if (need <= rest / count) break;
        rest -= need;
        --count;
    }
    for (double &need : needs)
        need = std::max(need, std::floor(rest / std::max(count, 1.0)));
    return needs;
}

/// Numbers of the lanes inside follow right after their lane's.
int lanesIn(const Bands &bands)
{
    int lanes = 0;
    for (const Band &band : bands)
        for (const Bands &lane : band.lanes)
            lanes += 1 + lanesIn(lane);
    return lanes;
}

} // namespace

PictureColumns::PictureColumns(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics)
    : m_tree(tree), m_open(open), m_metrics(metrics)
{
    prepare(0);
}

const PictureCluster *PictureColumns::cluster(int node) const
{
    const auto found = m_clusters.find(node);
    return found == m_clusters.end() ? nullptr : &found->second;
}

ItemShape PictureColumns::shapeOf(int node) const
{
    const GraphNode &content = m_tree.node(node);
    if (m_open.contains(node)) return ItemShape::Frame;
    if (content.loss) return ItemShape::LossCard;
    if (content.kind == NodeKind::Stack) return ItemShape::StackCard;
    const bool onlyOps = std::all_of(content.children.begin(), content.children.end(),
                                     [&](int child) { return m_tree.node(child).kind == NodeKind::Ops; });
    return onlyOps ? ItemShape::OpCard : ItemShape::ClusterCard;
}

void PictureColumns::prepare(int node)
{
    const OpenCluster &open = m_open.at(node);
    const std::vector<int> &children = m_tree.node(node).children;
    for (const int row : open.rows)
        if (m_open.contains(row)) prepare(row);

    PictureCluster cluster;
    const auto childAt = [&](int place) { return children[static_cast<std::size_t>(place)]; };
    if (!open.branches.empty()) cluster.branching = open.beside ? Branching::Beside : Branching::Column;
    if (cluster.branching == Branching::Beside) {
        cluster.bands = noWiderThan(
            m_metrics.widestBranches, open.branches, [&](int row) { return cardWidth(childAt(row)); }, M::kLaneGap);
    } else {
        std::unordered_map<int, int> place;
        for (std::size_t i = 0; i < children.size(); ++i)
            place[children[i]] = static_cast<int>(i);
        for (const int row : open.rows)
            cluster.bands.push_back({place.at(row), {}});
    }
    if (node == 0) cluster.bands = withOnly(cluster.bands, [&](int row) { return !isClosedLoss(childAt(row)); });
    for (const Side side : {Side::Forward, Side::Backward}) {
        PictureColumn &column = cluster.columns[static_cast<std::size_t>(side)];
        column.bands = withOnly(cluster.bands, [&](int row) { return !m_tree.node(childAt(row)).ops(side).empty(); });
        const bool forward = side == Side::Forward;
        column.flow =
            columnFlow(column.bands, children.size(), forward ? open.edges.forward : open.edges.backward, forward);
        cluster.needed = std::max(cluster.needed, need(node, column));
    }
    m_clusters.emplace(node, std::move(cluster));
}

/// Width of a row in a lane: as wide as its name, and what is inside it.
double PictureColumns::cardWidth(int node) const
{
    const GraphNode &content = m_tree.node(node);
    const double name = std::max(content.forwardOps.empty() ? 0 : m_metrics.nameWidth(content.title),
                                 content.backwardOps.empty() ? 0 : m_metrics.nameWidth(content.backwardTitle));
    const double badge = content.copies > 1 ? m_metrics.nameWidth("×" + std::to_string(content.copies)) + 20 : 0;
    const PictureCluster *open = cluster(node);
    if (!open) {
        const double ends = (content.expandable() ? M::kLaneChevron : 0) + (content.run >= 0 ? 2 * M::kStepper : 0);
        return std::ceil(M::kNameLeft + name + badge + M::kNameRight + ends);
    }
    const double ends = (open->branching == Branching::None ? 0 : M::kSwitch) +
                        (content.run >= 0 ? 2 * M::kStepper + M::kStepperText : 0);
    return std::max(std::ceil(M::kNameLeft + name + badge + M::kNameRight + ends),
                    neededInLane(node, *open) + 2 * M::kInset);
}

double PictureColumns::laneNeed(int node, const PictureColumn &column, const Bands &lane, int &sequence) const
{
    const bool gutter = column.flow.sequences[static_cast<std::size_t>(sequence)].gutter;
    double widest = 0;
    for (const Band &band : lane) {
        if (band.row >= 0) {
            widest = std::max(widest, cardWidth(m_tree.node(node).children[static_cast<std::size_t>(band.row)]));
            continue;
        }
        double sum = -M::kLaneGap;
        for (const Bands &inner : band.lanes)
            sum += M::kLaneGap + laneNeed(node, column, inner, ++sequence);
        widest = std::max(widest, sum);
    }
    return widest + (gutter ? M::kGutter : 0);
}

double PictureColumns::neededInLane(int node, const PictureCluster &cluster) const
{
    double needed = 0;
    for (const PictureColumn &column : cluster.columns) {
        int sequence = 0;
        needed = std::max(needed, laneNeed(node, column, column.bands, sequence));
    }
    return needed;
}

double PictureColumns::need(int node, const PictureColumn &column) const
{
    int sequence = 0;
    double widest = 0;
    for (const Band &band : column.bands) {
        if (band.row >= 0) {
            const PictureCluster *open = cluster(m_tree.node(node).children[static_cast<std::size_t>(band.row)]);
            if (open && open->needed > 0) widest = std::max(widest, M::kInset + open->needed);
            continue;
        }
        double sum = -M::kLaneGap;
        for (const Bands &lane : band.lanes)
            sum += M::kLaneGap + laneNeed(node, column, lane, ++sequence);
        widest = std::max(widest, sum);
    }
    return widest > 0 && column.flow.sequences.front().gutter ? widest + M::kGutter : widest;
}

std::vector<double> PictureColumns::laneWidths(int node, Side side, const Band &band, int sequence, double room) const
{
    const PictureColumn &column = m_clusters.at(node).columns[static_cast<std::size_t>(side)];
    std::vector<double> needs;
    for (const Bands &lane : band.lanes) {
        int at = sequence;
        needs.push_back(laneNeed(node, column, lane, at));
        sequence += 1 + lanesIn(lane);
    }
    const double gaps = M::kLaneGap * (static_cast<double>(needs.size()) - 1);
    return shared(std::move(needs), room - gaps);
}

} // namespace remat::studio
