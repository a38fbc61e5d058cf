// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/open_layouts.h"

#include "app/studio/base/text/text.h"

namespace remat::studio {

namespace {

constexpr int kTellAfterMs = 200, kTellInViewAfterMs = 2000;

} // namespace

OpenLayouts::OpenLayouts(const GraphScene &scene, QObject *parent) : QObject(parent), m_scene(scene)
{
    connect(&m_book, &LayoutBook::settled, this, &OpenLayouts::settled);
    connect(&m_book, &LayoutBook::progressed, this, &OpenLayouts::tell);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &OpenLayouts::tell);
}

void OpenLayouts::forget()
{
    m_rows.clear();
    m_branches.clear();
}

const OpenCluster *OpenLayouts::rows(int node)
{
    const auto known = m_rows.find(node);
    if (known != m_rows.end()) return &known->second;
    const std::vector<int> &children = m_scene.tree.node(node).children;
    RowEdges edges = rowEdges(m_scene.tree, m_scene.model->graph(), node);
    const OrderQuestion question = orderQuestion(static_cast<int>(children.size()), edges);
    const std::vector<RowRank> *ranks = m_book.ranks(question);
    if (!ranks) return nullptr;
    OpenCluster cluster;
    cluster.edges = std::move(edges);
    for (const int place : rowsInOrder(question, *ranks))
        cluster.rows.push_back(children[static_cast<std::size_t>(place)]);
    return &m_rows.emplace(node, std::move(cluster)).first->second;
}

const Bands *OpenLayouts::branches(int node)
{
    const auto known = m_branches.find(node);
    if (known != m_branches.end()) return &known->second;
    const std::vector<int> &children = m_scene.tree.node(node).children;
    Bands bands;
    if (children.size() <= static_cast<std::size_t>(LayoutClient::kMostRows)) {
        const RowFlow flow = rowFlow(m_scene.tree, m_scene.model->graph(), node);
        const OrderQuestion question = branchQuestion(static_cast<int>(children.size()), flow);
        if (mayBranch(question)) {
            const std::vector<RowRank> *ranks = m_book.ranks(question);
            const OpenCluster *cluster = rows(node);
            if (!ranks || !cluster) return nullptr;
            std::unordered_map<int, int> place;
            for (std::size_t i = 0; i < children.size(); ++i)
                place[children[i]] = static_cast<int>(i);
            std::vector<int> column;
            column.reserve(cluster->rows.size());
            for (const int row : cluster->rows)
                column.push_back(place.at(row));
            bands = bandsOf(column, flow, *ranks);
            if (!remat::hasBranches(bands)) bands.clear();
        }
    }
    return &m_branches.emplace(node, std::move(bands)).first->second;
}

bool OpenLayouts::hasBranches(int node)
{
    const Bands *bands = branches(node);
    return bands && !bands->empty();
}

std::optional<OpenClusters> OpenLayouts::gather(const GraphExpansion &expansion, const GraphBranches &wanted)
{
    OpenClusters open;
    bool complete = true;
    std::vector<int> todo = {0};
    while (!todo.empty()) {
        const int index = todo.back();
        todo.pop_back();
        const GraphNode &node = m_scene.tree.node(index);
        const OpenCluster *known = rows(index);
        const bool parted = wanted.on() || wanted.isOtherwise(node.path);
        const Bands *bands = parted ? branches(index) : nullptr;
        if (!known || (parted && !bands)) {
            if (complete) m_waitingFor = node.title;
            complete = false;
        } else {
            OpenCluster &cluster = open.emplace(index, *known).first->second;
            if (bands) cluster.branches = *bands;
            cluster.beside = wanted.isBeside(node.path);
        }
        for (const int child : node.children)
            if (m_scene.tree.node(child).expandable() && expansion.isOpen(m_scene.tree.node(child).path))
                todo.push_back(child);
    }
    if (complete) {
        m_pending = false;
        m_timer.stop();
        Q_EMIT done();
        return open;
    }
    if (!m_pending) {
        m_pending = true;
        m_clock.start();
        m_timer.start(kTellAfterMs);
    }
    return {};
}

void OpenLayouts::tell()
{
    if (!m_pending || m_clock.elapsed() < kTellAfterMs || m_book.total() == 0) return;
    const bool inView = m_clock.elapsed() >= kTellInViewAfterMs;
    Q_EMIT waiting(static_cast<double>(m_book.done()) / m_book.total(),
                   tr("Laying out %1, %2 of %3 clusters")
                       .arg(toQString(m_waitingFor), countText(m_book.done()), countText(m_book.total())),
                   inView);
    if (!inView) m_timer.start(kTellInViewAfterMs - kTellAfterMs);
}

} // namespace remat::studio
