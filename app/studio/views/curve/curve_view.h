// SPDX-License-Identifier: Apache-2.0
// The trade-off: every plan as a point of peak against overhead, over what is impossible.
#pragma once

#include "app/studio/views/curve/curve_canvas.h"
#include "app/studio/views/curve/curve_table.h"
#include "app/studio/views/curve/more_memory.h"
#include "app/studio/views/curve/quick_steps.h"
#include "app/studio/views/curve/sweep_strip.h"
#include "app/studio/views/shared/plan_view.h"

namespace remat::studio {

/// Strip, plot and card. Asks for the bound once it is seen. GUI thread only.
class CurveView : public PlanView
{
    Q_OBJECT
public:
    CurveView(Document *document, BoundRunner *bound, SweepRunner *sweeps, QThreadPool &pool);

    CurveCanvas *canvas() { return m_canvas; }
    SweepStrip *strip() { return m_strip; }
    MoreMemory *more() { return m_more; }
    ReferencePlans *references() { return m_references; }
    /// The same as a table, for screen readers.
    CurveTable *table() { return m_table; }

protected:
    void takeScene() override;
    EmptyText emptyText() const override;
    Notice trouble() const override { return {}; }
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    CurveView(Document *document, BoundRunner *bound, SweepRunner *sweeps, QThreadPool &pool, CurveCanvas *canvas);

    BoundRunner *m_bound;
    ReferencePlans *m_references;
    SweepStrip *m_strip;
    CurveCanvas *m_canvas;
    MoreMemory *m_more;
    CurveTable *m_table;
    QuickSteps *m_quick;
};

} // namespace remat::studio
