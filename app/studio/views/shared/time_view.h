// SPDX-License-Identifier: Apache-2.0
// A plot over time with its header.
#pragma once

#include "app/studio/views/shared/plan_view.h"
#include "app/studio/views/shared/time_header.h"
#include "app/studio/views/shared/time_plot.h"

namespace remat::studio {

/// Base of the views over time beside the memory view. GUI thread only.
class TimeView : public PlanView
{
    Q_OBJECT
public:
    TimeView(Document *document, TimePlot *plot, const QString &icon, const QString &purpose);

    TimeHeader *header() { return m_header; }
    QSize sizeHint() const override { return {1272, 302}; }

private:
    TimeHeader *m_header;
};

} // namespace remat::studio
