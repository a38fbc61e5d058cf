// SPDX-License-Identifier: Apache-2.0
// Dependencies that only seem to be there, loosened before a graph is cut into pieces.
#pragma once

#include "core/graph/program.h"

namespace remat {

/// The same step, written so that a head and its loss can run in pieces:
/// - `ones_like` of one number becomes a 1 that does not wait for that number;
/// - the mean of `nll_loss_forward` without class weights becomes a sum, divided by the number of targets that count.
///   That number is there before the loss, of a mean and of a sum, so the gradient of a piece needs no other piece.
/// Values keep their names, so that readers and outputs find them. Exact but for the loss, which is rounded once more.
/// O(program).
Program loosened(Program program);

/// What regions are named in: loosened(), and withDirectViews().
Program prepared(Program program);

} // namespace remat
