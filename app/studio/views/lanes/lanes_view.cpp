// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/lanes/lanes_view.h"

#include "app/studio/base/text/lane_text.h"
#include "app/studio/base/text/text.h"

#include <cmath>

namespace remat::studio {

LanesView::LanesView(Document *document) : LanesView(document, new LanesCanvas(document)) {}

LanesView::LanesView(Document *document, LanesCanvas *canvas)
    : TimeView(document, canvas, QStringLiteral("activity"), tr("Open a model to see what is computed when.")),
      m_canvas(canvas),
      m_table(new LanesTable(canvas, this))
{
}

void LanesView::takeScene()
{
    TimeView::takeScene();
    const LanesScene &scene = m_canvas->scene();
    if (!scene.hasModel()) {
        header()->setSummary({});
        return;
    }
    QStringList parts;
    parts << timeText(scene.timeline().timeUs);
    const double again = scene.lanes().busyUs(Lane::Recompute);
    if (again > 0) parts << tr("%1 recomputing").arg(timeText(again));
    if (scene.lanes().waitUs() > 0) parts << tr("compute waits %1 for copies").arg(timeText(scene.lanes().waitUs()));
    Lane pace = Lane::Compute;
    for (const Lane lane : {Lane::CopyIn, Lane::CopyOut, Lane::Host})
        if (scene.criticalShare(lane) > scene.criticalShare(pace)) pace = lane;
    parts << tr("%1 sets the pace for %2").arg(laneText(pace), shareText(scene.criticalShare(pace)));
    if (const PlanEntry *plan = scene.plan(); plan && plan->plan->validated) {
        const ValidationRecord &record = *plan->plan->validated;
        if (record.measuredTimeUs > 0 && scene.timeline().timeUs > 0) {
            const double ratio = record.measuredTimeUs / scene.timeline().timeUs;
            const QString amount = shareText(std::abs(ratio - 1));
            // The costs are another device's: how many times as long is what can be read.
            parts << (ratio >= 2   ? tr("measured %1, %2 times as long")
                      : ratio >= 1 ? tr("measured %1, %2 longer")
                                   : tr("measured %1, %2 shorter"))
                         .arg(timeText(record.measuredTimeUs), ratio >= 2 ? countText(std::llround(ratio)) : amount);
            if (scene.measured()) parts << tr("bars below the rows: measured, drawn to the plan's length");
        }
    }
    header()->setSummary(parts.join(QStringLiteral(" · ")));
}

} // namespace remat::studio
