// SPDX-License-Identifier: Apache-2.0
// What planners over chains share: their options, how a graph becomes a chain for them, and the search for the schedule
// whose plan fits.
#pragma once

#include "solvers/blocks/cut_points.h"
#include "solvers/chain/chain_table.h"
#include "solvers/chain/stage_chain.h"
#include "solvers/tools/incumbent.h"

#include <optional>
#include <string>
#include <vector>

namespace remat::chain {

/// Where stages end.
struct StageOptions {
    CutPoints points = CutPoints::Best;
    int stages = 100; ///< at most
};
OptionTable<StageOptions> stageOptions();

/// For planners with a table over the chain.
struct TableOptions {
    StageOptions cut;
    int memorySlots = 500;
};
OptionTable<TableOptions> tableOptions();

/// The graph has a backward part; `title` of the planner begins the sentence of the failure.
Expected<void> needBackward(const FlatGraph &flat, const std::string &title);

/// "Not a chain after merging: …", with what to set `points` to instead.
tl::unexpected<Error> notAChain(const FlatGraph &flat, const std::string &points);

/// Stage labels to plan with, one set a way to cut, by the options. Fails with a sentence when the graph is no
/// chain: "Not a chain after merging: …". Throws TimeUp when `stop` says so.
Expected<std::vector<std::vector<int>>> stageLabels(const FlatGraph &flat, const StageOptions &options,
                                                    const StopCheck &stop);

/// Plans from the table for ever less memory, from the largest, until one fits on the graph and no later one can be
/// faster. The table's memory is a model, the plan is replayed: what the model finds too large often fits.
void offerFromTable(const FlatGraph &flat, const StageChain &chain, const ChainTable &table, Incumbent &incumbent,
                    const SolveContext &context);

/// Memory that holds everything: more never helps.
std::int64_t fullBytes(const ChainModel &model);

/// The best plan as an outcome; without one, the sentence says which `family` of plans does not fit.
SolveOutcome outcomeOf(const Incumbent &incumbent, const SolveRequest &request, const SolveContext &context,
                       const std::string &family);

/// A family of schedules by one number, such as how many inputs of stages are held at once: more is never slower.
struct NumberedFamily {
    std::string title;  ///< `Revolve`
    std::string family; ///< `number of snapshots`
    int wanted = 0;     ///< this number and no other; 0: the largest whose plan fits
    std::function<ChainSchedule(const ChainModel &, int number)> schedule; ///< `number` from 1 to the stages
};

/// Chains by the options, and of each the schedules from the largest number down, until one fits.
Expected<SolveOutcome> planByNumber(const SolveRequest &request, const SolveContext &context,
                                    const StageOptions &options, const NumberedFamily &family);

struct TablePlanning {
    std::string title;       ///< `Rotor`
    std::string family;      ///< `schedule of this chain`
    bool checkpoints = true; ///< plan with inputs of stages held alone (see TableSettings)
    bool alone = false;      ///< plan without
    /// Options of stages; may report to the incumbent.
    std::function<OptionSource(const FlatGraph &, Incumbent &)> options{};
    Story *story = nullptr; ///< how the first table is filled is written there; may be none
    /// Better options that take longer: asked when every way to cut has been planned with `options`; with how many ways
    /// are left to plan again, this one included. May be empty.
    std::function<OptionSource(const FlatGraph &, Incumbent &, int waysLeft)> finer{};
};

/// Keep-all when it fits; else chain, tables and plans for each way to cut.
Expected<SolveOutcome> planByTable(const SolveRequest &request, const SolveContext &context,
                                   const TableOptions &options, const TablePlanning &planning);

} // namespace remat::chain
