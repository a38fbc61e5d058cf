// SPDX-License-Identifier: Apache-2.0
// From one picture of the graph to the next: where every card comes from, and which one stays where it is.
#pragma once

#include "app/studio/views/graph/graph_scene.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace remat::studio {

/// Finds items again by cluster and side, since every picture has a tree's worth of new ones.
class PictureMotion
{
public:
    static constexpr std::size_t kMostItems = 3000; ///< more than this appear at once

    struct Step {
        std::vector<QRectF>
            from; ///< per item of the new picture, null for those that are new; empty: all appear at once
        std::optional<std::pair<QPointF, QPointF>> steady; ///< the corner of what stays, before and after
    };
    /// The item stays in its place on the screen when the next picture is wider. None (-1) is ignored.
    void keepSteady(const GraphScene &scene, int item);
    /// To the scene's new picture. O(items).
    Step take(const GraphScene &scene);
    /// The next picture has nothing to do with this one.
    void forget() { m_places.clear(); }

private:
    std::unordered_map<std::string, QRectF> m_places; ///< places in the picture before
    std::string m_steady;
};

} // namespace remat::studio
