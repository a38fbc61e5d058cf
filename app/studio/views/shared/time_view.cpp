// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/time_view.h"

#include "app/studio/work/document/time_window.h"

namespace remat::studio {

TimeView::TimeView(Document *document, TimePlot *plot, const QString &icon, const QString &purpose)
    : PlanView(document, plot, icon, purpose), m_header(new TimeHeader(document->time(), this))
{
    m_header->hide();
}

} // namespace remat::studio
