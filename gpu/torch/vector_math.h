// SPDX-License-Identifier: Apache-2.0
// Makes MKL's vector functions give the same bits from their first call on.
#pragma once

namespace remat {

/// Calls each of them once, on this thread alone. MKL finds out what the processor can do during the first call of a
/// process, and threads that make that call together may compute their parts with other code than every later call:
/// the second half of the first `tanh` then differs in its last bits, once in some hundred starts. Does nothing the
/// second time. Any thread.
void settleVectorMath();

} // namespace remat
