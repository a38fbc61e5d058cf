#include "app/studio/graph_view/graph_picture.h"

#include "core/views/skip_lanes.h"

#include <algorithm>

namespace remat::studio {

namespace {

using M = PictureMetrics;

/// How far a frame's content is from the column's right edge. The numbers stand in columns of their own, so deep
/// frames move closer together there instead of pushing into them.
double rightInset(int depth)
{
    constexpr double kInsets[] = {0, 8, 16, 18, 20, 21, 22};
    return kInsets[std::min<std::size_t>(static_cast<std::size_t>(depth), std::size(kInsets) - 1)];
}

class Layout
{
public:
    Layout(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics)
        : m_tree(tree), m_open(open), m_heights(tree.nodes.size(), 0)
    {
        m_picture.columnWidth = metrics.columnWidth;
        for (auto &items : m_picture.itemOf)
            items.assign(tree.nodes.size(), -1);
    }

    GraphPicture make()
    {
        measure(0, -1);
        for (const Side side : {Side::Forward, Side::Backward})
            placeRows(0, side, -1, m_picture.columnLeft(side), 0, 0);
        for (std::size_t i = 0; i < m_picture.items.size(); ++i)
            m_bottom = std::max(m_bottom, m_picture.items[i].bottom());
        placeLoss();
        for (const auto &[node, open] : sortedOpen())
            for (const Side side : {Side::Forward, Side::Backward})
                connect(node, *open, side);
        connectColumns();
        m_picture.bounds = QRectF(0, 0, m_picture.columnRight(Side::Backward), m_bottom);
        return std::move(m_picture);
    }

private:
    const OpenCluster *openOf(int node) const
    {
        const auto found = m_open.find(node);
        return found == m_open.end() ? nullptr : &found->second;
    }

    /// By node, so that the order of edges does not hang on a hash table.
    std::vector<std::pair<int, const OpenCluster *>> sortedOpen() const
    {
        std::vector<std::pair<int, const OpenCluster *>> open;
        for (const auto &[node, cluster] : m_open)
            open.emplace_back(node, &cluster);
        std::sort(open.begin(), open.end());
        return open;
    }

    bool isClosedLoss(int node) const { return m_tree.node(node).loss && !openOf(node); }

    ItemShape shapeOf(int node) const
    {
        const GraphNode &content = m_tree.node(node);
        if (openOf(node)) return ItemShape::Frame;
        if (content.loss) return ItemShape::LossCard;
        if (content.kind == NodeKind::Stack) return ItemShape::StackCard;
        const bool onlyOps = std::all_of(content.children.begin(), content.children.end(),
                                         [&](int child) { return m_tree.node(child).kind == NodeKind::Ops; });
        return onlyOps ? ItemShape::OpCard : ItemShape::ClusterCard;
    }

    double measure(int node, int depth)
    {
        double &height = m_heights[static_cast<std::size_t>(node)];
        const OpenCluster *open = openOf(node);
        if (!open) {
            const ItemShape shape = shapeOf(node);
            height = shape == ItemShape::OpCard ? M::kOpHeight : M::kClusterHeight;
            return height;
        }
        double sum = 0, gap = 0;
        for (const int row : open->rows) {
            if (isClosedLoss(row)) continue;
            sum += gap + measure(row, depth + 1);
            gap = gapAfter(row, depth);
        }
        height = depth < 0 ? sum : headerHeight(depth) + M::kHeaderGap + sum + M::kInset;
        return height;
    }

    static double headerHeight(int depth) { return depth == 0 ? M::kOuterHeader : M::kInnerHeader; }

    double gapAfter(int row, int depth) const
    {
        const double gap = depth < 0 ? M::kOuterGap : M::kInnerGap;
        return gap + (shapeOf(row) == ItemShape::StackCard ? M::kStackEdges : 0);
    }

    /// Rows of an open node that have a card in the column, from the top.
    std::vector<int> rowsOf(const OpenCluster &open, Side side) const
    {
        std::vector<int> rows;
        for (const int row : open.rows)
            if (!isClosedLoss(row) && !m_tree.node(row).ops(side).empty()) rows.push_back(row);
        return rows;
    }

    /// Place of each child in the column's rows, -1 for those without a card there.
    std::vector<int> placesOf(int node, const std::vector<int> &rows) const
    {
        const std::vector<int> &children = m_tree.node(node).children;
        std::unordered_map<int, int> place;
        for (std::size_t i = 0; i < rows.size(); ++i)
            place[rows[i]] = static_cast<int>(i);
        std::vector<int> places;
        places.reserve(children.size());
        for (const int child : children) {
            const auto found = place.find(child);
            places.push_back(found == place.end() ? -1 : found->second);
        }
        return places;
    }

    struct Flow {
        std::vector<RowEdge> steps, skips; ///< by place in the column's rows
    };

    Flow flowOf(int node, const OpenCluster &open, const std::vector<int> &rows, Side side) const
    {
        const std::vector<int> places = placesOf(node, rows);
        Flow flow;
        for (const auto &[from, to] : side == Side::Forward ? open.edges.forward : open.edges.backward) {
            const int a = places[static_cast<std::size_t>(from)], b = places[static_cast<std::size_t>(to)];
            if (a < 0 || b < 0) continue;
            const bool step = side == Side::Forward ? b == a + 1 : b == a - 1;
            (step ? flow.steps : flow.skips).emplace_back(a, b);
        }
        return flow;
    }

    void placeRows(int node, Side side, int frame, double left, double top, int depth)
    {
        const OpenCluster &open = *openOf(node);
        const std::vector<int> rows = rowsOf(open, side);
        if (depth > 0 && !flowOf(node, open, rows, side).skips.empty()) left += M::kGutter;
        const double right = m_picture.columnRight(side) - rightInset(depth);
        double y = top;
        for (const int row : open.rows) {
            if (isClosedLoss(row)) continue;
            const double height = m_heights[static_cast<std::size_t>(row)];
            if (!m_tree.node(row).ops(side).empty())
                placeItem(row, side, frame, QRectF(left, y, std::max(right - left, 40.0), height), depth);
            y += height + gapAfter(row, depth - 1);
        }
    }

    void placeItem(int node, Side side, int frame, const QRectF &rect, int depth)
    {
        const int index = static_cast<int>(m_picture.items.size());
        m_picture.items.push_back({node, side, shapeOf(node), depth, frame, index + 1, rect});
        m_picture.itemOf[static_cast<std::size_t>(side)][static_cast<std::size_t>(node)] = index;
        if (openOf(node))
            placeRows(node, side, index, rect.left() + M::kInset, rect.top() + headerHeight(depth) + M::kHeaderGap,
                      depth + 1);
        m_picture.items[static_cast<std::size_t>(index)].end = static_cast<int>(m_picture.items.size());
    }

    void placeLoss()
    {
        for (const int row : m_tree.node(0).children) {
            if (!isClosedLoss(row)) continue;
            const double middle = m_picture.columnRight(Side::Backward) / 2;
            const QRectF rect(middle - M::kLossWidth / 2, m_bottom + M::kOuterGap, M::kLossWidth, M::kLossHeight);
            const int index = static_cast<int>(m_picture.items.size());
            m_picture.items.push_back({row, Side::Forward, ItemShape::LossCard, 0, -1, index + 1, rect});
            for (auto &items : m_picture.itemOf)
                items[static_cast<std::size_t>(row)] = index;
            m_loss = index;
            m_lossBottom = std::max(m_lossBottom, rect.bottom());
        }
    }

    void connect(int node, const OpenCluster &open, Side side)
    {
        const std::vector<int> rows = rowsOf(open, side);
        const Flow flow = flowOf(node, open, rows, side);
        const std::vector<int> &items = m_picture.itemOf[static_cast<std::size_t>(side)];
        const auto itemOf = [&](int place) {
            return items[static_cast<std::size_t>(rows[static_cast<std::size_t>(place)])];
        };
        if (!rows.empty() && itemOf(0) < 0) return; // the frame around it is closed
        for (const auto &[from, to] : flow.steps)
            m_picture.edges.push_back({EdgeKind::Step, itemOf(from), itemOf(to), 0, 0});
        for (const SkipLine &line : assignLanes(flow.skips)) {
            const EdgeKind kind = line.more > 0 ? EdgeKind::Bundle : EdgeKind::Skip;
            m_picture.edges.push_back({kind, itemOf(line.from), itemOf(line.to), line.lane, line.more});
        }
    }

    /// Down the forward column, through the loss, and up the backward one.
    void connectColumns()
    {
        const int forward = lastOf(Side::Forward), backward = lastOf(Side::Backward);
        if (m_loss >= 0) {
            if (forward >= 0) m_picture.edges.push_back({EdgeKind::ToLoss, forward, m_loss, 0, 0});
            if (backward >= 0) m_picture.edges.push_back({EdgeKind::FromLoss, m_loss, backward, 0, 0});
            m_bottom = std::max(m_bottom, m_lossBottom);
        } else if (forward >= 0 && backward >= 0) {
            m_picture.edges.push_back({EdgeKind::Turn, forward, backward, 0, 0});
            m_bottom += M::kOuterGap + M::kLossHeight / 2;
        }
    }

    int lastOf(Side side) const
    {
        const OpenCluster &root = *openOf(0);
        const std::vector<int> rows = rowsOf(root, side);
        return rows.empty() ? -1
                            : m_picture.itemOf[static_cast<std::size_t>(side)][static_cast<std::size_t>(rows.back())];
    }

    const GraphTree &m_tree;
    const OpenClusters &m_open;
    std::vector<double> m_heights; ///< per node
    GraphPicture m_picture;
    double m_bottom = 0, m_lossBottom = 0;
    int m_loss = -1;
};

} // namespace

int GraphPicture::nearestItem(const GraphTree &tree, int node, Side side) const
{
    for (; node > 0; node = tree.node(node).parent) {
        const int index = itemOf[static_cast<std::size_t>(side)][static_cast<std::size_t>(node)];
        if (index >= 0) return index;
    }
    return -1;
}

int GraphPicture::itemAt(QPointF point) const
{
    int found = -1;
    for (int i = 0; i < static_cast<int>(items.size());) {
        const GraphItem &candidate = item(i);
        const bool inside = candidate.rect.contains(point);
        if (inside) found = i;
        i = inside ? i + 1 : candidate.end;
    }
    return found;
}

GraphPicture layOutGraph(const GraphTree &tree, const OpenClusters &open, const PictureMetrics &metrics)
{
    return Layout(tree, open, metrics).make();
}

} // namespace remat::studio
