#include "app/studio/graph_view/graph_scene.h"

#include <algorithm>

namespace remat::studio {

double rampValue(const GraphScene &scene, const GraphItem &item)
{
    const SideFigures &side = scene.figuresOf(item).side(item.side);
    switch (scene.colourBy) {
    case ColourBy::PlanState:
        return 0;
    case ColourBy::Bytes:
        return static_cast<double>(side.bytes + side.recomputedBytes + side.offloadedBytes);
    case ColourBy::Time:
        return side.timeUs;
    }
    return 0;
}

double rampTop(const GraphScene &scene)
{
    double top = 0;
    for (const GraphItem &item : scene.picture.items)
        if (item.shape != ItemShape::Frame) top = std::max(top, rampValue(scene, item));
    return top;
}

} // namespace remat::studio
