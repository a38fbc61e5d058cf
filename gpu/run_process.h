// SPDX-License-Identifier: Apache-2.0
// remat-run, from the side of the program that starts it.
#pragma once

#include "gpu/run_messages.h"

#include <string>

namespace remat {

/// `$REMAT_RUN`, or the remat-run that comes with this program. Empty when there is none.
std::string runProgram();

/// Starts remat-run, hands it the request, passes its progress on, on the calling thread, and returns the outcome:
/// never RunProgress, nor a sentence, which becomes the failure. Ends it, with all its children, when the stop token is
/// set
/// ("Stopped."), when time is over, and when this process ends. A process that died is a failure with a sentence that
/// names the op it died in. Blocks.
Expected<RunReply> runInProcess(const RunRequest &request, const RunContext &context);

} // namespace remat
