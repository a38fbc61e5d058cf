// Everything the canvas paints, as plain data.
#pragma once

#include "app/studio/document/document.h"
#include "app/studio/graph_view/graph_figures.h"
#include "app/studio/graph_view/graph_picture.h"

namespace remat::studio {

/// What the colour of a card says.
enum class ColourBy : std::uint8_t { PlanState, Bytes, Time };

/// What is emphasised, as items of the picture; -1 for none.
struct GraphMarks {
    int selected = -1, hovered = -1, live = -1;
    bool focusRing = false;                ///< the selected item has the keyboard
    std::vector<int> readers;              ///< cards that read the selected storage
    std::vector<std::pair<int, int>> arcs; ///< from the forward to the backward column
};

struct GraphScene {
    std::shared_ptr<const CostedModel> model;
    GraphTree tree;
    GraphFigures figures;
    GraphPicture picture;
    GraphMarks marks;
    ColourBy colourBy = ColourBy::PlanState;
    double rampTop = 0; ///< what the darkest colour stands for: bytes or µs

    const GraphNode &nodeOf(const GraphItem &item) const { return tree.node(item.node); }
    const NodeFigures &figuresOf(const GraphItem &item) const
    {
        return figures.nodes[static_cast<std::size_t>(item.node)];
    }
};

/// What a card is coloured by, bytes or µs; 0 when it is coloured by state.
double rampValue(const GraphScene &scene, const GraphItem &item);
/// The most any open card shows.
double rampTop(const GraphScene &scene);

} // namespace remat::studio
