// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/curve/name_places.h"

#include <QLineF>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr double kOff = 9;    ///< from a point to its name
constexpr double kMargin = 2; ///< around a name

bool crosses(const QPolygonF &line, const QRectF &box)
{
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QLineF part(line[i - 1], line[i]);
        if (box.contains(part.p1()) || box.contains(part.p2())) return true;
        for (const QLineF &side :
             {QLineF(box.topLeft(), box.topRight()), QLineF(box.topRight(), box.bottomRight()),
              QLineF(box.bottomRight(), box.bottomLeft()), QLineF(box.bottomLeft(), box.topLeft())})
            if (part.intersects(side, nullptr) == QLineF::BoundedIntersection) return true;
    }
    return false;
}

bool isFree(const NamesAround &around, const QRectF &name)
{
    const QRectF box = name.adjusted(-kMargin, -kMargin, kMargin, kMargin);
    return around.plot.contains(name) && !around.hatched.intersects(box) &&
           std::none_of(around.taken.begin(), around.taken.end(), [&](const QRectF &r) { return r.intersects(box); }) &&
           std::none_of(around.lines.begin(), around.lines.end(),
                        [&](const QPolygonF &line) { return crosses(line, box); });
}

} // namespace

QRectF placeForName(const NamesAround &around, const QPolygonF &points, const QSizeF &name)
{
    const double w = name.width(), h = name.height();
    // Close to the point first; right of it before left, above before below.
    for (const double further : {0.0, 12.0, 26.0})
        for (const QPointF &at : points) {
            const double off = kOff + further;
            for (const QPointF &corner :
                 {QPointF(off, -h / 2), QPointF(off - 2, -h - 4 - further), QPointF(-w / 2, -off - h),
                  QPointF(off - 2, 5 + further), QPointF(-off - w, -h / 2), QPointF(-w / 2, off),
                  QPointF(-off - w, -h - 4 - further), QPointF(-off - w, 5 + further)}) {
                const QRectF box(at + corner, name);
                if (isFree(around, box)) return box;
            }
        }
    return {};
}

} // namespace remat::studio
