// SPDX-License-Identifier: Apache-2.0
// When the keyboard's focus is drawn, and by whom.
#pragma once

#include <QFocusEvent>

namespace remat::studio {

/// Property that is true of a widget that paints its ring itself, inside its frame.
constexpr const char *kOwnRing = "ownRing";

/// Keys brought the focus, so it is drawn.
inline bool shownFocus(const QFocusEvent &event)
{
    const Qt::FocusReason reason = event.reason();
    return reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
}

} // namespace remat::studio
