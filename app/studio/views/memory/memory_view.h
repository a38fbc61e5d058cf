// Memory over time under the current plan, over keep-all, with the budget as a line that can be dragged.
#pragma once

#include "app/studio/views/memory/memory_canvas.h"
#include "app/studio/views/memory/memory_header.h"
#include "app/studio/views/memory/timeline_table.h"
#include "app/studio/work/document/document.h"

#include <QWidget>

namespace remat::studio {

class EmptyState;
class MessageStrip;

/// Reads the document, changes its budget, cursor and selection. GUI thread only.
class MemoryView : public QWidget
{
    Q_OBJECT
public:
    explicit MemoryView(Document *document, QWidget *parent = nullptr);

    MemoryCanvas *canvas() { return m_canvas; }
    MemoryHeader *header() { return m_header; }
    /// Hands the header to a place with tabs of its own; the view goes on filling it.
    MemoryHeader *takeHeader();
    /// The same as a table, for screen readers.
    TimelineTable *table() { return m_table; }
    QSize sizeHint() const override { return {1272, 334}; }

Q_SIGNALS:
    void openRequested();  ///< "Open…" in the empty view
    void solveRequested(); ///< "Solve" while there is no plan

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void takeScene();
    void takeReadout();
    void place();
    void fillMenu();

    Document *m_document;
    MemoryHeader *m_header;
    MemoryCanvas *m_canvas;
    TimelineTable *m_table;
    MessageStrip *m_strip;
    EmptyState *m_empty;
    bool m_headerTaken = false;
    QString m_said; ///< the sentence the strip said last, so that a closed one stays closed
};

} // namespace remat::studio
