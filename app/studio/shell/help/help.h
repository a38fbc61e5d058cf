// SPDX-License-Identifier: Apache-2.0
// The help page in the window, and tooltips that stay narrow.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

class QPoint;
class QWidget;

namespace remat::studio {

/// GUI thread only.
class Help : public QObject
{
    Q_OBJECT
public:
    explicit Help(const FeatureHost &host);

protected:
    /// Breaks the lines of tooltips that would be wider than 320, of widgets, rows and actions, and shows names that
    /// look like HTML as they are written.
    bool eventFilter(QObject *watched, QEvent *event) override;
};

/// What the widget, or its row or action there, says of itself; empty when nothing.
QString tooltipAt(const QWidget &widget, const QPoint &at);

/// Plain text as a tooltip shows it: as it stands when it is narrow, else as rich text `width` wide.
QString narrowTooltip(const QString &text, int width);
constexpr int kTooltipWidth = 320;

} // namespace remat::studio
