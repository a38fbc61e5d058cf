// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/puzzle.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/bounds/bounds.h"

#include <algorithm>

namespace remat {

PuzzleText puzzleText(const Puzzle &puzzle, const std::string &language)
{
    auto found = puzzle.translations.find(language);
    if (found == puzzle.translations.end()) found = puzzle.translations.find(language.substr(0, language.find('_')));
    return found == puzzle.translations.end() ? PuzzleText{puzzle.title, puzzle.text} : found->second;
}

double puzzleBaseUs(const Puzzle &puzzle)
{
    return keepAllTimeUs(puzzle.costs);
}

Expected<void> checkPuzzle(const Puzzle &puzzle)
{
    const Graph &graph = puzzle.graph;
    if (graph.ops.empty() || graph.ops.size() > kMostPuzzleOps)
        return fail("The graph has {} ops; a puzzle has 1 to {}.", graph.ops.size(), kMostPuzzleOps);
    if (graph.storages.size() > kMostPuzzleStorages)
        return fail("The graph has {} storages; a puzzle has at most {}.", graph.storages.size(), kMostPuzzleStorages);
    const auto isResult = [](const Storage &storage) { return storage.isOutput && !isResident(storage.kind); };
    if (std::none_of(graph.storages.begin(), graph.storages.end(), isResult))
        return fail("The graph has no outputs, so there is nothing to reach.");
    const std::int64_t leastBytes = workingSetBound(graph, puzzle.costs).bytes;
    if (puzzle.budgetBytes < leastBytes)
        return fail("The budget of {} is less than the {} that one op needs.", formatBytes(puzzle.budgetBytes),
                    formatBytes(leastBytes));
    if (puzzle.rules.copies && puzzle.rules.addresses)
        return fail("A puzzle has copies or addresses, not both: its optimum could not be proven in time.");
    if (!puzzle.rules.copies && !puzzle.rules.addresses) return {};
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (graph.ops[i].outputs.size() != 1 || puzzle.costs.workspace(OpId(i)) > 0)
            return fail("The op {} makes several storages or works with more memory: with copies or "
                        "addresses every op makes one storage and needs nothing else.",
                        quotedName(graph.ops[i].name));
    return {};
}

} // namespace remat
