// SPDX-License-Identifier: Apache-2.0
// Threads that compute for a long time stay behind the one that answers mouse and keys.
#pragma once

namespace remat::studio {

/// Lowers the priority of the calling thread, and of all it starts from then on, for good. Linux only; does nothing
/// elsewhere.
void yieldToInput();

} // namespace remat::studio
