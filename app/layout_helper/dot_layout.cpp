// SPDX-License-Identifier: Apache-2.0
#include "app/layout_helper/dot_layout.h"

#include <graphviz/gvc.h>

#include <cstdio>

namespace remat::layout {

namespace {

constexpr double kPointsPerInch = 72; // one point is taken as one pixel

/// Graphviz takes `char *` for text it only reads.
char *text(const char *constant)
{
    return const_cast<char *>(constant);
}

std::string inches(double pixels)
{
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6f", pixels / kPointsPerInch);
    return buffer;
}

struct GraphCloser {
    GVC_t *context;
    void operator()(Agraph_t *graph) const
    {
        gvFreeLayout(context, graph);
        agclose(graph);
    }
};
using GraphPointer = std::unique_ptr<Agraph_t, GraphCloser>;

std::vector<Agnode_t *> fill(Agraph_t *graph, const Request &request)
{
    agattr(graph, AGRAPH, text("splines"), text("false")); // the window routes edges itself
    agattr(graph, AGRAPH, text("ranksep"), text(inches(request.rankGap).c_str()));
    agattr(graph, AGRAPH, text("nodesep"), text(inches(request.nodeGap).c_str()));
    agattr(graph, AGRAPH, text("nslimit"), text("4"));    // bounds the network simplex, which is what runs away
    agattr(graph, AGRAPH, text("ordering"), text("out")); // branches from left to right as the request names them
    agattr(graph, AGNODE, text("shape"), text("box"));
    agattr(graph, AGNODE, text("fixedsize"), text("true"));
    agattr(graph, AGNODE, text("label"), text(""));
    Agsym_t *width = agattr(graph, AGNODE, text("width"), text("1"));
    Agsym_t *height = agattr(graph, AGNODE, text("height"), text("1"));

    std::vector<Agnode_t *> nodes;
    nodes.reserve(request.boxes.size());
    for (const Box &box : request.boxes) {
        // Named by position, so that no id can be taken for anything but a name.
        Agnode_t *node = agnode(graph, text(std::to_string(nodes.size()).c_str()), 1);
        agxset(node, width, text(inches(box.width).c_str()));
        agxset(node, height, text(inches(box.height).c_str()));
        nodes.push_back(node);
    }
    for (const auto &[from, to] : request.edges) {
        if (from != to) agedge(graph, nodes[from], nodes[to], nullptr, 1);
    }
    return nodes;
}

} // namespace

struct DotLayout::Context {
    GVC_t *gvc = nullptr;
};

DotLayout::DotLayout() : m_context(std::make_unique<Context>())
{
    agseterr(AGMAX); // its remarks go nowhere; failures come back as sentences
    m_context->gvc = gvContext();
}

DotLayout::~DotLayout()
{
    if (m_context->gvc) gvFreeContext(m_context->gvc);
}

Expected<Answer> DotLayout::layOut(const Request &request)
{
    GVC_t *gvc = m_context->gvc;
    if (!gvc) return tl::unexpected<std::string>("Graphviz does not start. Install libgvc6 again.");
    const GraphPointer graph(agopen(text("cluster"), Agstrictdirected, nullptr), GraphCloser{gvc});
    if (!graph) return tl::unexpected<std::string>("Graphviz cannot make a graph.");
    const std::vector<Agnode_t *> nodes = fill(graph.get(), request);
    if (gvLayout(gvc, graph.get(), "dot") != 0)
        return tl::unexpected<std::string>(
            "Graphviz has no layout engine dot. Run libgvc6-config-update, or install libgvc6 again.");

    const boxf bounds = GD_bb(graph.get());
    Answer answer;
    answer.width = bounds.UR.x - bounds.LL.x;
    answer.height = bounds.UR.y - bounds.LL.y;
    answer.places.reserve(nodes.size());
    for (Agnode_t *node : nodes) {
        const pointf middle = ND_coord(node); // y grows upwards there
        answer.places.push_back({middle.x - bounds.LL.x, bounds.UR.y - middle.y, static_cast<int>(ND_rank(node)),
                                 static_cast<int>(ND_order(node))});
    }
    return answer;
}

} // namespace remat::layout
