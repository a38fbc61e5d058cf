// SPDX-License-Identifier: Apache-2.0
// rk-Checkmate: a block's schedules by the full program, over a grid of budgets.
#pragma once

#include "core/base/stop_token.h"
#include "solvers/blocks/block_options.h"

#include <functional>
#include <limits>
#include <vector>

namespace remat::rockmate {

/// Forward and backward ops of a block beyond which its program is not even built: some 100,000 columns.
constexpr int kMostBlockOps = 400;

struct GridSettings {
    int peaks = 10; ///< budgets of the peak, from that of keeping everything down to the working set; at least 1
    int saves = 10; ///< budgets of what is held between the two parts, from everything down to nothing; at least 1
    const StopToken *stop = nullptr;
    Deadline deadline;
    /// Limit of the simplex method, for each program of a cell. What has a deadline is not limited otherwise.
    std::int64_t iterations = 2'000;
    /// Cells that are not proven within `iterations`, after which the rest is left as it is; without a deadline only.
    int mostUnproven = 1;
    /// Ops of a block, likewise: relaxations are not counted in iterations.
    int mostOps = 24;
    int seed = 0;
};

enum class CellState {
    Proven,     ///< no schedule within both budgets takes less time
    Infeasible, ///< proven: no schedule is within both budgets
    Open        ///< `option`, if there is one, is the best known
};

/// One pair of budgets; memory as in `hiremate::blockGraph`: what is internal to the block, workspace and constants.
struct GridCell {
    std::int64_t peakBytes = 0, savedBytes = 0;
    CellState state = CellState::Open;
    double extraUs = std::numeric_limits<double>::infinity(); ///< extra time of the best schedule known
    double boundUs = 0;                                       ///< proven: no schedule adds less
    int option = -1;                                          ///< its number in the grid's options
};

struct BlockGrid {
    std::vector<GridCell> cells;           ///< [save][peak], both from the largest; equal budgets are one
    int peaks = 0, saves = 0;              ///< how many there are
    std::vector<hiremate::Option> options; ///< each the best of some cell
    int solves = 0;                        ///< cells that a program was solved for
    bool tooLarge = false; ///< the block has more ops than programs are built for, or are without a deadline

    int open() const; ///< cells that are not settled
};

/// The best schedules of a block under each pair of budgets on its peak and on what it holds between its forward and
/// its backward part (rk-Checkmate; Zhao et al., Rockmate, ICML 2023, section not known): Checkmate's program over all
/// ops of the block, forward and backward (`checkmate/model.h`), every forward op as often as needed and in either
/// part, at most once between two first computations, as in Checkmate. Cells are settled from the loosest budgets on; a
/// program is solved only where neither a schedule that is known reaches the bound of the looser cells, nor one of
/// those is infeasible. `known` are schedules to start from: where a program is not solved, the best of them stays. A
/// cell has an equal share of the time that is left, but no less than a tenth of a second. `told(cells settled)` may be
/// empty. Any thread. O(cells × programs).
BlockGrid solveGrid(const FlatGraph &flat, const hiremate::Chain &chain, const hiremate::Block &block,
                    const std::vector<hiremate::Option> &known, const GridSettings &settings,
                    const std::function<void(int)> &told = {});

} // namespace remat::rockmate
