// SPDX-License-Identifier: Apache-2.0
// The title of a panel that stands in a window of its own.
#pragma once

#include "app/studio/shell/workspace/dock_header.h"

class QDockWidget;

namespace remat::studio {

/// Says which panel it is, moves the window when dragged, and has a button that puts the panel back. A double click
/// does so, too. Paints the window's edge.
class FloatingTitle : public DockHeader
{
    Q_OBJECT
public:
    explicit FloatingTitle(QDockWidget *dock);
    QSize sizeHint() const override { return {QWidget::sizeHint().width(), height()}; } ///< which a dock goes by

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace remat::studio
