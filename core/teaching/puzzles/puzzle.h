// SPDX-License-Identifier: Apache-2.0
// A puzzle: a small graph, a budget, and what may be done to schedule it by hand. Plain data.
#pragma once

#include "core/costs/cost_table.h"
#include "core/graph/graph.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace remat {

/// A move is a step of a plan; where addresses matter, also at which end of the memory a computation looks for room.
struct PuzzleMove {
    Step step;
    bool top = false; ///< from the highest address downwards; only where addresses matter
    bool operator==(const PuzzleMove &) const = default;
};

/// Which moves there are beside computing and freeing.
struct PuzzleRules {
    bool again = true;      ///< ops may be computed more than once
    bool copies = false;    ///< storages may be copied to host memory and back
    bool addresses = false; ///< a storage needs its bytes in one piece, and nothing moves
};

/// What a finished play comes to.
struct PuzzleFigures {
    std::int64_t peakBytes = 0;
    double extraUs = 0;           ///< over computing every op once
    std::int64_t copiedBytes = 0; ///< to the host and back, together
    bool operator==(const PuzzleFigures &) const = default;
};

/// A text in another language.
struct PuzzleText {
    std::string title, text;
};

struct Puzzle {
    std::filesystem::path path; ///< empty for one made from an open model
    std::string name;           ///< name of the file, without `.json`
    int number = 0;             ///< place in the list; 0 for puzzles of others
    std::string title, text;
    std::map<std::string, PuzzleText> translations; ///< per language, as `de`
    std::string graphFile;                          ///< `graphs/NAME.json` beside the file; empty: in the file itself
    Graph graph;
    CostTable costs; ///< the graph's own times, and the link of the puzzle
    PuzzleRules rules;
    std::int64_t budgetBytes = 0;
    /// Proven: no play takes less extra time, none of those copies less, and none of those has a lower peak.
    std::optional<PuzzleFigures> optimum;
    double parUs = 0;                 ///< extra time of a fair play; 0 where nobody has computed it
    std::vector<PuzzleMove> solution; ///< reaches the optimum; empty without one
    std::string source;               ///< the file's text, by which mistakes find their line
};

/// Most that a puzzle may have: what is drawn must be seen, and what is proven must end.
inline constexpr std::size_t kMostPuzzleOps = 64, kMostPuzzleStorages = 128;

/// Title and text in a language, as `de` or `de_DE`; the file's own where it has none.
PuzzleText puzzleText(const Puzzle &puzzle, const std::string &language);

/// Every op of the puzzle once.
double puzzleBaseUs(const Puzzle &puzzle);

/// Whether nothing is wrong with graph, budget and rules taken together: a sentence otherwise. O(graph).
Expected<void> checkPuzzle(const Puzzle &puzzle);

} // namespace remat
