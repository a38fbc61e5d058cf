// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/picture_motion.h"

namespace remat::studio {

namespace {

std::string placeKey(const GraphScene &scene, const GraphItem &item)
{
    return scene.nodeOf(item).path + (item.side == Side::Forward ? "\nF" : "\nB");
}

} // namespace

void PictureMotion::keepSteady(const GraphScene &scene, int item)
{
    if (item >= 0) m_steady = placeKey(scene, scene.picture.item(item));
}

PictureMotion::Step PictureMotion::take(const GraphScene &scene)
{
    Step step;
    const auto former = std::exchange(m_places, {});
    const std::string steady = std::exchange(m_steady, {});
    const auto &items = scene.picture.items;
    if (items.size() > kMostItems) return step;
    for (const GraphItem &item : items) {
        const std::string key = placeKey(scene, item);
        m_places[key] = item.rect;
        const auto before = former.find(key);
        const bool known = before != former.end();
        if (known && key == steady) step.steady = {before->second.topLeft(), item.rect.topLeft()};
        if (!former.empty()) step.from.push_back(known ? before->second : QRectF());
    }
    return step;
}

} // namespace remat::studio
