// SPDX-License-Identifier: Apache-2.0
#include "solvers/chunk/floor.h"

#include "core/bounds/needs.h"
#include "core/chunk/modes.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace remat {

namespace {

/// What chunks are to make of a floor, when nothing says a budget; each only where it brings it below this share of the
/// one before.
constexpr std::array<std::int64_t, 2> kFloorParts{4, 8};
constexpr double kWorthShare = 0.9;

/// How often each tensor of a call is cut at least: 1 where it is whole.
class PieceBytes
{
public:
    PieceBytes(const Graph &graph, const Program &program, const Node &node)
        : m_graph(graph), m_program(program), m_node(node)
    {
    }

    /// A storage that is read whole by one argument is there whole.
    std::int64_t of(const Mode &mode, std::int64_t k)
    {
        m_parts.clear();
        const std::vector<ValueId> read = tensorsRead(m_node);
        for (std::size_t i = 0; i < read.size(); ++i)
            add(read[i], mode.ins[i] >= 0 ? k : 1);
        for (std::size_t i = 0; i < m_node.outputs.size(); ++i)
            if (m_node.outputs[i]) add(m_node.outputs[i], mode.outs[i] >= 0 ? k : 1);
        return std::accumulate(
            m_parts.begin(), m_parts.end(), std::int64_t(0),
            [&](std::int64_t sum, const auto &part) { return sum + m_graph.storage(part.first).bytes / part.second; });
    }

private:
    void add(ValueId id, std::int64_t parts)
    {
        const StorageId storage = m_program.value(id).storage;
        if (!m_graph.planned(storage)) return;
        const auto known =
            std::find_if(m_parts.begin(), m_parts.end(), [&](const auto &part) { return part.first == storage; });
        if (known == m_parts.end())
            m_parts.emplace_back(storage, parts);
        else
            known->second = std::min(known->second, parts);
    }

    const Graph &m_graph;
    const Program &m_program;
    const Node &m_node;
    std::vector<std::pair<StorageId, std::int64_t>> m_parts;
};

} // namespace

Expected<PeakBound> floorInChunks(const Model &model, const ChunkSetting &setting, int mostChunks)
{
    Expected<Model> prepared = preparedModel(model, Sums::InPlace);
    if (prepared && setting.finish) prepared = setting.finish(std::move(*prepared));
    if (!prepared) return tl::unexpected(prepared.error());
    const Graph &graph = prepared->graph;
    const Needs needs = needsOf(graph);
    PeakBound bound{0, {}, "working set of pieces", HoldsFor::EveryPlan};
    for (const Storage &storage : graph.storages)
        if (storage.isOutput && !isResident(storage.kind)) bound.bytes += storage.bytes;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op &op = graph.ops[i];
        if (!needs.op[i] || !op.node) continue;
        const Node &node = prepared->program->nodes[op.node.index()];
        PieceBytes bytes(graph, *prepared->program, node);
        Mode whole;
        whole.ins.assign(tensorsRead(node).size(), kWhole);
        whole.outs.assign(node.outputs.size(), kWhole);
        std::int64_t least = bytes.of(whole, 1);
        for (int k = 2; k <= mostChunks && least > bound.bytes; ++k)
            for (const Mode &mode : modesOf(*prepared->program, node, k))
                least = std::min(least, bytes.of(mode, k));
        if (least > bound.bytes) {
            bound.bytes = least;
            bound.op = OpId(i);
        }
    }
    return bound;
}

std::optional<ChunkedModel> lowerFloor(const Model &model, const PeakBound &floor, const ChunkSetting &setting)
{
    std::optional<ChunkedModel> found;
    std::int64_t last = floor.bytes;
    for (const std::int64_t parts : kFloorParts) {
        const Chunking chunking = chunkingForFloor(model, floor.bytes / parts, setting);
        auto chunked = chunking.regions.empty() ? tl::unexpected(Error{}) : inSetting(model, chunking, setting);
        if (!chunked || static_cast<double>(chunked->floor.bytes) > kWorthShare * static_cast<double>(last)) break;
        last = chunked->floor.bytes;
        found = std::move(*chunked);
    }
    return found;
}

} // namespace remat
