// The trade-off: every plan as a point of peak against overhead, over what is impossible.
#pragma once

#include "app/studio/views/curve/curve_canvas.h"
#include "app/studio/views/curve/curve_table.h"
#include "app/studio/views/curve/more_memory.h"
#include "app/studio/views/curve/sweep_strip.h"

#include <QWidget>

namespace remat::studio {

class EmptyState;

/// Strip, plot and card. Asks for the bound once it is seen. GUI thread only.
class CurveView : public QWidget
{
    Q_OBJECT
public:
    CurveView(Document *document, BoundRunner *bound, SweepRunner *sweeps, QThreadPool &pool,
              QWidget *parent = nullptr);

    CurveCanvas *canvas() { return m_canvas; }
    SweepStrip *strip() { return m_strip; }
    ReferencePlans *references() { return m_references; }
    /// The same as a table, for screen readers.
    CurveTable *table() { return m_table; }

Q_SIGNALS:
    void openRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void takeScene();

    Document *m_document;
    BoundRunner *m_bound;
    ReferencePlans *m_references;
    SweepStrip *m_strip;
    CurveCanvas *m_canvas;
    MoreMemory *m_more;
    CurveTable *m_table;
    EmptyState *m_empty;
};

} // namespace remat::studio
