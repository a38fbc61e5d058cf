// SPDX-License-Identifier: Apache-2.0
// Compute, recompute and the two copy engines over time: what each does, where compute waits, what sets the pace.
#pragma once

#include "app/studio/views/lanes/lanes_canvas.h"
#include "app/studio/views/lanes/lanes_table.h"
#include "app/studio/views/shared/time_view.h"

namespace remat::studio {

/// GUI thread only.
class LanesView : public TimeView
{
    Q_OBJECT
public:
    explicit LanesView(Document *document);

    LanesCanvas *canvas() { return m_canvas; }
    /// The same as a table, for screen readers.
    LanesTable *table() { return m_table; }

protected:
    void takeScene() override;

private:
    LanesView(Document *document, LanesCanvas *canvas);

    LanesCanvas *m_canvas;
    LanesTable *m_table;
};

} // namespace remat::studio
