// SPDX-License-Identifier: Apache-2.0
#include "solvers/portfolio/members.h"
#include "solvers/search/cut_start.h"

namespace remat::portfolio {

void runCut(Board &board, Line &line)
{
    board.work().charge(cutUs(line.flat.ops));
    board.offer(line, search::cutPlan(line.flat, board.request().budgetBytes, board.stopCheck()));
}

} // namespace remat::portfolio
