// SPDX-License-Identifier: Apache-2.0
// What is computed and what is kept in each slot of the plan, as papers draw it.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/views/matrix/matrix_canvas.h"
#include "app/studio/views/matrix/matrix_table.h"
#include "app/studio/views/shared/plan_view.h"

namespace remat::studio {

/// GUI thread only.
class MatrixView : public PlanView
{
    Q_OBJECT
public:
    explicit MatrixView(Document *document);

    MatrixCanvas *canvas() { return m_canvas; }
    /// The same as a table, for screen readers.
    MatrixTable *table() { return m_table; }
    /// For the place that the view stands in: what is counted, and which ops are columns.
    QWidget *header() { return m_header; }
    SegmentedControl *columnsChoice() { return m_columns; }
    QString summary() const { return m_summary->text(); }

Q_SIGNALS:
    void columnsChanged();

protected:
    void takeScene() override;

private:
    MatrixView(Document *document, MatrixCanvas *canvas);

    MatrixCanvas *m_canvas;
    MatrixTable *m_table;
    QWidget *m_header;
    TokenLabel *m_summary;
    SegmentedControl *m_columns;
};

} // namespace remat::studio
