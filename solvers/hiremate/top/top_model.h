// SPDX-License-Identifier: Apache-2.0
// The integer program over the chain of blocks: one option per block, and where interfaces live.
#pragma once

#include "solvers/blocks/lite.h"
#include "solvers/ilp/model.h"

#include <functional>
#include <optional>
#include <vector>

namespace remat::hiremate {

/// What the top program may choose from for one block.
struct BlockChoices {
    const std::vector<Option> *options = nullptr; ///< options of the block's representative
    std::vector<Lite> lites;                      ///< for this very block
    Rebuild fastForward;                          ///< makes all its interfaces again from its interface inputs
};

/// A solution of the top program.
struct TopChoice {
    std::vector<int> option; ///< per block
    struct Again {
        int part = 0, block = 0, lite = -1; ///< lite: index into the block's lites; −1: fast forward
    };
    std::vector<Again> again; ///< in order of parts
};

/// The program with the meaning of its columns. t are the parts of the chain (`Part`), in order.
///
/// Variables, all 0/1: y[j,o] option o of block j; X[t,s] interface s is there before part t; R[t,j] fast forward of
/// block j at the start of backward part t; L[t,s,a] rebuild s in way a there. Q[t,s] = R + Σ L makes s at part t.
///     Σ_o y[j,o] = 1        X[t,s] ≤ X[t−1,s] + Q[t−1,s]        X[t,s] + Q[t,s] ≤ 1
///     X + Q ≥ 1 for what the part reads anyway, ≥ Σ y of the options that read s, ≥ R and L that read s
///     L[t,s,a] ≤ Σ y of the options under which way a is possible
/// and memory rows per part, summed over the options of its block; the rows of HiRemate's correction terms, without
/// big-M: what is pinned by an option while it runs is in its coefficient, the rest counts while it lives on. Identical
/// blocks are ordered by what they keep, earlier ones less, which breaks their symmetry (a heuristic cut: an earlier
/// block's phantom is held longer).
struct TopModel {
    ilp::Model model;
    double unitBytes = 1;                       ///< bytes of one unit of memory in the model
    std::vector<std::vector<int>> optionColumn; ///< [block][option]
    /// What options of some blocks hold at some time, as a column of its own.
    struct HeldColumn {
        int column = 0;
        std::vector<ilp::Term> sum; ///< sum of the y, and of the held column before it
    };
    std::vector<HeldColumn> heldColumns;
    std::vector<int> heldBefore;                 ///< [part]: column of what the other blocks hold then; −1: nothing
    int heldAtTurn = -1;                         ///< column of what all hold between forward and backward
    int keptRow = -1;                            ///< what is held from the forward to the backward part; −1: no limit
    std::vector<std::vector<int>> thereColumn;   ///< [part][interface number], −1: not there
    std::vector<std::vector<int>> forwardColumn; ///< [part][block], −1: none
    struct LiteColumn {
        int part = 0, block = 0, lite = 0, column = 0;
    };
    std::vector<LiteColumn> liteColumns;
};

struct TopSettings {
    bool lite = true;
    bool fastForward = true;
    bool orderIdentical = true;
    /// Per part: taken off the budget there, for what rows do not see. Empty: nothing.
    std::vector<std::int64_t> setAsideBytes;
    std::optional<std::int64_t> mostKeptBytes; ///< held from the forward to the backward part (B_save)
    /// No integer program with more terms in its rows would ever be solved; it takes 64 MB to begin with.
    std::size_t mostTerms = 4'000'000;
    std::function<bool()> stop = [] { return false; };
};

/// One of each block's options, and rebuilding of what its block makes, by the options of the block's representative.
/// Both outlive the choices.
std::vector<BlockChoices> choicesOf(const FlatGraph &flat, const Chain &chain,
                                    const std::vector<const std::vector<Option> *> &optionsOfBlock);

/// None when stopped, and for so many blocks and interfaces that it would be too large.
std::optional<TopModel> buildTopModel(const FlatGraph &flat, const Chain &chain,
                                      const std::vector<BlockChoices> &choices, std::int64_t budgetBytes,
                                      const TopSettings &settings);

TopChoice readChoice(const TopModel &top, const std::vector<double> &x);

/// A cheap solution without recomputed interfaces: every block takes its best option under one common price of memory,
/// the lowest price that fits. Empty when none does, or none was found before `stop`.
std::vector<double> pricedStart(
    const TopModel &top, const std::vector<BlockChoices> &choices,
    const std::function<bool()> &stop = [] { return false; });

} // namespace remat::hiremate
