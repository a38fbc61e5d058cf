// SPDX-License-Identifier: Apache-2.0
// Which texts of a window are wider than where they stand, for tests with longer texts than the English ones.
#pragma once

#include "app/studio/base/widgets/building_blocks.h"

#include <QCheckBox>
#include <QLabel>
#include <QStringList>

namespace remat::studio::fixture {

/// One line a text. What is made to be elided is left out.
inline QStringList cutOff(QWidget &window)
{
    QStringList found;
    const auto add = [&](const QWidget *widget, const QString &text, int needed, int room) {
        if (needed > room + 1)
            found << QStringLiteral("%1 (%2): %3 of %4 px").arg(text, widget->objectName()).arg(room).arg(needed);
    };
    for (const QLabel *label : window.findChildren<QLabel *>())
        if (label->isVisible() && !label->wordWrap() && !label->text().isEmpty())
            add(label, label->text(), label->fontMetrics().horizontalAdvance(label->text()),
                label->contentsRect().width());
    for (const StudioButton *button : window.findChildren<StudioButton *>())
        if (button->isVisible() && !button->text().isEmpty() &&
            button->minimumSizeHint().width() == button->sizeHint().width()) // else it may be an icon alone
            add(button, button->text(), button->sizeHint().width(), button->width());
    for (const QCheckBox *box : window.findChildren<QCheckBox *>())
        if (box->isVisible()) add(box, box->text(), box->sizeHint().width(), box->width());
    return found;
}

} // namespace remat::studio::fixture
