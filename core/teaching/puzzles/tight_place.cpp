// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/tight_place.h"

#include "core/base/units.h"

#include <algorithm>

namespace remat {

namespace {

/// The first op from `from` on that is still to be computed and reads the storage; none when there is none.
OpId nextReader(const Graph &graph, const std::vector<int> &computed, StorageId storage, std::size_t from)
{
    for (std::size_t op = from; op < graph.ops.size(); ++op) {
        const auto &inputs = graph.ops[op].inputs;
        if (computed[op] == 0 && std::find(inputs.begin(), inputs.end(), storage) != inputs.end()) return OpId(op);
    }
    return {};
}

} // namespace

std::optional<TightPlace> tightPlace(const Puzzle &puzzle, const PuzzlePosition &position)
{
    const Graph &graph = puzzle.graph;
    std::vector<char> held;
    held.reserve(position.storages.size());
    for (const PuzzleStorage &storage : position.storages)
        held.push_back(static_cast<char>(storage.held));
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (position.computed[i] > 0) continue;
        const Op &op = graph.ops[i];
        TightPlace place;
        place.op = OpId(i);
        std::int64_t bytes = puzzle.costs.workspace(OpId(i));
        for (const StorageId output : op.outputs) {
            held[output.index()] = 1;
            bytes += graph.storage(output).bytes;
        }
        for (std::size_t s = 0; s < held.size(); ++s) {
            const StorageId id(s);
            const bool made = std::find(op.outputs.begin(), op.outputs.end(), id) != op.outputs.end();
            if (held[s] == 0 || made || !graph.planned(id)) continue;
            const bool read = std::find(op.inputs.begin(), op.inputs.end(), id) != op.inputs.end();
            const OpId later = nextReader(graph, position.computed, id, i + 1);
            if (!read && !later && !graph.storage(id).isOutput) {
                held[s] = 0;
                continue;
            }
            bytes += graph.storage(id).bytes;
            if (read || graph.storage(id).isOutput) continue;
            place.idle.push_back(id);
            place.idleBytes += graph.storage(id).bytes;
            if (!place.neededBy || later < place.neededBy) place.neededBy = later;
        }
        place.overBytes = bytes - puzzle.budgetBytes;
        if (place.overBytes > 0) return place;
    }
    return std::nullopt;
}

std::string tightSentence(const Puzzle &puzzle, const std::optional<TightPlace> &place, const Words &given)
{
    const Words &words = orEnglish(given);
    if (!place)
        return words("Puzzle", "What is held now and what is still to be made fits, in the order of the graph: nothing "
                               "more has to go.");
    const Graph &graph = puzzle.graph;
    const std::string &op = graph.op(place->op).name;
    const std::string number = std::to_string(place->op.index() + 1), count = std::to_string(graph.ops.size());
    if (!place->neededBy)
        return filled(words("Puzzle", "At %1 (op %2 of %3) the results that must stay leave too little room."),
                      {op, number, count});
    std::string names;
    for (const StorageId id : place->idle)
        names += (names.empty() ? "" : ", ") + graph.storage(id).name;
    return filled(words("Puzzle", "At %1 (op %2 of %3) you would hold %4 that nobody needs before %5: %6. It is %7 too "
                                  "much, so some of it must go before and come back after."),
                  {op, number, count, formatBytes(place->idleBytes), graph.op(place->neededBy).name, names,
                   formatBytes(place->overBytes)});
}

} // namespace remat
