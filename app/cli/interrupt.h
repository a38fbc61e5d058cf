// SPDX-License-Identifier: Apache-2.0
// Ctrl+C as a stop: the first one asks work to end with what it has, the second one ends the program.
#pragma once

#include "core/base/stop_token.h"

namespace remat::cli {

/// Lets SIGINT and SIGTERM request a stop of the returned token, which lives as long as the process. Main thread.
const StopToken &stopOnInterrupt();

} // namespace remat::cli
