// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/puzzles/position.h"

#include "core/base/units.h"

#include <algorithm>

namespace remat {

namespace {

class Judge
{
public:
    Judge(const Puzzle &puzzle, const PuzzlePosition &position, const Words &words)
        : m_puzzle(puzzle), m_position(position), m_words(orEnglish(words))
    {
    }

    std::string operator()(const PuzzleMove &move) const
    {
        switch (move.step.kind) {
        case StepKind::Compute:
            return compute(move.step.op, move.top);
        case StepKind::Free:
            return free(move.step.storage);
        case StepKind::Offload:
            return copyOut(move.step.storage);
        case StepKind::Prefetch:
            return bringBack(move.step.storage);
        }
        return {};
    }

private:
    const Graph &graph() const { return m_puzzle.graph; }
    const PuzzleStorage &at(StorageId id) const { return m_position.storages[id.index()]; }
    const std::string &name(StorageId id) const { return graph().storage(id).name; }
    std::string makerOf(StorageId id) const { return graph().op(graph().storage(id).producer).name; }
    bool planned(StorageId id) const { return graph().planned(id); }
    std::string bytes(std::int64_t amount) const { return formatBytes(amount); }

    std::string compute(OpId id, bool top) const
    {
        const Op &op = graph().op(id);
        const auto isHeld = [this](StorageId each) { return at(each).held; };
        if (std::all_of(op.outputs.begin(), op.outputs.end(), isHeld))
            return filled(m_words("Puzzle", "What %1 makes is still there: use it, or free it first."), {op.name});
        if (m_position.computed[id.index()] > 0 && op.computeOnce)
            return filled(m_words("Puzzle", "%1 changes what it reads, or stands for the rest of the network, and can "
                                            "be computed only once. Undo to keep what it made."),
                          {op.name});
        if (m_position.computed[id.index()] > 0 && !m_puzzle.rules.again)
            return filled(m_words("Puzzle", "In this puzzle every op is computed once, and %1 was. Undo to keep what "
                                            "it made."),
                          {op.name});
        for (const StorageId input : op.inputs)
            if (planned(input) && !at(input).held) return missing(op, input);
        const std::int64_t during = bytesDuring(m_puzzle, m_position, id);
        if (during > m_puzzle.budgetBytes) return noRoom(op.name, during - m_position.heldBytes);
        if (m_puzzle.rules.addresses) return noPiece(op.name, op.outputs.front(), top);
        return {};
    }

    std::string missing(const Op &op, StorageId input) const
    {
        if (at(input).hostReadyUs >= 0)
            return filled(m_words("Puzzle", "%1 needs %2, which is in host memory: bring it back first."),
                          {op.name, name(input)});
        if (at(input).freed)
            return filled(m_words("Puzzle", "%1 needs %2, which you freed: compute %3 again first."),
                          {op.name, name(input), makerOf(input)});
        return filled(m_words("Puzzle", "%1 needs %2, which %3 makes: compute that first."),
                      {op.name, name(input), makerOf(input)});
    }

    std::string noRoom(const std::string &what, std::int64_t more) const
    {
        return filled(m_words("Puzzle", "%1 needs %2 while %3 are held, and the budget is %4: free something first."),
                      {what, bytes(more), bytes(m_position.heldBytes), bytes(m_puzzle.budgetBytes)});
    }

    std::string noPiece(const std::string &what, StorageId storage, bool top) const
    {
        AddressSpace space = m_position.space;
        const std::int64_t wanted = graph().storage(storage).bytes;
        if (space.allocate(wanted, storage.value, top ? AddressEnd::Right : AddressEnd::Left) >= 0) return {};
        std::int64_t largest = 0;
        for (const MemoryPiece &piece : space.pieces())
            if (piece.owner == MemoryPiece::kFree) largest = std::max(largest, piece.bytes);
        return filled(m_words("Puzzle", "%1 needs %2 in one piece; %3 are free, but the largest piece has %4: free a "
                                        "neighbour of it."),
                      {what, bytes(wanted), bytes(space.freeBytes()), bytes(largest)});
    }

    /// What is always there cannot be moved; empty otherwise.
    std::string resident(StorageId id) const
    {
        if (planned(id)) return {};
        return filled(m_words("Puzzle", "%1 is an input: it is always there and does not count."), {name(id)});
    }

    std::string free(StorageId id) const
    {
        if (std::string why = resident(id); !why.empty()) return why;
        if (!at(id).held) return filled(m_words("Puzzle", "%1 is not in memory."), {name(id)});
        if (graph().storage(id).isOutput)
            return filled(m_words("Puzzle", "%1 is a result: it stays to the end."), {name(id)});
        return {};
    }

    std::string copyOut(StorageId id) const
    {
        if (!m_puzzle.rules.copies) return m_words("Puzzle", "This puzzle has no link to host memory.");
        if (std::string why = resident(id); !why.empty()) return why;
        if (!at(id).held)
            return filled(m_words("Puzzle", "%1 is not in memory, so there is nothing to copy."), {name(id)});
        if (at(id).hostReadyUs >= 0)
            return filled(m_words("Puzzle", "%1 has a copy in host memory already: you can free it."), {name(id)});
        return {};
    }

    std::string bringBack(StorageId id) const
    {
        if (!m_puzzle.rules.copies) return m_words("Puzzle", "This puzzle has no link to host memory.");
        if (std::string why = resident(id); !why.empty()) return why;
        if (at(id).held) return filled(m_words("Puzzle", "%1 is still in memory."), {name(id)});
        if (at(id).hostReadyUs < 0)
            return filled(m_words("Puzzle", "%1 has no copy in host memory: copy it out before you free it."),
                          {name(id)});
        const std::int64_t more = graph().storage(id).bytes;
        if (m_position.heldBytes + more > m_puzzle.budgetBytes) return noRoom(name(id), more);
        return {};
    }

    const Puzzle &m_puzzle;
    const PuzzlePosition &m_position;
    const Words &m_words;
};

double copyUs(const Puzzle &puzzle, StorageId storage)
{
    return puzzle.costs.linkLatencyUs +
           static_cast<double>(puzzle.graph.storage(storage).bytes) / puzzle.costs.linkBytesPerSecond * 1e6;
}

/// Takes room for a storage that was not there.
void place(const Puzzle &puzzle, PuzzlePosition &position, StorageId id, bool top)
{
    PuzzleStorage &storage = position.storages[id.index()];
    storage.held = true;
    position.heldBytes += puzzle.graph.storage(id).bytes;
    if (puzzle.rules.addresses)
        storage.offsetBytes = position.space.allocate(puzzle.graph.storage(id).bytes, id.value,
                                                      top ? AddressEnd::Right : AddressEnd::Left);
}

void compute(const Puzzle &puzzle, PuzzlePosition &position, OpId id, bool top)
{
    const Op &op = puzzle.graph.op(id);
    double startUs = position.nowUs;
    for (const StorageId input : op.inputs)
        if (puzzle.graph.planned(input)) startUs = std::max(startUs, position.storages[input.index()].readyUs);
    position.peakBytes = std::max(position.peakBytes, bytesDuring(puzzle, position, id));
    position.nowUs = startUs + puzzle.costs.time(id);
    ++position.computed[id.index()];
    for (const StorageId output : op.outputs) {
        PuzzleStorage &storage = position.storages[output.index()];
        if (storage.held) continue;
        place(puzzle, position, output, top);
        storage.readyUs = storage.busyUntilUs = position.nowUs;
    }
}

} // namespace

PuzzlePosition startPosition(const Puzzle &puzzle)
{
    PuzzlePosition position;
    position.storages.resize(puzzle.graph.storages.size());
    position.computed.resize(puzzle.graph.ops.size());
    if (puzzle.rules.addresses) position.space = AddressSpace(puzzle.budgetBytes);
    return position;
}

std::string whyNot(const Puzzle &puzzle, const PuzzlePosition &position, const PuzzleMove &move, const Words &words)
{
    return Judge(puzzle, position, words)(move);
}

void applyMove(const Puzzle &puzzle, PuzzlePosition &position, const PuzzleMove &move)
{
    if (move.step.kind == StepKind::Compute) {
        compute(puzzle, position, move.step.op, move.top);
        return;
    }
    const StorageId id = move.step.storage;
    PuzzleStorage &storage = position.storages[id.index()];
    const std::int64_t bytes = puzzle.graph.storage(id).bytes;
    if (move.step.kind == StepKind::Free) {
        position.nowUs = std::max(position.nowUs, storage.busyUntilUs);
        storage.held = false;
        storage.freed = true;
        position.heldBytes -= bytes;
        if (puzzle.rules.addresses) position.space.free(storage.offsetBytes);
    } else if (move.step.kind == StepKind::Offload) {
        position.toHostFreeUs = std::max({position.nowUs, position.toHostFreeUs, storage.readyUs}) + copyUs(puzzle, id);
        storage.hostReadyUs = position.toHostFreeUs;
        storage.busyUntilUs = std::max(storage.busyUntilUs, position.toHostFreeUs);
        position.copiedBytes += bytes;
    } else {
        position.toDeviceFreeUs =
            std::max({position.nowUs, position.toDeviceFreeUs, storage.hostReadyUs}) + copyUs(puzzle, id);
        place(puzzle, position, id, false);
        storage.readyUs = storage.busyUntilUs = position.toDeviceFreeUs;
        position.peakBytes = std::max(position.peakBytes, position.heldBytes);
        position.copiedBytes += bytes;
    }
}

bool isFinished(const Puzzle &puzzle, const PuzzlePosition &position)
{
    for (std::size_t s = 0; s < position.storages.size(); ++s)
        if (puzzle.graph.storages[s].isOutput && puzzle.graph.planned(StorageId(s)) && !position.storages[s].held)
            return false;
    for (std::size_t op = 0; op < position.computed.size(); ++op)
        if (puzzle.graph.ops[op].computeOnce && position.computed[op] == 0) return false;
    return true;
}

std::int64_t bytesDuring(const Puzzle &puzzle, const PuzzlePosition &position, OpId op)
{
    std::int64_t bytes = position.heldBytes + puzzle.costs.workspace(op);
    for (const StorageId output : puzzle.graph.op(op).outputs)
        bytes += puzzle.graph.storage(output).bytes;
    return bytes;
}

std::vector<PuzzleMove> legalMoves(const Puzzle &puzzle, const PuzzlePosition &position)
{
    std::vector<PuzzleMove> moves;
    const auto add = [&](const Step &step, bool top = false) {
        if (whyNot(puzzle, position, {step, top}).empty()) moves.push_back({step, top});
    };
    for (std::size_t op = 0; op < puzzle.graph.ops.size(); ++op) {
        add(Step::compute(OpId(op)));
        if (puzzle.rules.addresses) add(Step::compute(OpId(op)), true);
    }
    for (std::size_t s = 0; s < puzzle.graph.storages.size(); ++s) {
        add(Step::free(StorageId(s)));
        if (!puzzle.rules.copies) continue;
        add(Step::offload(StorageId(s)));
        add(Step::prefetch(StorageId(s)));
    }
    return moves;
}

} // namespace remat
