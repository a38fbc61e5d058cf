// SPDX-License-Identifier: Apache-2.0
// Asking for the second trace, with another batch.
#pragma once

#include "app/studio/work/session/session.h"

#include <QWidget>

namespace remat::studio {

/// A file dialog over the window of `asker`; what is chosen is opened as the second trace of the model that is shown.
void askForOtherBatch(Session &session, QWidget &asker);

} // namespace remat::studio
