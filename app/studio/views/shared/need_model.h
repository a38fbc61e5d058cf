// SPDX-License-Identifier: Apache-2.0
// Commands that mean something while a model is open.
#pragma once

#include "app/studio/work/document/document.h"

#include <QAction>

namespace remat::studio {

/// Enables the actions while there is a model, from now on.
inline void needModel(const Document &document, const QList<QAction *> &actions)
{
    const auto enable = [&document, actions] {
        for (QAction *action : actions)
            action->setEnabled(document.model() != nullptr);
    };
    if (!actions.isEmpty()) QObject::connect(&document, &Document::modelChanged, actions.front(), enable);
    enable();
}

} // namespace remat::studio
