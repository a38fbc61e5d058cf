// SPDX-License-Identifier: Apache-2.0
// What the window is doing right now, in one line.
#pragma once

#include "app/studio/shell/workspace/status_line.h"

namespace remat::studio {

struct Session;

/// The most telling of what runs; `layout` is what the graph lays out, empty when it does not.
ActivityText activityOf(const Session &session, const QString &layout);

} // namespace remat::studio
