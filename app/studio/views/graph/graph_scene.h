// SPDX-License-Identifier: Apache-2.0
// Everything the canvas paints, as plain data.
#pragma once

#include "app/studio/views/graph/graph_overlays.h"
#include "app/studio/views/graph/graph_picture.h"
#include "app/studio/work/document/document.h"

namespace remat::studio {

/// What is emphasised, as items of the picture; -1 for none.
struct GraphMarks {
    int selected = -1, hovered = -1;
    int running = -1;                      ///< what is computed at the time cursor
    std::vector<int> live;                 ///< cards that made something which is in device memory at the time cursor
    bool focusRing = false;                ///< the selected item has the keyboard
    std::vector<int> readers;              ///< cards that read the selected storage
    std::vector<std::pair<int, int>> arcs; ///< from the forward to the backward column
};

/// Ops that a search found, counted per side and node of the tree.
struct GraphMatches {
    bool searching = false; ///< what is not found is dimmed
    std::vector<OpId> ops;
    std::array<std::vector<int>, 2> counts;
};

/// What of a node was decided by hand.
enum class PinState : std::uint8_t { None, Kept, Recomputed, Locked, Several };

struct GraphScene {
    std::shared_ptr<const CostedModel> model;
    GraphTree tree;
    GraphFigures figures;
    GraphPicture picture;
    GraphMarks marks;
    GraphMatches matches;
    ColourBy colourBy = ColourBy::PlanState;
    Overlay overlay;            ///< overlay that cards are coloured by
    double rampTop = 0;         ///< what the darkest colour stands for: bytes, µs or a count
    std::vector<PinState> pins; ///< per node, decided by hand for something below it; empty when nothing is

    const GraphNode &nodeOf(const GraphItem &item) const { return tree.node(item.node); }
    const NodeFigures &figuresOf(const GraphItem &item) const
    {
        return figures.nodes[static_cast<std::size_t>(item.node)];
    }
};

/// Ops of an item that were found.
int matchesIn(const GraphScene &scene, const GraphItem &item);
/// Counts the found ops for the tree as it is. O(found ops × depth).
void countMatches(GraphScene &scene);

/// What was decided by hand, for every node of the tree.
std::vector<PinState> pinStates(const GraphTree &tree, const Graph &graph, const Pins &pins);

/// What a card is coloured by, in bytes, µs or a count; 0 when it is coloured by state.
double rampValue(const GraphScene &scene, const GraphItem &item);
/// The most any open card shows.
double rampTop(const GraphScene &scene);

} // namespace remat::studio
