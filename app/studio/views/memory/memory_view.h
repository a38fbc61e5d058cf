// SPDX-License-Identifier: Apache-2.0
// Memory over time under the current plan, over keep-all, with the budget as a line that can be dragged.
#pragma once

#include "app/studio/views/memory/memory_canvas.h"
#include "app/studio/views/memory/memory_header.h"
#include "app/studio/views/memory/timeline_table.h"
#include "app/studio/views/shared/plan_view.h"

namespace remat::studio {

/// Reads the document, changes its budget, cursor and selection. GUI thread only.
class MemoryView : public PlanView
{
    Q_OBJECT
public:
    explicit MemoryView(Document *document);

    MemoryCanvas *canvas() { return m_canvas; }
    MemoryHeader *header() { return m_header; }
    /// Hands the header to a place with tabs of its own; the view goes on filling it.
    MemoryHeader *takeHeader();
    /// The same as a table, for screen readers.
    TimelineTable *table() { return m_table; }
    QSize sizeHint() const override { return {1272, 334}; }

protected:
    void takeScene() override;
    EmptyText emptyText() const override;
    Notice trouble() const override;
    void showEvent(QShowEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    MemoryView(Document *document, MemoryCanvas *canvas);
    void takeReadout();
    void fillMenu();

    MemoryHeader *m_header;
    MemoryCanvas *m_canvas;
    TimelineTable *m_table;
};

} // namespace remat::studio
